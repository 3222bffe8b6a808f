// consolidation/set_aside: take live memories that a hand edit gave a value outside the model out of play.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $batch      integer     at most so many
// Returns  setAside    integer     call again until it is 0
// Runs     write; a second run changes nothing. Nothing but the label goes.
// Browser  :param {brain: 'milo', isTest: true, batch: 100}
//
// Without its state label a memory is a stray: consolidation/adopt, which comes next, repairs what can be read, such as a
// number or an instant written as text; health names the others. Looks at every live memory, so only runs that a person
// or a program calls do it.
// The conditions are those of inspect/list_misfits.
CALL () {
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.id IS NOT NULL
    AND NOT (coalesce(found.tier IN ['working', 'shortTerm', 'longTerm'], false)
      AND found.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND coalesce(0 <= found.energy AND found.energy < 1.0e308, false)
      AND found.lastDecay IS :: ZONED DATETIME NOT NULL AND found.created IS :: ZONED DATETIME NOT NULL
      AND found.lastAccessed IS :: ZONED DATETIME AND found.lastOpened IS :: ZONED DATETIME
      AND found.accessCount IS :: INTEGER | FLOAT AND found.root IS :: STRING NOT NULL AND found.core IS :: BOOLEAN
      AND found.content IS :: STRING NOT NULL AND found.subject IS :: STRING)
  RETURN elementId(found) AS node
  UNION
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.tier IS NOT NULL AND found.lastDecay IS NOT NULL
    AND found.id IS NULL
  RETURN elementId(found) AS node
}
WITH node
LIMIT $batch
MATCH (m) WHERE elementId(m) = node
SET m:Memory
REMOVE m:LiveMemory
RETURN count(*) AS setAside
