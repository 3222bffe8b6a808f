// consolidation/adopt: give strays what they lack: brain, instants with a zone, a state label, a first ledger event.
//
// Params   $brain      string      which brain
//          $isTest     boolean     which scope
//          $rows       list        maps {node, state, event, properties}; instants as ISO 8601 text
// Returns  adopted     integer
// Runs     write, in the transaction of consolidation/lock_strays, which holds the locks
//
// Content and every property that is not ours stay untouched. What each row holds is decided in consolidation/adopt.py.
UNWIND $rows AS row
MATCH (m:Memory) WHERE elementId(m) = row.node
SET m += row.properties
SET m.brain = $brain, m.isTest = $isTest,
    m.created = datetime(row.properties.created), m.lastAccessed = datetime(row.properties.lastAccessed),
    m.lastDecay = datetime(row.properties.lastDecay), m.updatedAt = datetime(row.properties.updatedAt),
    m.validFrom = datetime(row.properties.validFrom), m.validTo = datetime(row.properties.validTo),
    m.expiredAt = datetime(row.properties.expiredAt), m.lastOpened = datetime(row.properties.lastOpened)
FOREACH (_ IN CASE row.state WHEN 'live' THEN [1] ELSE [] END | SET m:LiveMemory)
FOREACH (_ IN CASE row.state WHEN 'expired' THEN [1] ELSE [] END | SET m:ExpiredMemory)
FOREACH (_ IN CASE row.state WHEN 'archived' THEN [1] ELSE [] END | SET m:ArchivedMemory)
CREATE (:EnergyEvent {id: row.event, brain: $brain, isTest: $isTest, kind: 'adopted', at: m.lastDecay,
                      before: m.energy, after: m.energy, tier: m.tier})-[:OF]->(m)
RETURN count(*) AS adopted
