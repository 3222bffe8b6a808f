// edges/link: declare a relation between two memories. One per pair, direction and kind, however often it is declared.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $from       string      the memory that says something about the other
//          $relation   string      EXTENDS, UPDATES, DERIVES or CONTRADICTS
//          $to         string      the other; not the same one
//          $declaredBy string      who says so
//          $now        datetime    instant of the declaration, UTC
// Returns  created     boolean     false: it was declared before, and stays as it was
//          inert       boolean     an end has expired: no effect until it is restored
//          No row if an end is missing, archived, or in another brain or scope.
// Runs     write; a second run changes nothing
// Browser  :param {brain: 'milo', isTest: true, from: '…', relation: 'EXTENDS', to: '…', declaredBy: 'me'}
//          :param now => datetime()
//
// Both ends are locked, the lower id first, and read again: two declarations at once make one relationship, and one made
// during a promotion does not end at the archive. brain, isTest and checkedDay are the keys of the indexes by which
// consolidation/find_due_relations finds it; '' comes before every day.
WITH CASE WHEN $from < $to THEN [$from, $to] ELSE [$to, $from] END AS ids
UNWIND ids AS id
MATCH (end:Memory {id: id}) WHERE end.brain = $brain AND end.isTest = $isTest
SET end:Memory
WITH count(end) AS locked
MATCH (from:Memory {id: $from}) WHERE from.brain = $brain AND from.isTest = $isTest AND from.validTo IS NULL
MATCH (to:Memory {id: $to}) WHERE to.brain = $brain AND to.isTest = $isTest AND to.validTo IS NULL AND to <> from
WITH from, to, NOT EXISTS { (from)-[edge]->(to) WHERE type(edge) = $relation } AS created,
     {brain: $brain, isTest: $isTest, created: $now, declaredBy: $declaredBy, checkedDay: ''} AS declared
FOREACH (_ IN CASE $relation WHEN 'EXTENDS' THEN [1] ELSE [] END |
  MERGE (from)-[edge:EXTENDS]->(to) ON CREATE SET edge = declared)
FOREACH (_ IN CASE $relation WHEN 'UPDATES' THEN [1] ELSE [] END |
  MERGE (from)-[edge:UPDATES]->(to) ON CREATE SET edge = declared)
FOREACH (_ IN CASE $relation WHEN 'DERIVES' THEN [1] ELSE [] END |
  MERGE (from)-[edge:DERIVES]->(to) ON CREATE SET edge = declared)
FOREACH (_ IN CASE $relation WHEN 'CONTRADICTS' THEN [1] ELSE [] END |
  MERGE (from)-[edge:CONTRADICTS]->(to) ON CREATE SET edge = declared)
RETURN created, NOT (from:LiveMemory AND to:LiveMemory) AS inert
