// schema/memory_content: the same text is remembered once per brain and scope, also by writers at the same instant.
//
// Runs     write; again changes nothing
//
// Only memories born by remember carry a contentKey; one without it is not constrained.
CREATE CONSTRAINT memory_content IF NOT EXISTS FOR (m:Memory) REQUIRE (m.brain, m.isTest, m.contentKey) IS UNIQUE
