// inspect/promotion_history: every promotion of a brain, newest first, as a path.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $limit      integer     how many
// Returns  step        path        (old)-[:PROMOTED_TO]->(new)
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, limit: 100}
MATCH (old:ArchivedMemory)
WHERE old.brain = $brain AND old.isTest = $isTest
MATCH step = (old)-[promoted:PROMOTED_TO]->(:Memory)
RETURN step
ORDER BY promoted.at DESC
LIMIT $limit
