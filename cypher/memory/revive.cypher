// memory/revive: a restatement brings an expired memory back to the working tier.
//
// Law      min(cap, birth · exp(reinforceGain · k)), k restatements with this one, birth by core, type or producer
//                                                                                  docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      which memory
//          $now        datetime    instant of the restatement, UTC
//          $event      string      id of the ledger event
// Returns  before      float       energy it had expired with
//          after       float       energy it has now
//          tier        string      working
//          at          datetime    the instant both are for
//          No row if it is not expired, or reviveExpired is off.
// Runs     write; a second run finds it live and changes nothing
//
// An instant before the one it expired at (a clock that stepped back) counts as that one.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL AND c.reviveExpired > 0
MATCH (m:Memory {id: $id})
WHERE m.brain = $brain AND m.isTest = $isTest
SET m:Memory
WITH m, c
WHERE m:ExpiredMemory AND m.tier = 'expired'
WITH m, m.energy AS before, coalesce(m.reinforceCount, 0) + 1 AS k,
     CASE WHEN m.lastDecay > $now THEN m.lastDecay ELSE $now END AS at,
     c.thresholdWorking * exp(c.lambdaWorking * c.reinforceCapHours) AS cap, c.reinforceGain AS gain,
     CASE WHEN m.memoryType = 'crystallization' THEN c.birthCrystallization
          WHEN m.memoryType = 'reminder' THEN c.birthReminder
          WHEN m.memoryType = 'learning' THEN c.birthLearning
          WHEN m.producer = 'user' THEN c.birthUser
          WHEN m.producer = 'system' THEN c.birthSystem
          ELSE c.birthInference END AS birth
WITH m, before, k, at, cap, birth * exp(gain * k) AS raised
WITH m, before, k, at, CASE WHEN raised > cap THEN cap ELSE raised END AS after
SET m:LiveMemory, m.tier = 'working', m.energy = after, m.lastDecay = at, m.updatedAt = at, m.reinforceCount = k
REMOVE m:ExpiredMemory, m.expiredAt, m.expiredFrom
CREATE (:EnergyEvent {id: $event, brain: $brain, isTest: $isTest, kind: 'revived', at: at,
                      before: before, after: after, tier: 'working'})-[:OF]->(m)
RETURN before, after, 'working' AS tier, at
