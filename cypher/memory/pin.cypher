// memory/pin: protect a memory that memory/settle has just locked and settled in this transaction, or let it fade again.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      which memory
//          $core       boolean     true: it no longer decays, expires or promotes; false: it does, from now on
//          $event      string      id of the ledger event
// Returns  energy      float       unchanged by this
//          tier        string      unchanged by this
//          changed     boolean     false if it stood so before
// Runs     write; a second run changes nothing
//
// settle has moved lastDecay to now, so a memory that is let go decays from now, not from when it was pinned.
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
WITH m, m.energy AS energy, m.lastDecay AS at, coalesce(m.core = true, false) <> $core AS changed
FOREACH (_ IN CASE WHEN changed THEN [1] ELSE [] END |
  SET m.core = $core
  CREATE (:EnergyEvent {id: $event, brain: $brain, isTest: $isTest, kind: CASE WHEN $core THEN 'pinned' ELSE 'unpinned' END,
                        at: at, before: energy, after: energy, tier: m.tier})-[:OF]->(m))
RETURN energy, m.tier AS tier, changed
