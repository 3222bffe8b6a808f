// learning/count_misses: how many questions are open, without a strong answer so far.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: recalls of test memories, false: of real ones
// Returns  open        integer
// Runs     read
// Browser  :param {brain: 'milo', isTest: false}
MATCH (k:RecallMiss)
WHERE k.brain = $brain AND k.isTest = $isTest AND k.lastAsked IS NOT NULL AND k.resolvedAt IS NULL
RETURN count(*) AS open
