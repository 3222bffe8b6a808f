// embeddings/drop_index: drop the index of vectors that no brain uses any more.
//
// Params   $name       string      live_embedding_a or live_embedding_b
// Runs     write; again changes nothing
DROP INDEX $name IF EXISTS
