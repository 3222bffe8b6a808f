// schema/config_version: two changes of a brain's constants at once cannot both become the next version.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT config_version IF NOT EXISTS FOR (c:ConsolidationConfig) REQUIRE (c.brain, c.version) IS UNIQUE
