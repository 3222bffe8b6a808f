// memory/find_by_prefix: memories whose id begins with $prefix.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $prefix     string      at least 6 characters of an id
//          $limit      integer     how many candidates are enough
// Returns  memory      map
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, prefix: '3f9a2c', limit: 6}
MATCH (m:Memory)
WHERE m.id STARTS WITH $prefix AND m.brain = $brain AND m.isTest = $isTest
RETURN properties(m) AS memory
ORDER BY m.id
LIMIT $limit
