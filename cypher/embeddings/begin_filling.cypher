// embeddings/begin_filling: note that a brain's memories are being given the vectors of a model.
//
// Params   $brain      string      which brain
//          $model      string      key of the model; null: it is given none any more
// Returns  model       string
// Runs     write; again changes nothing
MATCH (b:Brain {name: $brain})
SET b.embeddingNext = $model
RETURN b.embeddingNext AS model
