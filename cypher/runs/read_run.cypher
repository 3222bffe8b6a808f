// runs/read_run: one run, pass by pass.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: a run on test memories, false: on real ones
//          $id         string      which run
// Returns  run         map         all properties of the ConsolidationRun
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, id: '…'}
MATCH (r:ConsolidationRun {id: $id})
WHERE r.brain = $brain AND r.isTest = $isTest
RETURN properties(r) AS run
