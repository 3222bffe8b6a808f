// transfer/create_memories: write memories as they stood elsewhere, each with its ledger.
//
// Params   $brain      string      the brain that is imported into
//          $isTest     boolean     true: into its test memories, false: into its real ones
//          $scope      string      one token of brain and isTest, for the full-text index
//          $rows       list        maps {properties, instants, labels, events: [{properties, instants}]}; instants as
//                                  ISO 8601 text by name
// Returns  created     integer
// Runs     write, after transfer/find_memories and transfer/find_rivals in the same transaction; an id that is taken fails
//
// An instant as text costs the driver nothing, as a datetime 40 µs; its name is data, because people add properties.
UNWIND $rows AS row
CREATE (m:Memory:$(row.labels))
SET m = row.properties, m.brain = $brain, m.isTest = $isTest, m.scope = $scope
FOREACH (name IN keys(row.instants) | SET m[name] = datetime(row.instants[name]))
WITH m, row
CALL (m, row) {
  UNWIND row.events AS event
  CREATE (e:EnergyEvent)-[:OF]->(m)
  SET e = event.properties, e.brain = $brain, e.isTest = $isTest
  FOREACH (name IN keys(event.instants) | SET e[name] = datetime(event.instants[name]))
}
RETURN count(*) AS created
