// inspect/count_by_energy: a histogram of the live memories of each tier by their energy at $now, on a logarithmic scale.
//
// Law      energy × exp(−λ[tier] × hours since lastDecay), as in inspect/status     docs/explanation/energy.md
// Params   $brain       string     which brain
//          $isTest      boolean    true: only test memories, false: only real ones
//          $now         datetime   the instant to look at, UTC
//          $lowest      float      energy at which the first bar begins; what lies below is counted in it
//          $ratio       float      between two edges
//          $bars        integer    how many; what lies above the last one is counted in it
// Returns  tier         string     working, shortTerm or longTerm
//          bar          integer    from 0
//          memories     integer    of that bar; no row for an empty one
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, lowest: 0.05, ratio: 1.25, bars: 24}
//          :param now => datetime()
//
// A memory that a hand edit spoiled is left out, as in inspect/status.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
CALL (c) {
  UNWIND [{tier: 'working', lambda: c.lambdaWorking, floor: 0.0},
          {tier: 'shortTerm', lambda: c.lambdaShortTerm, floor: 0.0},
          {tier: 'longTerm', lambda: c.lambdaLongTerm, floor: c.longTermFloor}] AS law
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = law.tier AND m.lastDecay IS NOT NULL
    AND m.lastDecay IS :: ZONED DATETIME
    AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND 0 <= m.energy AND m.energy < 1.0e308
  WITH law, coalesce(m.core = true, false) AS core, toFloat(m.energy) AS energy, m.lastDecay.epochMillis AS settled
  WITH law, energy, CASE WHEN core OR settled >= $now.epochMillis OR energy <= law.floor THEN energy
         ELSE energy * exp(-law.lambda * ($now.epochMillis - settled) / 3600000.0) END AS decayed
  WITH law, CASE WHEN energy > law.floor AND decayed < law.floor THEN law.floor ELSE decayed END AS x
  WITH law, CASE WHEN x <= $lowest THEN 0.0 ELSE floor(log(x / $lowest) / log($ratio)) END AS place
  RETURN law.tier AS tier, toInteger(CASE WHEN place >= $bars THEN $bars - 1 ELSE place END) AS bar, count(*) AS memories
}
RETURN tier, bar, memories
