// embeddings/write_vectors: give live memories their vectors.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $property   string      where the vectors go: embeddingA or embeddingB
//          $rows       list        maps {id, vector}; vector a list of floats
// Returns  written     integer     one that has been promoted, archived or has expired since is left out
// Runs     write; again changes nothing
UNWIND $rows AS row
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: row.id})
SET m[$property] = row.vector
RETURN count(*) AS written
