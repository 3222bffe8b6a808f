// recall/read_cosines: how near the vectors of some memories lie to that of a query.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $ids        list        ids of live memories
//          $property   string      where the vectors are: embeddingA or embeddingB
//          $vector     list        the query's vector, of the same model
// Returns  id          string
//          score       float       (1 + cosine) / 2; no row for a memory without a vector
// Runs     read
UNWIND $ids AS id
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: id})
WHERE m[$property] IS NOT NULL
RETURN m.id AS id, vector.similarity.cosine(m[$property], $vector) AS score
