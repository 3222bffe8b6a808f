// embeddings/make_index_a: an index of the vectors in embeddingA, with the filter of brain and scope inside.
//
// Params   $options    map         {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}}
// Runs     write; again changes nothing. Neo4j 2026.02 or newer
//
// Property and name of an index cannot be parameters, so there is one file for each of the two places.
CYPHER 25
CREATE VECTOR INDEX live_embedding_a IF NOT EXISTS FOR (m:LiveMemory) ON (m.embeddingA) WITH [m.brain, m.isTest]
OPTIONS $options
