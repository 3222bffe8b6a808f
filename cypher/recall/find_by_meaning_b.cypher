// recall/find_by_meaning_b: the live memories of a scope whose vectors in embeddingB lie nearest to that of a query.
//
// Params   $brain       string      which brain
//          $isTest      boolean     true: only test memories, false: only real ones
//          $vector      list        the query's vector, of the same model
//          $tier        string      only this tier; null: any
//          $memoryType  string      only this type; null: any
//          $subject     string      only what is about this, whatever its case; null: anything
//          $since       datetime    only what was remembered or restated since then; null: ever
//          $depth       integer     how far down the index's own list to look
//          $limit       integer     how many hits are enough
// Returns  lists as recall/find_by_words; a score is (1 + cosine) / 2
// Runs     read. Neo4j 2026.02 or newer; recall/find_by_cosine does it on others
//
// The filter stands inside the search: asked for a hundred and filtered afterwards, a brain of 0.1 % of a store had 0.1
// hits of 10; this way all of them, in 4 ms.
CYPHER 25
MATCH (m:LiveMemory)
  SEARCH m IN (
    VECTOR INDEX live_embedding_b
    FOR $vector
    WHERE m.brain = $brain AND m.isTest = $isTest
    LIMIT $depth
  ) SCORE AS score
WITH m, score,
     m.energy >= 0 AND m.tier IN ['working', 'shortTerm', 'longTerm']
     AND m.lastDecay IS :: ZONED DATETIME NOT NULL
     AND ($tier IS NULL OR m.tier = $tier) AND ($memoryType IS NULL OR m.memoryType = $memoryType)
     AND ($subject IS NULL OR toLower(toStringOrNull(m.subject)) = toLower($subject))
     AND ($since IS NULL OR coalesce(m.updatedAt, m.created) >= $since) AS fits
WITH collect(CASE WHEN fits THEN m END)[..$limit] AS found, collect(CASE WHEN fits THEN score END)[..$limit] AS scores,
     count(*) AS looked
RETURN [m IN found | m.id] AS ids, scores, [m IN found | m.energy] AS energies, [m IN found | m.tier] AS tiers,
       [m IN found | coalesce(m.core = true, false)] AS cores, [m IN found | true] AS lives,
       [m IN found | m.lastDecay.epochMillis] AS lastDecays,
       [m IN found | CASE WHEN m.updatedAt IS :: ZONED DATETIME NOT NULL THEN m.updatedAt.epochMillis END] AS updatedAts,
       looked
