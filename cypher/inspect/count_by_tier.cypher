// inspect/count_by_tier: how many memories stand in each tier and state, from the indexes alone.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
// Returns  tier        string      working, shortTerm, longTerm, expired or archived
//          memories    integer
// Runs     read
// Browser  :param {brain: 'milo', isTest: false}
//
// For scrapes: no memory is read, which inspect/status has to do for the energies.
UNWIND ['working', 'shortTerm', 'longTerm'] AS tier
RETURN tier, COUNT { MATCH (m:LiveMemory)
                     WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = tier AND m.lastDecay IS NOT NULL } AS memories
UNION ALL
RETURN 'expired' AS tier,
       COUNT { MATCH (m:ExpiredMemory) WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = 'expired' } AS memories
UNION ALL
RETURN 'archived' AS tier,
       COUNT { MATCH (m:ArchivedMemory) WHERE m.brain = $brain AND m.isTest = $isTest } AS memories
