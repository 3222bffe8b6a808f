// memory/find_successor: the memory that an archived one lives on in: promoted into it, or superseded by it.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      the archive
// Returns  memory      map         the one at the end of the way, live or expired; no row if there is none
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, id: '…'}
//
// From the archive on: see inspect/lineage.
MATCH (old:Memory {id: $id})
WHERE old.brain = $brain AND old.isTest = $isTest
CALL (old) {
  MATCH (old)-[:PROMOTED_TO|SUPERSEDED_BY*1..]->(head)
  WHERE head.brain = $brain AND head.isTest = $isTest AND head.validTo IS NULL
  RETURN head
}
RETURN properties(head) AS memory
LIMIT 1
