// memory/read_memory: all properties of one memory, in any state.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      which memory
// Returns  memory      map
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, id: '…'}
MATCH (m:Memory {id: $id})
WHERE m.brain = $brain AND m.isTest = $isTest
RETURN properties(m) AS memory
