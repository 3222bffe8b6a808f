// consolidation/expire: mark one page of a tier's memories whose energy has fallen below the expiry threshold.
//
// Law      energy < expiryThreshold, strictly; core memories never                docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $now        datetime    instant of the run, UTC
//          $tier       string      working or shortTerm; longTerm has a floor and never expires
//          $batch      integer     size of the page
//          $ids        list        only these memories, at an event (promotionBasis event); null: a page of the tier
// Returns  expired     integer     call again until it is 0
// Runs     write, after consolidation/decay at the same $now; a second run changes nothing. Nothing is deleted.
// Browser  :param {brain: 'milo', isTest: true, tier: 'working', batch: 1000, ids: null}
//          :param now => datetime()
//
// Find, lock, look again (see consolidation/decay): a boost in between wins. validTo stays null: expired is not archived.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
WITH c.expiryThreshold AS threshold
CALL (threshold) {
  WITH threshold WHERE $ids IS NULL
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.tier = $tier AND found.lastDecay IS NOT NULL
    AND found.energy < threshold AND NOT coalesce(found.core = true, false)
  RETURN DISTINCT elementId(found) AS node
  LIMIT $batch
  UNION
  UNWIND $ids AS id
  MATCH (found:LiveMemory {brain: $brain, isTest: $isTest, id: id})
  RETURN elementId(found) AS node
}
MATCH (m) WHERE elementId(m) = node
SET m:Memory
WITH m, threshold
WHERE m:LiveMemory AND m.tier = $tier AND m.energy < threshold AND NOT coalesce(m.core = true, false)
WITH m, m.energy AS energy, m.lastDecay AS at
SET m:ExpiredMemory, m.expiredFrom = $tier, m.tier = 'expired', m.expiredAt = $now
REMOVE m:LiveMemory
CREATE (:EnergyEvent {id: randomUUID(), brain: $brain, isTest: $isTest, kind: 'expired', at: at,
                      before: energy, after: energy, tier: 'expired'})-[:OF]->(m)
RETURN count(*) AS expired
