// consolidation/set_aside: take memories that inspect/list_misfits has just found in this transaction out of play.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $nodes      list        handles of the memories
// Returns  setAside    integer     how many were live until now
// Runs     write; a second run changes nothing. Nothing but the label goes.
//
// Without its state label a memory is a stray: consolidation/adopt, which comes next, repairs what can be read, such as a
// number or an instant written as text; health names the others. One that is mended meanwhile is adopted as it is.
UNWIND $nodes AS node
MATCH (m) WHERE elementId(m) = node AND m.brain = $brain AND m.isTest = $isTest
SET m:Memory
WITH m
WHERE m:LiveMemory
REMOVE m:LiveMemory
RETURN count(*) AS setAside
