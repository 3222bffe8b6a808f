// transfer/write_configs: put the versions of a brain's constants from a file in the place of its first one.
//
// Params   $brain      string      the brain that is imported into
//          $rows       list        maps {version, properties, instants}; version 1 is among them, one has no validTo
// Returns  written     integer     0: the constants have been changed here, and stay as they are
// Runs     write, when the only version here is 1 and holds the defaults
//
// The brain's node is the lock, as in config/ensure_config.
MATCH (b:Brain {name: $brain})
SET b:Brain
WITH b
CALL (b) {
  MATCH (c:ConsolidationConfig {brain: b.name})
  RETURN count(c) AS versions, max(c.version) AS newest
}
WITH b, versions, newest
WHERE versions = 1 AND newest = 1
UNWIND $rows AS row
MERGE (c:ConsolidationConfig {brain: $brain, version: row.version})
SET c = row.properties, c.brain = $brain, c.version = row.version
FOREACH (name IN keys(row.instants) | SET c[name] = datetime(row.instants[name]))
RETURN count(c) AS written
