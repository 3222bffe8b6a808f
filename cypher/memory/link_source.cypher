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
//          real node, nor the reverse.
MATCH (m:Memory {id: $id})
WHERE m.brain = $brain AND m.isTest = $isTest
MERGE (s:$($label) {id: $source, brain: $brain, isTest: $isTest})
  ON CREATE SET s += $properties, s.created = $now
MERGE (s)-[has:HAS_MEMORY]->(m)
  ON CREATE SET has.created = $now
SET m.sourceNodeId = coalesce(m.sourceNodeId, $source)
RETURN s.id AS sourceId
