// embeddings/switch_space: let a brain recall with the model that its memories have been given the vectors of.
//
// Params   $brain      string      which brain
//          $model      string      key of the model
// Returns  before      string      the model it recalled with until now, or null
// Runs     write; no row if something else is being filled, and then nothing is done
MATCH (b:Brain {name: $brain})
WHERE b.embeddingNext = $model
WITH b, b.embeddingModel AS before
SET b.embeddingModel = $model, b.embeddingNext = null
RETURN before
