// inspect/count_bare_relations: how many relations of a scope were drawn by hand and still wait to be adopted.
//
// Params   $brain      string      which brain
//          $isTest     boolean     which scope
// Returns  relations   integer
// Runs     read; looks at every relationship of the four types: what lacks a property is in no index
// Browser  :param {brain: 'milo', isTest: false}
//
// The ends are taken from the relationship, not matched: the planner would start at them and scan all memories.
MATCH ()-[r:EXTENDS|UPDATES|DERIVES|CONTRADICTS]->()
WHERE r.checkedDay IS NULL
WITH startNode(r) AS from, endNode(r) AS to
WHERE from:Memory AND from.brain = $brain AND from.isTest = $isTest
  AND to:Memory AND to.brain = $brain AND to.isTest = $isTest
RETURN count(*) AS relations
