// schema/embedding_model: the vectors of one model stand in one place.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT embedding_model IF NOT EXISTS FOR (s:EmbeddingSpace) REQUIRE s.model IS UNIQUE
