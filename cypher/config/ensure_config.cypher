// config/ensure_config: give a brain its first constants, and a current version that lacks some the defaults for those.
//
// Params   $brain      string      which brain
//          $now        datetime    start of validity, UTC
//          $constants  map         the default value of every constant
// Returns  version     integer     the version in force
// Runs     write; again changes nothing: a constant that has a value keeps it
// Browser  :param {brain: 'milo', constants: {lambdaWorking: 0.5}}
//          :param now => datetime()
//
// The brain's node is the lock: two programs that start at once make one first version.
MATCH (b:Brain {name: $brain})
SET b:Brain
WITH b
CALL (b) {
  OPTIONAL MATCH (c:ConsolidationConfig {brain: b.name})
  WITH count(c) AS versions
  WHERE versions = 0
  CREATE (:ConsolidationConfig {brain: $brain, version: 1, validFrom: $now})
}
MATCH (c:ConsolidationConfig {brain: $brain})
WHERE c.validTo IS NULL
WITH c, properties(c) AS own
SET c += $constants
SET c += own
SET c.version = coalesce(own.version, 1), c.validFrom = coalesce(own.validFrom, $now)
RETURN c.version AS version
