// memory/settle: lock one live memory and bring its energy to $now. Every event begins with it, in the same transaction.
//
// Law      as in consolidation/decay                                              docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $now        datetime    instant to settle at, UTC
//          $id         string      which memory
// Returns  energy      float       the effective energy
//          tier        string
//          at          datetime    what the energy is for: $now, or later if someone settled it meanwhile
//          promotesAbove float     promotionBasis event: the energy above which an event promotes it; null where none does
//          faded       boolean     promotionBasis event: it counts as expired; consolidation/expire marks it
//          No row if the memory is not live.
// Runs     write; a second run at the same $now changes nothing
// Browser  :param {brain: 'milo', isTest: true, id: '…'}
//          :param now => datetime()
//
// Find, lock, read again, write: see consolidation/decay.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
CALL () {
  MATCH (found:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
  RETURN elementId(found) AS node
}
MATCH (m) WHERE elementId(m) = node
SET m:Memory
WITH m, c
WHERE m:LiveMemory AND m.id = $id AND m.brain = $brain AND m.isTest = $isTest
WITH m, c, m.energy AS energy, m.tier AS tier,
     CASE m.tier WHEN 'longTerm' THEN c.longTermFloor ELSE 0.0 END AS floor,
     CASE WHEN coalesce(m.core = true, false) THEN 0.0
          WHEN m.tier = 'working' THEN c.lambdaWorking
          WHEN m.tier = 'shortTerm' THEN c.lambdaShortTerm
          ELSE c.lambdaLongTerm END AS lambda,
     CASE WHEN m.lastDecay < $now THEN $now ELSE m.lastDecay END AS at
WITH m, c, tier, energy, floor, at,
     energy * exp(-lambda * (at.epochMillis - m.lastDecay.epochMillis) / 3600000.0) AS decayed
WITH m, c, tier, at, CASE WHEN energy <= floor THEN energy WHEN decayed < floor THEN floor ELSE decayed END AS settled
SET m.energy = settled, m.lastDecay = at
RETURN settled AS energy, tier, at,
       CASE WHEN c.promotionBasis = 'event' THEN {working: c.thresholdWorking, shortTerm: c.thresholdShortTerm}[tier] END
         AS promotesAbove,
       coalesce(c.promotionBasis = 'event' AND settled < c.expiryThreshold AND tier <> 'longTerm'
                AND NOT coalesce(m.core = true, false), false) AS faded
