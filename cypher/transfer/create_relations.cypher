// transfer/create_relations: write the edges between memories that are missing here.
//
// Params   $brain      string      the brain that is imported into
//          $isTest     boolean     true: only its test memories, false: only its real ones
//          $rows       list        maps {type, from, to, declared, properties, instants}; from and to are ids of
//                                  memories, declared is true for the types that consolidation/relate treats
// Returns  found       integer     edges whose two ends are here
//          created     integer     those of them that were not there and may be
// Runs     write; again changes nothing
//
// PROMOTED_TO and SUPERSEDED_BY say where an archive lives on: never of a memory that is alive here, never twice.
UNWIND $rows AS row
MATCH (from:Memory {id: row.from})
WHERE from.brain = $brain AND from.isTest = $isTest
MATCH (to:Memory {id: row.to})
WHERE to.brain = $brain AND to.isTest = $isTest
CALL (row, from, to) {
  WITH row, from, to
  WHERE NOT EXISTS { MATCH (from)-[same]->(to) WHERE type(same) = row.type }
    AND (NOT row.type IN ['PROMOTED_TO', 'SUPERSEDED_BY']
         OR (from:ArchivedMemory AND NOT EXISTS { (from)-[:PROMOTED_TO|SUPERSEDED_BY]->() }))
  CREATE (from)-[r:$(row.type)]->(to)
  SET r = row.properties
  FOREACH (name IN keys(row.instants) | SET r[name] = datetime(row.instants[name]))
  FOREACH (_ IN CASE WHEN row.declared THEN [1] ELSE [] END | SET r.brain = $brain, r.isTest = $isTest)
  RETURN count(r) AS made
}
RETURN count(*) AS found, sum(made) AS created
