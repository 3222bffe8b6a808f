// inspect/list_vain_contradictions: contradictions of core memories, which lose nothing by them.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only between test memories, false: only between real ones
//          $limit      integer     how many
// Returns  core        string      id of the core memory
//          other       string      id of the memory at the other end, core or not
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, limit: 25}
//
// The ends are taken from the relationship: see inspect/count_bare_relations.
MATCH ()-[r:CONTRADICTS]->()
WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay IS NOT NULL AND r.created IS NOT NULL
WITH startNode(r) AS from, endNode(r) AS to
WHERE (coalesce(from.core = true, false) OR coalesce(to.core = true, false))
  AND from:LiveMemory AND from.brain = $brain AND from.isTest = $isTest
  AND to:LiveMemory AND to.brain = $brain AND to.isTest = $isTest
RETURN CASE WHEN to.core = true THEN to.id ELSE from.id END AS core, CASE WHEN to.core = true THEN from.id ELSE to.id END AS other
LIMIT $limit
