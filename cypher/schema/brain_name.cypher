// schema/brain_name: one registered brain per name.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT brain_name IF NOT EXISTS FOR (b:Brain) REQUIRE b.name IS UNIQUE
