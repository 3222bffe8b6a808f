// schema/memory_promoted_once: a memory has at most one successor, whatever is retried or runs twice.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT memory_promoted_once IF NOT EXISTS FOR (m:Memory) REQUIRE m.promotedFrom IS UNIQUE
