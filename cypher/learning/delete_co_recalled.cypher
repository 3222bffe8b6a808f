// learning/delete_co_recalled: take every co_recalled of a scope away, before learning/create_co_recalled makes them anew.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only between test memories, false: only between real ones
// Returns  deleted     integer
// Runs     write, in one transaction with its successor; a second run finds none
//
// The brain's node is locked first: no opening comes between. See learning/begin_opening.
MATCH (b:Brain {name: $brain})
SET b:Brain
WITH b
CALL () {
  MATCH ()-[r:co_recalled]->()
  WHERE r.brain = $brain AND r.isTest = $isTest
  DELETE r
  RETURN count(*) AS deleted
}
RETURN deleted
