// brains/list_brains: every registered brain of this database.
//
// Returns  name       string      the brain
//          created    datetime    when it was registered
// Runs     read
MATCH (b:Brain)
RETURN b.name AS name, b.created AS created
ORDER BY name
