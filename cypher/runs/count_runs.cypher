// runs/count_runs: how many runs there were of each kind and outcome, and what they did in all.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: runs on test memories, false: on real ones
// Returns  operation   string      consolidate, decay, expire or promote
//          outcome     string      ok or failed; one that was killed left no record
//          runs        integer
//          expired     integer     memories that they marked as expired
//          promoted    integer     memories that they promoted
// Runs     read
// Browser  :param {brain: 'milo', isTest: false}
MATCH (r:ConsolidationRun)
WHERE r.brain = $brain AND r.isTest = $isTest AND r.startedAt IS NOT NULL
RETURN coalesce(r.operation, 'consolidate') AS operation, coalesce(r.outcome, 'ok') AS outcome, count(*) AS runs,
       sum(coalesce(r.expired, 0)) AS expired, sum(coalesce(r.promoted, 0)) AS promoted
