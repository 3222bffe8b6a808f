// learning/clear_test_records: delete one page of what was recorded of recalls of test memories.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true; with false nothing matches, whoever calls it
//          $batch      integer     size of the page
// Returns  cleared     integer     pages and misses deleted; call again until it is 0
// Runs     write, after memory/clear_test_memories
// Browser  :param {brain: 'milo', isTest: true, batch: 1000}
CALL () {
  MATCH (n:RecallPage)
  WHERE n.brain = $brain AND n.isTest = $isTest AND n.at IS NOT NULL
  RETURN n
  UNION ALL
  MATCH (n:RecallMiss)
  WHERE n.brain = $brain AND n.isTest = $isTest AND n.lastAsked IS NOT NULL
  RETURN n
}
WITH n
WHERE n.isTest = true
LIMIT $batch
OPTIONAL MATCH (s)-[:SHADOWS]->(n)
WITH n, collect(s) AS shadows
FOREACH (shadow IN shadows | DETACH DELETE shadow)
DETACH DELETE n
RETURN count(*) AS cleared
