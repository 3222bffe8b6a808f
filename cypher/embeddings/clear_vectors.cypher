// embeddings/clear_vectors: take the vectors of one page of a scope's memories away, in whatever state they are.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $property   string      where the vectors are: embeddingA or embeddingB
//          $after      string      the last id of the page before; '' for the first page
//          $batch      integer     size of the page
// Returns  last        string      the last id of the page; null if there is none left
// Runs     write; a second run changes nothing
MATCH (m:Memory)
WHERE m.id > $after AND m.brain = $brain AND m.isTest = $isTest AND m[$property] IS NOT NULL
WITH m
ORDER BY m.id
LIMIT $batch
SET m[$property] = null
RETURN max(m.id) AS last
