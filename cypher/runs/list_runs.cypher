// runs/list_runs: the last runs of a brain and scope, newest first.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: runs on test memories, false: on real ones
//          $limit      integer     how many
// Returns  run         map         all properties of one ConsolidationRun
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, limit: 20}
MATCH (r:ConsolidationRun)
WHERE r.brain = $brain AND r.isTest = $isTest AND r.startedAt IS NOT NULL
RETURN properties(r) AS run
ORDER BY r.brain DESC, r.isTest DESC, r.startedAt DESC
LIMIT $limit
