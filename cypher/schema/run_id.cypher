// schema/run_id: one ConsolidationRun per run.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT run_id IF NOT EXISTS FOR (r:ConsolidationRun) REQUIRE r.id IS UNIQUE
