// memory/clear_test_memories: delete one page of a brain's test memories with their ledger. The only delete of memories there is.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true; with false nothing matches, whoever calls it
//          $batch      integer     size of the page
// Returns  cleared     integer     memories deleted; call again until it is 0
// Runs     write
// Browser  :param {brain: 'milo', isTest: true, batch: 1000}
//
// By the indexes of each state: the label alone holds every memory of every brain, and each page would look at all of them
// (0.6 instead of 0.07 s beside 100,000 real memories). Strays have no index; the last branch is reached by the last page only.
CALL () {
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
  RETURN m
  UNION ALL
  MATCH (m:ExpiredMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier IS NOT NULL
  RETURN m
  UNION ALL
  MATCH (m:ArchivedMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest
  RETURN m
  UNION ALL
  MATCH (m:Memory)
  WHERE NOT m:LiveMemory AND NOT m:ExpiredMemory AND NOT m:ArchivedMemory AND m.brain = $brain AND m.isTest = $isTest
  RETURN m
}
WITH DISTINCT m
WHERE m.isTest = true
LIMIT $batch
OPTIONAL MATCH (e:EnergyEvent {isTest: true})-[:OF]->(m)
WITH m, collect(e) AS events
FOREACH (event IN events | DETACH DELETE event)
DETACH DELETE m
RETURN count(*) AS cleared
