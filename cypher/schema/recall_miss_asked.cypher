// schema/recall_miss_asked: the misses of a brain and scope by when they were last asked.
//
// Runs     write; again changes nothing
CREATE INDEX recall_miss_asked IF NOT EXISTS FOR (k:RecallMiss) ON (k.brain, k.isTest, k.lastAsked)
