// schema/embedding_slot: in one place stand the vectors of one model, also when two programs claim it at once.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT embedding_slot IF NOT EXISTS FOR (s:EmbeddingSpace) REQUIRE s.slot IS UNIQUE
