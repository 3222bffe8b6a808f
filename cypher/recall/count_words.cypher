// recall/count_words: in how many live memories of a scope each word stands, and about how many memories there are.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $rows       list        maps {word, index, lucene}; lucene holds the scope's token as a condition
//          $most       integer     counting a word stops there: what stands in so many memories is common
//          $few        integer     memories are counted up to so many
//          $enough     integer     they are not counted if so many are in the sample
// Returns  counted     integer     live memories, at most $few; 0 if they were not counted
//          sampled     integer     those of them whose id begins with 00: ids are random, so one in 256
//          words       list        maps {word, memories}
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, most: 5000, few: 2000, enough: 16}
//          :param {rows: [{word: 'tea', index: 'live_text', lucene: '+scope:miloxr^0 +content:tea'}]}
//
// Neo4j tells no document frequency. Counting hits needs no property of any of them: 0.7 µs a hit. Counting all memories
// would cost 30 ms at 100,000; what a word weighs changes with the logarithm of their number only.
CALL () {
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.id >= '00' AND m.id < '01'
  RETURN count(m) AS sampled
}
CALL (sampled) {
  UNWIND CASE WHEN sampled < $enough THEN [1] ELSE [] END AS _
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
  WITH m LIMIT $few
  RETURN count(m) AS counted
}
UNWIND $rows AS row
CALL (row) {
  CALL db.index.fulltext.queryNodes(row.index, row.lucene, {limit: $most}) YIELD node
  RETURN count(node) AS memories
}
RETURN counted, sampled, collect({word: row.word, memories: memories}) AS words
