// inspect/live_memories: the live memories of a brain, the most energetic first: document 004's "view all", for one brain.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $limit      integer     how many
// Returns  m           node        the energy is the stored one, valid at lastDecay
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, limit: 100}
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL AND m.tier IS NOT NULL
RETURN m
ORDER BY m.energy DESC
LIMIT $limit
