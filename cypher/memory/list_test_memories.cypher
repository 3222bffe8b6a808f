// memory/list_test_memories: the test memories of a brain that are not archived, the most energetic first.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true
//          $limit      integer     how many
// Returns  memory      map         all properties; the energy is the stored one, valid at lastDecay
// Runs     read
// Browser  :param {brain: 'milo', isTest: true, limit: 100}
CALL () {
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL AND m.tier IS NOT NULL
  RETURN m
  UNION ALL
  MATCH (m:ExpiredMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier IS NOT NULL
  RETURN m
}
RETURN properties(m) AS memory
ORDER BY m.energy DESC, m.id
LIMIT $limit
