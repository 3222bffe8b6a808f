// schema/co_recalled_pair: one co_recalled per pair of lineages, whatever runs at the same time.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT co_recalled_pair IF NOT EXISTS FOR ()-[r:co_recalled]-() REQUIRE r.pair IS UNIQUE
