// inspect/count_promotions: how many memories were promoted into each tier in a time.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $since      datetime    from this instant on, UTC
//          $until      datetime    up to this one, UTC
// Returns  tier        string      shortTerm or longTerm; no row for one that nothing was promoted into
//          promotions  integer
// Runs     read
// Browser  :param {brain: 'milo', isTest: false}
//          :param since => datetime() - duration({days: 7}); :param until => datetime()
MATCH (e:EnergyEvent)
WHERE e.brain = $brain AND e.isTest = $isTest AND e.kind = 'promoted' AND e.at >= $since AND e.at <= $until
RETURN e.tier AS tier, count(*) AS promotions
