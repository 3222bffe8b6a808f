// memory/reinforce: a restatement of a memory that memory/settle has just locked and settled in this transaction.
//
// Law      max(x, min(x · exp(reinforceGain), cap)), cap = threshold[tier] · exp(λ[tier] · reinforceCapHours), in longTerm
//          maxEnergy; it never lowers                                              docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      which memory
//          $event      string      id of the ledger event
// Returns  before      float       energy before the restatement
//          after       float       energy after it
//          tier        string
//          at          datetime    the instant both are for
// Runs     write; again with the same $event fails instead of reinforcing twice
//
// The wording stays the first one. All reads in the WITH, then a plain SET: see memory/boost.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
WITH m, m.energy AS before, m.lastDecay AS at, coalesce(m.reinforceCount, 0) + 1 AS reinforceCount,
     m.energy * exp(c.reinforceGain) AS raised,
     CASE m.tier WHEN 'working' THEN c.thresholdWorking * exp(c.lambdaWorking * c.reinforceCapHours)
                 WHEN 'shortTerm' THEN c.thresholdShortTerm * exp(c.lambdaShortTerm * c.reinforceCapHours)
                 ELSE c.maxEnergy END AS cap
WITH m, before, at, reinforceCount,
     CASE WHEN before >= cap THEN before WHEN raised > cap THEN cap ELSE raised END AS after
SET m.energy = after, m.reinforceCount = reinforceCount, m.updatedAt = at
CREATE (:EnergyEvent {id: $event, brain: $brain, isTest: $isTest, kind: 'reinforced', at: at,
                      before: before, after: after, tier: m.tier})-[:OF]->(m)
RETURN before, after, m.tier AS tier, at
