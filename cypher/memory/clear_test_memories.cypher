// memory/clear_test_memories: delete one page of a brain's test memories with their ledger. The only delete of memories there is.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true; with false nothing matches, whoever calls it
//          $batch      integer     size of the page
// Returns  cleared     integer     memories deleted; call again until it is 0
// Runs     write
// Browser  :param {brain: 'milo', isTest: true, batch: 1000}
MATCH (m:Memory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.isTest = true
WITH m
LIMIT $batch
OPTIONAL MATCH (e:EnergyEvent {isTest: true})-[:OF]->(m)
WITH m, collect(e) AS events
FOREACH (event IN events | DETACH DELETE event)
DETACH DELETE m
RETURN count(*) AS cleared
