// edges/unlink: take back a declared relation. What it has done to energies stays, and stays in the ledger.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $from       string      the memory that says something about the other
//          $relation   string      EXTENDS, UPDATES, DERIVES or CONTRADICTS
//          $to         string      the other
// Returns  removed     integer     0: there was none
// Runs     write; a second run changes nothing
// Browser  :param {brain: 'milo', isTest: true, from: '…', relation: 'EXTENDS', to: '…'}
MATCH (from:Memory {id: $from}) WHERE from.brain = $brain AND from.isTest = $isTest
MATCH (from)-[edge:EXTENDS|UPDATES|DERIVES|CONTRADICTS]->(to)
WHERE type(edge) = $relation AND to.id = $to AND to.brain = $brain AND to.isTest = $isTest
DELETE edge
RETURN count(*) AS removed
