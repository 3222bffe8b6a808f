// memory/link_source: hang a memory on the node it came from; the node is made if it is not there.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: a test memory, false: a real one
//          $now        datetime    instant of the link, UTC
//          $id         string      the memory
//          $label      string      the source's label
//          $source     string      the source's own id
//          $properties map         properties for a source that has to be made; one that is there keeps its own
// Returns  sourceId    string
// Runs     write; again changes nothing. Brain and scope are part of what a source is: a test memory never hangs on a
//          real node, nor the reverse. A user's node may belong to no brain; then it is a real one, of any brain.
MATCH (m:Memory {id: $id})
WHERE m.brain = $brain AND m.isTest = $isTest
CALL () {
  OPTIONAL MATCH (there:$($label) {id: $source})
  WHERE coalesce(there.brain, $brain) = $brain AND coalesce(there.isTest, false) = $isTest
  RETURN there
  LIMIT 1
}
CALL (there) {
  WITH there
  WHERE there IS NOT NULL
  RETURN there AS s
  UNION
  WITH there
  WHERE there IS NULL
  MERGE (s:$($label) {id: $source, brain: $brain, isTest: $isTest})
    ON CREATE SET s += $properties, s.created = $now
  RETURN s
}
MERGE (s)-[has:HAS_MEMORY]->(m)
  ON CREATE SET has.created = $now
SET m.sourceNodeId = coalesce(m.sourceNodeId, $source)
RETURN s.id AS sourceId
