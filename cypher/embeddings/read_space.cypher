// embeddings/read_space: the model that a brain recalls with, and where its vectors are.
//
// Params   $brain      string      which brain
// Returns  slot        string      A or B; no row if the brain has no vectors yet
//          model       string
//          dimensions  integer
// Runs     read
// Browser  :param {brain: 'milo'}
MATCH (b:Brain {name: $brain})
MATCH (s:EmbeddingSpace {model: b.embeddingModel})
RETURN s.slot AS slot, s.model AS model, s.dimensions AS dimensions
