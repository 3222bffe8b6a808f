// inspect/count_memories: how many memories of a scope are not archived, without looking at their energies.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: test memories, false: real ones
// Returns  memories    integer     live and expired
// Runs     read
// Browser  :param {brain: 'milo', isTest: true}
RETURN COUNT { MATCH (m:LiveMemory) WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier IS NOT NULL AND m.lastDecay IS NOT NULL }
     + COUNT { MATCH (m:ExpiredMemory) WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier IS NOT NULL } AS memories
