// recall/find_by_cosine: as recall/find_by_meaning_a, by looking at every vector of the scope.
//
// Params   $brain       string      which brain
//          $isTest      boolean     true: only test memories, false: only real ones
//          $property    string      where the vectors are: embeddingA or embeddingB
//          $vector      list        the query's vector, of the same model
//          $tier        string      only this tier; null: any
//          $memoryType  string      only this type; null: any
//          $subject     string      only what is about this, whatever its case; null: anything
//          $since       datetime    only what was remembered or restated since then; null: ever
//          $limit       integer     how many hits are enough
// Returns  lists as recall/find_by_words; a score is (1 + cosine) / 2
// Runs     read; for a Neo4j without the SEARCH clause
//
// 133 ms at 8,000 memories. The vector index of an old Neo4j knows no filter, so a small brain would find nothing in it.
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL AND m[$property] IS NOT NULL
  AND m.energy >= 0 AND m.tier IN ['working', 'shortTerm', 'longTerm']
  AND m.lastDecay IS :: ZONED DATETIME NOT NULL
  AND ($tier IS NULL OR m.tier = $tier) AND ($memoryType IS NULL OR m.memoryType = $memoryType)
  AND ($subject IS NULL OR toLower(toStringOrNull(m.subject)) = toLower($subject))
  AND ($since IS NULL OR coalesce(m.updatedAt, m.created) >= $since)
WITH m, vector.similarity.cosine(m[$property], $vector) AS score
ORDER BY score DESC
LIMIT $limit
WITH collect(m) AS found, collect(score) AS scores
RETURN [m IN found | m.id] AS ids, scores, [m IN found | m.energy] AS energies, [m IN found | m.tier] AS tiers,
       [m IN found | coalesce(m.core = true, false)] AS cores, [m IN found | true] AS lives,
       [m IN found | m.lastDecay.epochMillis] AS lastDecays,
       [m IN found | CASE WHEN m.updatedAt IS :: ZONED DATETIME NOT NULL THEN m.updatedAt.epochMillis END] AS updatedAts,
       size(found) AS looked
