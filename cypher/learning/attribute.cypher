// learning/attribute: an opening is a verdict on the page that showed the memory last, and on that page only.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      the memory that is being opened
//          $event      string      the ledger event of the opening
//          $since      datetime    pages before this instant are no longer meant, UTC
//          $at         datetime    instant of the opening, UTC
// Returns  page        string      id of the page; no row if none showed it since
// Runs     write, after memory/open_memory in the same transaction
//
// Through a promotion the memory keeps its edges, so a page that showed it under an earlier id is found too. The pages of
// a few minutes are few; the pages that ever showed a memory may be thousands.
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
CALL (m) {
  MATCH (p:RecallPage)
  USING INDEX p:RecallPage(brain, isTest, at)
  WHERE p.brain = $brain AND p.isTest = $isTest AND p.at >= $since AND p.at <= $at AND EXISTS { (p)-[:SHOWED]->(m) }
  RETURN p
  ORDER BY p.brain DESC, p.isTest DESC, p.at DESC
  LIMIT 1
}
MATCH (e:EnergyEvent {id: $event})
WHERE e.brain = $brain AND e.isTest = $isTest
CREATE (e)-[:FROM_PAGE]->(p)
RETURN p.id AS page
