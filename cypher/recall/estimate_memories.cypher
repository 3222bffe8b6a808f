// recall/estimate_memories: how many live memories a scope has, exactly if few, else from those whose id begins with 00.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $few        integer     up to so many are counted
// Returns  counted     integer     at most $few
//          sampled     integer     ids are random, so this is one in 256 of them
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, few: 2000}
//
// Counting all would cost 30 ms at 100,000; what a word weighs changes with the logarithm of the number only.
CALL () {
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
  WITH m LIMIT $few
  RETURN count(m) AS counted
}
CALL () {
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.id >= '00' AND m.id < '01'
  RETURN count(m) AS sampled
}
RETURN counted, sampled
