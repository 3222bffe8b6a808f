// schema/memory_id: one memory per id, and the index behind MATCH (:Memory {id: $id}).
//
// Runs     write; again changes nothing
CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (m:Memory) REQUIRE m.id IS UNIQUE
