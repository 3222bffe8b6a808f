// schema/read_version: which schema the store was last brought to.
//
// Returns  version    integer     null on a store that brainbridge has not prepared yet
// Runs     read
OPTIONAL MATCH (v:SchemaVersion {name: 'brainbridge'})
RETURN max(v.version) AS version
