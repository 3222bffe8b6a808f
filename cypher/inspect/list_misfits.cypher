// inspect/list_misfits: live memories that the passes cannot treat, because a hand edit gave them a value outside the model.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $limit      integer     how many
// Returns  memory      map         all properties
// Runs     read; looks at every live memory of the brain
// Browser  :param {brain: 'milo', isTest: false, limit: 25}
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
  AND (NOT coalesce(m.tier IN ['working', 'shortTerm', 'longTerm'], false)
    OR NOT coalesce(toFloatOrNull(m.energy) >= 0, false)
    OR m.lastDecay IS NULL OR m.lastDecay IS NOT :: ZONED DATETIME)
RETURN properties(m) AS memory
LIMIT $limit
