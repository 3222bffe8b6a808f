// learning/prune_misses: delete one page of the misses that were last asked longer ago than they are kept.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: recalls of test memories, false: of real ones
//          $before     datetime    misses last asked before this instant go, UTC
//          $batch      integer     size of the page
// Returns  pruned      integer     call again until it is 0
// Runs     write; a second run finds none
MATCH (k:RecallMiss)
WHERE k.brain = $brain AND k.isTest = $isTest AND k.lastAsked < $before
WITH k
LIMIT $batch
DELETE k
RETURN count(*) AS pruned
