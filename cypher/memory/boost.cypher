// memory/boost: add one access to a memory that memory/settle has just locked and settled in this transaction.
//
// Law      max(x, min(x + boostAmount, maxEnergy)), both from the current ConsolidationConfig     docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      which memory
//          $event      string      id of the ledger event
// Returns  before      float       energy before the access
//          after       float       energy after it
//          at          datetime    the instant both are for
//          tier        string
//          accessCount integer
// Runs     write; again with the same $event fails instead of boosting twice
//
// All reads in the WITH, then a plain SET: a SET that reads what it sets takes a second lock and can deadlock (measured).
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
WITH m, m.energy AS before, m.lastDecay AS at, coalesce(m.accessCount, 0) + 1 AS accessCount,
     CASE WHEN m.energy >= c.maxEnergy THEN m.energy
          WHEN m.energy + c.boostAmount > c.maxEnergy THEN c.maxEnergy
          ELSE m.energy + c.boostAmount END AS after
SET m.energy = after, m.accessCount = accessCount, m.lastAccessed = at
CREATE (:EnergyEvent {id: $event, brain: $brain, isTest: $isTest, kind: 'boosted', at: at,
                      before: before, after: after, tier: m.tier})-[:OF]->(m)
RETURN before, after, at, m.tier AS tier, accessCount
