// inspect/record: one memory whole: all its properties, and what it replaced or was replaced by.
//
// Params   $brain       string     which brain
//          $isTest      boolean    true: only a test memory, false: only a real one
//          $id          string     which memory, in any state
// Returns  properties   map        the energy is the stored one, valid at lastDecay
//          supersedes   list       maps {id, at, reason}: memories that were archived in favour of this one
//          supersededBy list       the same of the memory that replaced this one; at most one
//          promotedTo   string     id of the memory that this archive was promoted into, or null
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, id: '…'}
MATCH (m:Memory {id: $id})
WHERE m.brain = $brain AND m.isTest = $isTest
RETURN properties(m) AS properties,
       COLLECT { MATCH (m)<-[r:SUPERSEDED_BY]-(old) RETURN {id: old.id, at: r.at, reason: r.reason} } AS supersedes,
       COLLECT { MATCH (m)-[r:SUPERSEDED_BY]->(new) RETURN {id: new.id, at: r.at, reason: r.reason} } AS supersededBy,
       head(COLLECT { MATCH (m)-[:PROMOTED_TO]->(next) RETURN next.id }) AS promotedTo
