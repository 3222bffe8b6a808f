// schema/live_decay: a tier of a brain by the instant its energy was last settled. The one index every pass starts from.
//
// Runs     write; again changes nothing
CREATE INDEX live_decay IF NOT EXISTS FOR (m:LiveMemory) ON (m.brain, m.isTest, m.tier, m.lastDecay)
