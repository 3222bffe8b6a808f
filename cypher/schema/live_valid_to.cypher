// schema/live_valid_to: live memories that a hand edit archived. Empty but for those, so consolidation/relabel finds them at once.
//
// Runs     write; again changes nothing
CREATE INDEX live_valid_to IF NOT EXISTS FOR (m:LiveMemory) ON (m.brain, m.isTest, m.validTo)
