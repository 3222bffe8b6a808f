// schema/expired_tier: expired memories by tier, so that consolidation/relabel finds those a hand edit brought back.
//
// Runs     write; again changes nothing
CREATE INDEX expired_tier IF NOT EXISTS FOR (m:ExpiredMemory) ON (m.brain, m.isTest, m.tier)
