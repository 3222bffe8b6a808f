// inspect/list_next_promotions: the memories that stand nearest to their tier's threshold, or above it.
//
// Law      energy × exp(−λ[tier] × hours since lastDecay), against the tier's threshold     docs/explanation/energy.md
// Params   $brain       string     which brain
//          $isTest      boolean    true: only test memories, false: only real ones
//          $now         datetime   the instant to look at, UTC
//          $limit       integer    how many
//          $width       integer    characters of the content, counted from its beginning
// Returns  memory       map        whole but for its vectors and the rest of a long content
//          energy       float      at $now
//          threshold    float      above which a run promotes it
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, limit: 10, width: 200}
//          :param now => datetime()
//
// Looks at all memories that can promote, as inspect/list_next_expiries does.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
CALL (c) {
  UNWIND [{tier: 'working', lambda: c.lambdaWorking, threshold: c.thresholdWorking},
          {tier: 'shortTerm', lambda: c.lambdaShortTerm, threshold: c.thresholdShortTerm}] AS law
  MATCH (m:LiveMemory)
  WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = law.tier AND m.lastDecay IS NOT NULL
    AND m.lastDecay IS :: ZONED DATETIME AND NOT coalesce(m.core = true, false)
    AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND 0 < m.energy AND m.energy < 1.0e308
  WITH m, law.threshold AS threshold, CASE WHEN m.lastDecay.epochMillis >= $now.epochMillis THEN toFloat(m.energy)
         ELSE m.energy * exp(-law.lambda * ($now.epochMillis - m.lastDecay.epochMillis) / 3600000.0) END AS energy
  ORDER BY energy / threshold DESC, m.id
  LIMIT $limit
  RETURN m, energy, threshold
}
RETURN m {.*, content: left(toStringOrNull(m.content), $width), embeddingA: null, embeddingB: null, bands: null} AS memory,
       energy, threshold
