// inspect/count_due_relations: how many relations a run at $now would apply.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only between test memories, false: only between real ones
//          $now        datetime    instant of the run, UTC
// Returns  relations   integer
// Runs     read
// Browser  :param {brain: 'milo', isTest: false}
//          :param now => datetime()
CALL () {
  MATCH ()-[r:EXTENDS]->()
  WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now)) AND r.created IS NOT NULL
  RETURN r
  UNION ALL
  MATCH ()-[r:UPDATES]->()
  WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now)) AND r.created IS NOT NULL
  RETURN r
  UNION ALL
  MATCH ()-[r:DERIVES]->()
  WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now)) AND r.created IS NOT NULL
  RETURN r
  UNION ALL
  MATCH ()-[r:CONTRADICTS]->()
  WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now)) AND r.created IS NOT NULL
  RETURN r
}
WITH startNode(r) AS from, endNode(r) AS to
WHERE from <> to
  AND from:LiveMemory AND from.brain = $brain AND from.isTest = $isTest
  AND to:LiveMemory AND to.brain = $brain AND to.isTest = $isTest
RETURN count(*) AS relations
