// embeddings/claim_space: say which model's vectors stand in one of the two places, if nobody's do.
//
// Params   $slot       string      A or B: the vectors are in embeddingA or embeddingB
//          $model      string      the key of the model, package and text template included
//          $dimensions integer     length of its vectors
// Returns  model       string      whose vectors stand there now
// Runs     write; again changes nothing
MERGE (s:EmbeddingSpace {slot: $slot})
  ON CREATE SET s.model = $model, s.dimensions = $dimensions
RETURN s.model AS model
