// learning/record_page: record one explicit recall: its page, what it showed, whether it was a miss, how others would rank it.
//
// Params   $brain       string     which brain
//          $isTest      boolean    true: a recall of test memories, false: of real ones
//          $at          datetime   instant of the answer, UTC
//          $page        map        {id, query, queryKey, semantic, miss, hits, bestCover, bestLexicalRank, bestSemanticRank}
//          $hits        list       maps {id, rank, score, strength} of the memories on the page
//          $shadows     list       maps {id, candidate, places}: a candidate's places of the hits, in the order of the page
//          $logMisses   boolean    whether misses are kept
// Returns  shown        integer    memories on the page that are (still) here
// Runs     write; again with the same page fails instead of counting twice
//
// A miss is counted, and opened again if it was resolved; an answer that is none resolves the miss of the same question.
// SHOWED needs its memory's lock. It is taken as in consolidation/decay and in the order of the passes: by the index of
// lastDecay, and within one instant by the nodes (elementIds end in a number, hence the length before the text). Beside
// running passes 6 of 43 recalls deadlocked in the order of ids, 6 of 94 without the lock, each for a second or more; of
// 258 in this form none.
CALL () {
  UNWIND CASE WHEN $logMisses AND $page.miss THEN [1] ELSE [] END AS _
  MERGE (k:RecallMiss {brain: $brain, isTest: $isTest, queryKey: $page.queryKey})
    ON CREATE SET k.id = randomUUID(), k.count = 0, k.firstAsked = $at, k.lastAsked = $at
  SET k:RecallMiss
  WITH k, k.count + 1 AS count, CASE WHEN k.lastAsked > $at THEN k.lastAsked ELSE $at END AS lastAsked
  SET k.count = count, k.lastAsked = lastAsked, k.query = $page.query, k.bestCover = $page.bestCover,
      k.bestLexicalRank = $page.bestLexicalRank, k.bestSemanticRank = $page.bestSemanticRank
  REMOVE k.resolvedAt
}
CALL () {
  UNWIND CASE WHEN $logMisses AND NOT $page.miss THEN [1] ELSE [] END AS _
  MATCH (k:RecallMiss {brain: $brain, isTest: $isTest, queryKey: $page.queryKey})
  SET k:RecallMiss
  WITH k
  WHERE k.resolvedAt IS NULL
  SET k.resolvedAt = CASE WHEN k.lastAsked > $at THEN k.lastAsked ELSE $at END
}
CREATE (p:RecallPage {id: $page.id})
SET p = $page, p.brain = $brain, p.isTest = $isTest, p.at = $at
FOREACH (shadow IN $shadows |
  CREATE (:ShadowRank {id: shadow.id, brain: $brain, isTest: $isTest, at: $at, candidate: shadow.candidate,
                       places: shadow.places})-[:SHADOWS]->(p))
WITH p
UNWIND $hits AS hit
MATCH (m:Memory {id: hit.id})
WHERE m.brain = $brain AND m.isTest = $isTest
WITH p, hit, m
ORDER BY m.lastDecay, size(elementId(m)), elementId(m)
SET m:Memory
CREATE (p)-[:SHOWED {rank: hit.rank, score: hit.score, strength: hit.strength}]->(m)
RETURN count(*) AS shown
