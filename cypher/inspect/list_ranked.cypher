// inspect/list_ranked: a brain's memories that are not archived, the most energetic first, or those that fade away soonest.
//
// Law      as in consolidation/decay, for reading                                 docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $tiers      list        only of these tiers: working, shortTerm, longTerm, expired
//          $now        datetime    instant the energies are for, UTC
//          $fading     boolean     true: by the instant at which it expires if nothing happens, the soonest first and
//                                  those that never do last; false: by the energy at $now, the highest first
//          $limit      integer     how many
// Returns  memory      map         whole but for its vectors; the energy is the stored one, valid at lastDecay
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, tiers: ['working', 'shortTerm', 'longTerm'], fading: false, limit: 100}
//          :param now => datetime()
//
// Looks at every memory of the tiers, by the index that each pass starts from, and keeps $limit of them: there is no index
// on energy, which every pass changes. What a hand edit spoiled is left out; inspect/list_misfits names it.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
CALL (c) {
  UNWIND [{tier: 'working', lambda: c.lambdaWorking, floor: 0.0},
          {tier: 'shortTerm', lambda: c.lambdaShortTerm, floor: 0.0},
          {tier: 'longTerm', lambda: c.lambdaLongTerm, floor: c.longTermFloor}] AS law
  WITH c, law WHERE law.tier IN $tiers
  CALL (c, law) {
    MATCH (m:LiveMemory)
    WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = law.tier AND m.lastDecay IS NOT NULL
      AND m.lastDecay IS :: ZONED DATETIME
      AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND 0 <= m.energy AND m.energy < 1.0e308
    WITH c, m, coalesce(m.core = true, false) AS core, toFloat(m.energy) AS energy, m.lastDecay.epochMillis AS settled
    WITH c, m, core, energy, settled, CASE WHEN core OR settled >= $now.epochMillis THEN energy
           ELSE energy * exp(-law.lambda * ($now.epochMillis - settled) / 3600000.0) END AS decayed
    RETURN m, CASE WHEN energy <= law.floor THEN energy WHEN decayed < law.floor THEN law.floor ELSE decayed END AS x,
           CASE WHEN core OR law.floor > 0 THEN null WHEN energy = 0 THEN settled * 1.0
                ELSE settled + log(energy / c.expiryThreshold) / law.lambda * 3600000.0 END AS fadesMs
  }
  RETURN m, x, fadesMs
  UNION ALL
  MATCH (m:ExpiredMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = 'expired' AND 'expired' IN $tiers
    AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL
  RETURN m, toFloat(m.energy) AS x, null AS fadesMs
}
WITH m, CASE WHEN $fading THEN fadesMs ELSE -x END AS place
ORDER BY place, m.id LIMIT $limit
RETURN m {.*, embeddingA: null, embeddingB: null, bands: null} AS memory
