// learning/count_events: how many events of some kinds there were in a time.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only of test memories, false: only of real ones
//          $kinds      list        born, opened, promoted …
//          $since      datetime    from this instant on, UTC
//          $until      datetime    up to this one, UTC
// Returns  kind        string
//          events      integer
// Runs     read; the index alone, no event is looked at
// Browser  :param {brain: 'milo', isTest: false, kinds: ['born', 'opened']}
//          :param since => datetime() - duration({days: 7}); :param until => datetime()
UNWIND $kinds AS kind
CALL (kind) {
  MATCH (e:EnergyEvent)
  WHERE e.brain = $brain AND e.isTest = $isTest AND e.kind = kind AND e.at >= $since AND e.at <= $until
  RETURN count(*) AS events
}
RETURN kind, events
