// transfer/link_sources: hang memories that were just imported on the nodes they came from.
//
// Params   $brain      string      the brain that is imported into
//          $isTest     boolean     true: only its test memories, false: only its real ones
//          $rows       list        maps {node, id, properties, instants}; node from transfer/find_sources or create_sources
// Returns  linked      integer
// Runs     write, once for each memory that transfer/create_memories made
UNWIND $rows AS row
MATCH (m:Memory {id: row.id})
WHERE m.brain = $brain AND m.isTest = $isTest
MATCH (s) WHERE elementId(s) = row.node
CREATE (s)-[h:HAS_MEMORY]->(m)
SET h = row.properties
FOREACH (name IN keys(row.instants) | SET h[name] = datetime(row.instants[name]))
RETURN count(h) AS linked
