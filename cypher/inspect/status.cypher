// inspect/status: how many memories stand in each tier and state, and what a run at $now would do to them.
//
// Law      as in consolidation/decay, for reading                                 docs/explanation/energy.md
// Params   $brain       string     which brain
//          $isTest      boolean    true: only test memories, false: only real ones
//          $now         datetime   instant the energies are for, UTC
// Returns  tier         string     working, shortTerm, longTerm, expired or archived
//          memories     integer
//          meanEnergy   float      of the effective energies at $now; null for none
//          maxEnergy    float
//          undecayed    integer    last settled before $now
//          expirable    integer    effective energy below the expiry threshold
//          promotable   integer    effective energy above the threshold of the tier
//          nextExpiryMs float      milliseconds since 1970 at which the next one falls below the threshold, untouched
// Runs     read
// Browser  :param {brain: 'milo', isTest: false}
//          :param now => datetime()
//
// A memory whose lastDecay, energy or core a hand edit spoiled is left out; inspect/list_misfits names it.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
CALL (c) {
  UNWIND [{tier: 'working', lambda: c.lambdaWorking, floor: 0.0, threshold: c.thresholdWorking, expiry: c.expiryThreshold},
          {tier: 'shortTerm', lambda: c.lambdaShortTerm, floor: 0.0, threshold: c.thresholdShortTerm, expiry: c.expiryThreshold},
          {tier: 'longTerm', lambda: c.lambdaLongTerm, floor: c.longTermFloor, threshold: null, expiry: null}] AS law
  CALL (law) {
    MATCH (m:LiveMemory)
    WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = law.tier AND m.lastDecay IS NOT NULL
      AND m.lastDecay IS :: ZONED DATETIME
      AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND 0 <= m.energy AND m.energy < 1.0e308
    WITH coalesce(m.core = true, false) AS core, toFloat(m.energy) AS energy, m.lastDecay.epochMillis AS settled
    WITH core, energy, settled, CASE WHEN core OR settled >= $now.epochMillis THEN energy
           ELSE energy * exp(-law.lambda * ($now.epochMillis - settled) / 3600000.0) END AS decayed
    WITH core, energy, settled, CASE WHEN energy <= law.floor THEN energy WHEN decayed < law.floor THEN law.floor ELSE decayed END AS x
    RETURN count(*) AS memories, avg(x) AS meanEnergy, max(x) AS maxEnergy,
           count(CASE WHEN settled < $now.epochMillis THEN 1 END) AS undecayed,
           count(CASE WHEN x < law.expiry AND NOT core THEN 1 END) AS expirable,
           count(CASE WHEN x > law.threshold AND NOT core THEN 1 END) AS promotable,
           min(CASE WHEN NOT core AND energy > 0 THEN settled + log(energy / law.expiry) / law.lambda * 3600000.0 END) AS nextExpiryMs
  }
  RETURN law.tier AS tier, memories, meanEnergy, maxEnergy, undecayed, expirable, promotable, nextExpiryMs
  UNION ALL
  MATCH (m:ExpiredMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = 'expired'
  WITH count(*) AS memories, avg(m.energy) AS meanEnergy, max(m.energy) AS maxEnergy
  RETURN 'expired' AS tier, memories, meanEnergy, maxEnergy,
         0 AS undecayed, 0 AS expirable, 0 AS promotable, null AS nextExpiryMs
  UNION ALL
  MATCH (m:ArchivedMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest
  WITH count(*) AS memories
  RETURN 'archived' AS tier, memories, null AS meanEnergy, null AS maxEnergy,
         0 AS undecayed, 0 AS expirable, 0 AS promotable, null AS nextExpiryMs
}
RETURN tier, memories, meanEnergy, maxEnergy, undecayed, expirable, promotable, nextExpiryMs
