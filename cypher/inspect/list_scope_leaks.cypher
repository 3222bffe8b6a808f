// inspect/list_scope_leaks: edges between a test memory and a real one. There must be none.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: look from the test side, which is the small one
//          $limit      integer     how many
// Returns  id          string      the memory on this side
//          type        string      of the edge
//          other       string      id of the memory on the other side
// Runs     read
// Browser  :param {brain: 'milo', isTest: true, limit: 25}
CALL () {
  MATCH (m:LiveMemory) WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL RETURN m
  UNION ALL
  MATCH (m:ExpiredMemory) WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier IS NOT NULL RETURN m
  UNION ALL
  MATCH (m:ArchivedMemory) WHERE m.brain = $brain AND m.isTest = $isTest RETURN m
}
MATCH (m)-[edge]-(other:Memory)
WHERE other.isTest <> $isTest
RETURN m.id AS id, type(edge) AS type, other.id AS other
LIMIT $limit
