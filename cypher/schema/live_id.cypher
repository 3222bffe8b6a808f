// schema/live_id: one live memory, with the brain and scope filter inside the index.
//
// Runs     write; again changes nothing
CREATE INDEX live_id IF NOT EXISTS FOR (m:LiveMemory) ON (m.brain, m.isTest, m.id)
