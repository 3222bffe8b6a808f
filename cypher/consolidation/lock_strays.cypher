// consolidation/lock_strays: one page of the memories that were written by hand or by an older program, locked.
//
// Params   $brain      string      which brain
//          $isTest     boolean     which scope; a memory without isTest counts as real
//          $unowned    boolean     also those that name no brain
//          $skip       integer     how many at the front were looked at and refused before
//          $batch      integer     size of the page
// Returns  node        string      for consolidation/adopt in the same transaction, meaningless after it
//          properties  map         as they stand
// Runs     write: it takes the locks, and changes nothing
// Browser  :param {brain: 'milo', isTest: false, unowned: true, skip: 0, batch: 100}
//
// Runs only when consolidation/count_strays finds some: this one does scan the label.
MATCH (found:Memory)
WHERE NOT found:LiveMemory AND NOT found:ExpiredMemory AND NOT found:ArchivedMemory
  AND coalesce(found.isTest, false) = $isTest
  AND (found.brain = $brain OR ($unowned AND found.brain IS NULL))
WITH elementId(found) AS node
SKIP $skip
LIMIT $batch
MATCH (m) WHERE elementId(m) = node
SET m:Memory
WITH m, node
WHERE NOT m:LiveMemory AND NOT m:ExpiredMemory AND NOT m:ArchivedMemory
RETURN node, properties(m) AS properties
