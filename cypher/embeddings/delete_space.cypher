// embeddings/delete_space: forget which model's vectors stood in a place that no brain uses.
//
// Params   $model      string      key of the model
// Returns  deleted     integer     0 if a brain uses it or is being filled with it
// Runs     write; again changes nothing
MATCH (s:EmbeddingSpace {model: $model})
WHERE NOT EXISTS { MATCH (b:Brain) WHERE $model IN [b.embeddingModel, b.embeddingNext] }
DELETE s
RETURN count(*) AS deleted
