// inspect/ledgers: one page of a scope's memories in any state, each with its ledger, for replaying them.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $after      string      the last id of the page before; '' for the first page
//          $batch      integer     size of the page
// Returns  memory      map         {id, tier, energy, lastDecay, core, archived}
//          events      list        maps {kind, at, before, after, tier}, in no order
// Runs     read; pages follow the index of all ids, so a page may pass over memories of other brains
// Browser  :param {brain: 'milo', isTest: false, after: '', batch: 100}
//
// The hint: by the indexes of the states, every page would read the whole scope to find the ids that come next. No label on
// e, for the planner would rather scan the events of all memories while there are few.
MATCH (m:Memory)
USING INDEX m:Memory(id)
WHERE m.id > $after AND m.brain = $brain AND m.isTest = $isTest
  AND (m:LiveMemory OR m:ExpiredMemory OR m:ArchivedMemory)
  AND m.tier IN ['working', 'shortTerm', 'longTerm', 'expired'] AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND 0 <= m.energy AND m.energy < 1.0e308
  AND m.lastDecay IS :: ZONED DATETIME NOT NULL
WITH m
ORDER BY m.id
LIMIT $batch
RETURN m {.id, .tier, .energy, .lastDecay, .core, archived: m.validTo IS NOT NULL} AS memory,
       COLLECT {
         MATCH (m)<-[:OF]-(e)
         WHERE e.brain = $brain AND e.isTest = $isTest
         RETURN e {.kind, .at, .before, .after, .tier}
       } AS events
