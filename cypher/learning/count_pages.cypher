// learning/count_pages: how many recalls there were in a time, and how many of them had no strong answer.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: recalls of test memories, false: of real ones
//          $since      datetime    from this instant on, UTC
//          $until      datetime    up to this one, UTC
// Returns  pages       integer
//          misses      integer     pages without a strong hit
// Runs     read
// Browser  :param {brain: 'milo', isTest: false}
//          :param since => datetime() - duration({days: 7}); :param until => datetime()
MATCH (p:RecallPage)
WHERE p.brain = $brain AND p.isTest = $isTest AND p.at >= $since AND p.at <= $until
RETURN count(*) AS pages, count(CASE WHEN p.miss THEN 1 END) AS misses
