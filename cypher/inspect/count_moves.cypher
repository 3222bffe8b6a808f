// inspect/count_moves: how many memories went into each tier by a promotion, and out of each by expiring, in a time.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $since      datetime    from this instant on, UTC
//          $until      datetime    up to this one, UTC
// Returns  kind        string      promoted or expired
//          tier        string      promoted: the one they came to; expired: the one they fell from
//          moves       integer
// Runs     read
// Browser  :param {brain: 'milo', isTest: false}
//          :param since => datetime() - duration({days: 7}); :param until => datetime()
//
// The ledger tells when a memory expired, and the memory from where; one that was revived since counts for its tier now.
UNWIND ['promoted', 'expired'] AS kind
MATCH (e:EnergyEvent)
WHERE e.brain = $brain AND e.isTest = $isTest AND e.kind = kind AND e.at >= $since AND e.at <= $until
MATCH (e)-[:OF]->(m)
RETURN kind, CASE kind WHEN 'promoted' THEN e.tier ELSE coalesce(m.expiredFrom, m.tier) END AS tier, count(*) AS moves
