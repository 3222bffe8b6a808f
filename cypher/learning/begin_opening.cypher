// learning/begin_opening: take turns, and lock the memory that is to be opened with all that were opened just before it.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $id         string      the memory that is to be opened
//          $since      datetime    from when on others count as opened just before, UTC
//          $until      datetime    until when, UTC; after now, for the opening before this one may have a later instant
// Returns  id          string      the memory itself, and every other live one that was opened in that time
//          root        string      the first id of its lineage
//          opened      datetime    when it was last opened in that time; null if it was not
//          bonds       integer     how many co_recalled it has
// Runs     write; changes nothing, holds locks to the end of the transaction
//
// The brain's node is the turnstile. Of two openings at the same instant the second sees what the first has written, so
// their pair fires, and once; and no two of them wait for each other. Memories are locked in the order of the passes: see
// learning/record_page.
MATCH (b:Brain {name: $brain})
SET b:Brain
WITH b
CALL () {
  MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
  RETURN m, null AS opened
  UNION ALL
  MATCH (e:EnergyEvent)
  USING INDEX e:EnergyEvent(brain, isTest, kind, at)
  WHERE e.brain = $brain AND e.isTest = $isTest AND e.kind = 'opened' AND e.at >= $since AND e.at <= $until
  MATCH (e)-[:OF]->(m)
  WHERE m:LiveMemory AND m.brain = $brain AND m.isTest = $isTest
  RETURN m, e.at AS opened
}
WITH m, max(opened) AS opened
ORDER BY m.lastDecay, size(elementId(m)), elementId(m)
SET m:Memory
WITH m, opened
WHERE m:LiveMemory AND m.root IS NOT NULL
RETURN m.id AS id, m.root AS root, opened, COUNT { (m)-[:co_recalled]-() } AS bonds
