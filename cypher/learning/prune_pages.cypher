// learning/prune_pages: delete one page of the recalls that are older than the time they are kept, with their shadow orders.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: recalls of test memories, false: of real ones
//          $before     datetime    recalls before this instant go, UTC
//          $batch      integer     size of the page
// Returns  pruned      integer     recalls that went; call again until it is 0
// Runs     write; a second run finds none. Memories stay as they are
//
// The memories they showed are locked first, in the order of the passes: see learning/record_page.
CALL () {
  MATCH (found:RecallPage)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.at < $before
  RETURN found
  LIMIT $batch
}
WITH collect(found) AS pages
CALL (pages) {
  UNWIND pages AS page
  MATCH (page)-[:SHOWED]->(m)
  WITH DISTINCT m
  ORDER BY m.lastDecay, size(elementId(m)), elementId(m)
  SET m:Memory
  RETURN count(*) AS locked
}
CALL (pages) {
  UNWIND pages AS page
  OPTIONAL MATCH (s)-[:SHADOWS]->(page)
  WITH page, collect(s) AS shadows
  FOREACH (shadow IN shadows | DETACH DELETE shadow)
  DETACH DELETE page
}
RETURN size(pages) AS pruned
