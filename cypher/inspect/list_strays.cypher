// inspect/list_strays: memories of a brain that it does not see yet: written by hand, or unfit to be adopted.
//
// Params   $brain      string      which brain
//          $isTest     boolean     which scope; a memory without isTest counts as real
//          $limit      integer     how many
// Returns  properties  map         as they stand; those that name no brain are among them
// Runs     read; scans the label, so call it only when consolidation/count_strays finds some
// Browser  :param {brain: 'milo', isTest: false, limit: 25}
MATCH (m:Memory)
WHERE NOT m:LiveMemory AND NOT m:ExpiredMemory AND NOT m:ArchivedMemory
  AND (m.brain = $brain OR m.brain IS NULL) AND coalesce(m.isTest, false) = $isTest
RETURN properties(m) AS properties
LIMIT $limit
