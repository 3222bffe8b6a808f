// config/write_config: close the constants in force and open the next version with some of them changed.
//
// Params   $brain      string      which brain
//          $now        datetime    end of the old version and start of the new one, UTC
//          $version    integer     the version the change was made from; no row if it is no longer the current one
//          $changes    map         constants that change, by property name
// Returns  version     integer     the new version
// Runs     write; a second run with the same $version finds nothing to close
// Browser  :param {brain: 'milo', version: 1, changes: {lambdaWorking: 0.25}}
//          :param now => datetime()
MATCH (c:ConsolidationConfig {brain: $brain, version: $version})
SET c:ConsolidationConfig
WITH c
WHERE c.validTo IS NULL
WITH c, properties(c) AS was
CREATE (next:ConsolidationConfig)
SET next = was {.*, version: was.version + 1, validFrom: $now}
SET next += $changes
SET c.validTo = $now
RETURN next.version AS version
