// schema/write_version: record that the store is at $version. Never lowers it.
//
// Params   $version    integer     the schema this program prepares
//          $now        datetime    instant of the change, UTC
// Returns  version     integer     what stands afterwards
// Runs     write; again changes nothing
// Browser  :param {version: 2}
//          :param now => datetime()
MERGE (v:SchemaVersion {name: 'brainbridge'})
  ON CREATE SET v.version = 0
FOREACH (_ IN CASE WHEN v.version < $version THEN [1] ELSE [] END |
  SET v.version = $version, v.migratedAt = $now)
RETURN v.version AS version
