// schema/schema_version_name: one version per store, also when two programs start at once.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT schema_version_name IF NOT EXISTS FOR (v:SchemaVersion) REQUIRE v.name IS UNIQUE
