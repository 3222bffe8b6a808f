// schema/live_stored: the live memories of a brain by the instant they were written, for those the bands do not show yet.
//
// Runs     write; again changes nothing
CREATE INDEX live_stored IF NOT EXISTS FOR (m:LiveMemory) ON (m.brain, m.isTest, m.storedAt)
