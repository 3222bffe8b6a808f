// inspect/list_misfits: live memories that a hand edit gave a value outside the model; consolidation/set_aside takes them out.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $limit      integer     how many
// Returns  memory      map         all properties
// Runs     read; looks at every live memory of the brain
// Browser  :param {brain: 'milo', isTest: false, limit: 25}
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
  AND NOT (coalesce(m.tier IN ['working', 'shortTerm', 'longTerm'], false) AND m.content IS :: STRING NOT NULL
    AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND coalesce(0 <= m.energy AND m.energy < 1.0e308, false)
    AND m.lastDecay IS :: ZONED DATETIME NOT NULL AND m.created IS :: ZONED DATETIME NOT NULL
    AND m.core IS :: BOOLEAN AND m.accessCount IS :: INTEGER AND m.root IS :: STRING NOT NULL)
RETURN properties(m) AS memory
LIMIT $limit
