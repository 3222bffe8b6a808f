// consolidation/find_due_relations: one page of the relations that no relate pass has looked at on this UTC day.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only between test memories, false: only between real ones
//          $now        datetime    instant of the run, UTC
//          $batch      integer     size of the page
// Returns  from        string      id of the memory that says something about the other
//          relation    string      EXTENDS, UPDATES, DERIVES or CONTRADICTS
//          to          string      id of the other
// Runs     read
// Browser  :param {brain: 'milo', isTest: true, batch: 100}
//          :param now => datetime()
//
// The order is the one the effects are applied in: by kind, contradictions last, then as they were declared. An index on
// relationships has one type, hence four seeks; naming all keys in ORDER BY lets the index do the sorting. The hints are for
// stores with one brain, where the planner would as soon read the whole index.
CALL () {
  MATCH ()-[r:EXTENDS]->()
  USING INDEX SEEK r:EXTENDS(brain, isTest, checkedDay, created)
  WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now)) AND r.created IS NOT NULL
  RETURN r
  ORDER BY r.brain, r.isTest, r.checkedDay, r.created
  LIMIT $batch
  UNION ALL
  MATCH ()-[r:UPDATES]->()
  USING INDEX SEEK r:UPDATES(brain, isTest, checkedDay, created)
  WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now)) AND r.created IS NOT NULL
  RETURN r
  ORDER BY r.brain, r.isTest, r.checkedDay, r.created
  LIMIT $batch
  UNION ALL
  MATCH ()-[r:DERIVES]->()
  USING INDEX SEEK r:DERIVES(brain, isTest, checkedDay, created)
  WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now)) AND r.created IS NOT NULL
  RETURN r
  ORDER BY r.brain, r.isTest, r.checkedDay, r.created
  LIMIT $batch
  UNION ALL
  MATCH ()-[r:CONTRADICTS]->()
  USING INDEX SEEK r:CONTRADICTS(brain, isTest, checkedDay, created)
  WHERE r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now)) AND r.created IS NOT NULL
  RETURN r
  ORDER BY r.brain, r.isTest, r.checkedDay, r.created
  LIMIT $batch
}
RETURN startNode(r).id AS from, type(r) AS relation, endNode(r).id AS to
LIMIT $batch
