// runs/write_run: record one consolidation, or the progress of it.
//
// Params   $brain      string      which brain
//          $isTest     boolean     which scope it ran on
//          $id         string      the run
//          $run        map         trigger, operation, now, startedAt, elapsedMs, outcome, error, configVersion and per pass counts
// Returns  id          string
// Runs     write; again with the same $id replaces the record
// Browser  :param {brain: 'milo', isTest: true, id: 'r1', run: {outcome: 'ok'}}
MERGE (r:ConsolidationRun {id: $id})
SET r.brain = $brain, r.isTest = $isTest
SET r += $run
RETURN r.id AS id
