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
//          sound       boolean     false: a hand edit gave it a value outside the model, and nothing was done
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
WITH m, c, m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND coalesce(0 <= m.energy AND m.energy < 1.0e308, false)
     AND m.lastDecay IS :: ZONED DATETIME NOT NULL AND m.core IS :: BOOLEAN
     AND m.tier IN ['working', 'shortTerm', 'longTerm'] AS sound
WITH m, c, sound, m.tier AS tier, CASE WHEN sound THEN m.energy ELSE 0.0 END AS energy,
     CASE WHEN sound THEN m.lastDecay ELSE $now END AS lastDecay, CASE WHEN sound THEN coalesce(m.core, false) END AS core
WITH m, c, sound, tier, energy, lastDecay, core,
     CASE m.tier WHEN 'longTerm' THEN c.longTermFloor ELSE 0.0 END AS floor,
     CASE WHEN core THEN 0.0
          WHEN m.tier = 'working' THEN c.lambdaWorking
          WHEN m.tier = 'shortTerm' THEN c.lambdaShortTerm
          ELSE c.lambdaLongTerm END AS lambda,
     CASE WHEN lastDecay < $now THEN $now ELSE lastDecay END AS at
WITH m, c, sound, tier, core, energy, floor, at,
     energy * exp(-lambda * (at.epochMillis - lastDecay.epochMillis) / 3600000.0) AS decayed
WITH m, c, sound, tier, core, at, CASE WHEN energy <= floor THEN energy WHEN decayed < floor THEN floor ELSE decayed END AS settled
FOREACH (_ IN CASE WHEN sound THEN [1] ELSE [] END | SET m.energy = settled, m.lastDecay = at)
RETURN settled AS energy, tier, at, coalesce(sound, false) AS sound,
       CASE WHEN c.promotionBasis = 'event' THEN {working: c.thresholdWorking, shortTerm: c.thresholdShortTerm}[tier] END
         AS promotesAbove,
       coalesce(c.promotionBasis = 'event' AND settled < c.expiryThreshold AND tier <> 'longTerm'
                AND NOT core, false) AS faded
