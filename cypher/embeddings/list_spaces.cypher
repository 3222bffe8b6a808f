// embeddings/list_spaces: the models whose vectors stand in this database, and the brains that use or make them.
//
// Returns  slot        string      A or B
//          model       string      key of the model
//          dimensions  integer
//          used        list        brains that recall with it
//          filled      list        brains whose memories are being given its vectors
// Runs     read
MATCH (s:EmbeddingSpace)
RETURN s.slot AS slot, s.model AS model, s.dimensions AS dimensions,
       COLLECT { MATCH (b:Brain {embeddingModel: s.model}) RETURN b.name } AS used,
       COLLECT { MATCH (b:Brain {embeddingNext: s.model}) RETURN b.name } AS filled
ORDER BY slot
