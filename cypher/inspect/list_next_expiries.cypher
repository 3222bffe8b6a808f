// inspect/list_next_expiries: the memories that fall below the expiry threshold first if nothing happens, and when.
//
// Law      lastDecay + ln(energy / expiryThreshold) / λ[tier] hours     docs/explanation/energy.md
// Params   $brain       string     which brain
//          $isTest      boolean    true: only test memories, false: only real ones
//          $limit       integer    how many
//          $width       integer    characters of the content, counted from its beginning
// Returns  memory       map        whole but for its vectors and the rest of a long content
//          expiresMs    float      milliseconds since 1970; in the past if a run is due
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, limit: 10, width: 200}
//
// Looks at all memories that can expire: there is no index on what follows from energy, tier and time.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
CALL (c) {
  UNWIND [{tier: 'working', lambda: c.lambdaWorking}, {tier: 'shortTerm', lambda: c.lambdaShortTerm}] AS law
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = law.tier AND m.lastDecay IS NOT NULL
    AND m.lastDecay IS :: ZONED DATETIME AND NOT coalesce(m.core = true, false)
    AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND 0 < m.energy AND m.energy < 1.0e308
  WITH m, m.lastDecay.epochMillis + log(m.energy / c.expiryThreshold) / law.lambda * 3600000.0 AS expiresMs
  ORDER BY expiresMs, m.id
  LIMIT $limit
  RETURN m, expiresMs
}
RETURN m {.*, content: left(toStringOrNull(m.content), $width), embeddingA: null, embeddingB: null, bands: null} AS memory,
       expiresMs
