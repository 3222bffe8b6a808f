// inspect/list_foremost: what a brain holds foremost: its protected memories, then its most energetic ones.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $limit      integer     how many
// Returns  memory      map         whole but for its vectors; the energy is the stored one, valid at lastDecay
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, limit: 25}
//
// Sorts all live memories of the scope: there is no index on energy, which every pass changes.
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
  AND m.energy IS NOT NULL AND m.tier IN ['working', 'shortTerm', 'longTerm'] AND m.lastDecay IS :: ZONED DATETIME NOT NULL
WITH m ORDER BY coalesce(m.core, false) DESC, m.energy DESC, m.id LIMIT $limit
RETURN m {.*, embeddingA: null, embeddingB: null, bands: null} AS memory
