// inspect/ledger: every event that changed one memory's energy other than by decay, by its instant.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      the live or expired memory; the ledger stays with it through promotions
// Returns  kind        string      born, adopted, edited, boosted, opened, reinforced, related, promoted, expired, revived,
//                                  pinned, unpinned, forgotten, restored, superseded
//          at          datetime    the instant before and after are for
//          before      float       null at birth
//          after       float
//          tier        string      the tier after the event
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, id: '…'}
//
// From the memory on, in a subquery and without a label on e: the planner would rather scan all events while there are few.
MATCH (m:Memory {id: $id})
WHERE m.brain = $brain AND m.isTest = $isTest
CALL (m) {
  MATCH (m)<-[:OF]-(e)
  WHERE e.brain = $brain AND e.isTest = $isTest
  RETURN e
}
RETURN e.kind AS kind, e.at AS at, e.before AS before, e.after AS after, e.tier AS tier
ORDER BY at
