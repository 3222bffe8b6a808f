// schema/run_started: the last runs of a brain and scope without reading the older ones.
//
// Runs     write; again changes nothing
CREATE INDEX run_started IF NOT EXISTS FOR (r:ConsolidationRun) ON (r.brain, r.isTest, r.startedAt)
