// embeddings/count_bare: how many live memories of a scope have a vector, and how many lack one.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $property   string      where the vectors are: embeddingA or embeddingB
// Returns  filled      integer
//          bare        integer
// Runs     read; looks at every live memory of the scope
// Browser  :param {brain: 'milo', isTest: false, property: 'embeddingA'}
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
RETURN count(m[$property]) AS filled, count(*) - count(m[$property]) AS bare
