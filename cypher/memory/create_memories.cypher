// memory/create_memories: bear memories, each with the first event of its ledger.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: test memories, false: real ones
//          $scope      string      one token of brain and isTest, for the full-text index
//          $rows       list        maps {id, event, content, contentKey, bands, tier, energy, core, memoryType,
//                                  producer, subject, at}; at as ISO 8601 text
// Returns  created     integer     memories that were not there before
// Runs     write; again with the same ids changes nothing. The same contentKey in another transaction makes one of the
//          two fail: it looks again, and reinforces.
//
// Instants come as text: the driver needs 40 µs to pack a datetime, which made bulk rows three times slower.
UNWIND $rows AS row
MERGE (m:Memory {id: row.id})
WITH m, row
WHERE m.root IS NULL
WITH m, row, datetime(row.at) AS at, CASE row.tier WHEN 'expired' THEN datetime(row.at) END AS expiredAt
SET m.root = row.id, m.brain = $brain, m.isTest = $isTest, m.scope = $scope, m.content = row.content, m.tier = row.tier,
    m.energy = row.energy, m.core = row.core, m.memoryType = row.memoryType, m.producer = row.producer,
    m.subject = row.subject, m.contentKey = row.contentKey, m.bands = row.bands, m.accessCount = 1, m.reinforceCount = 0,
    m.created = at, m.lastAccessed = at, m.lastDecay = at, m.validFrom = at, m.updatedAt = at, m.expiredAt = expiredAt,
    m.storedAt = datetime.transaction('UTC')
FOREACH (_ IN CASE row.tier WHEN 'expired' THEN [] ELSE [1] END | SET m:LiveMemory)
FOREACH (_ IN CASE row.tier WHEN 'expired' THEN [1] ELSE [] END | SET m:ExpiredMemory)
CREATE (:EnergyEvent {id: row.event, brain: $brain, isTest: $isTest, kind: 'born', at: at,
                      after: row.energy, tier: row.tier})-[:OF]->(m)
RETURN count(*) AS created
