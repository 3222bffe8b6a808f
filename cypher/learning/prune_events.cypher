// learning/prune_events: delete one page of the events of a kind that are older than the time they are kept.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only of test memories, false: only of real ones
//          $kind       string      opened, boosted …
//          $before     datetime    events before this instant go, UTC
//          $batch      integer     size of the page
// Returns  pruned      integer     call again until it is 0
// Runs     write; a second run finds none. Memories stay as they are: inspect/ledger begins with the oldest event that is left
//
// Their memories are locked first, in the order of the passes: see learning/record_page.
CALL () {
  MATCH (found:EnergyEvent)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.kind = $kind AND found.at < $before
  RETURN found
  LIMIT $batch
}
OPTIONAL MATCH (found)-[:OF]->(m)
WITH found, m
ORDER BY m.lastDecay, size(elementId(m)), elementId(m)
FOREACH (memory IN CASE WHEN m IS NULL THEN [] ELSE [m] END | SET memory:Memory)
WITH collect(found) AS events
FOREACH (event IN events | DETACH DELETE event)
RETURN size(events) AS pruned
