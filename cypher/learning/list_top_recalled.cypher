// learning/list_top_recalled: the memories that were a strong answer most often in a time.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $since      datetime    from this instant on, UTC
//          $until      datetime    up to this one, UTC
//          $limit      integer     how many
// Returns  id          string
//          content     string
//          pages       integer     on which it was a strong hit
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, limit: 10}
//          :param since => datetime() - duration({days: 7}); :param until => datetime()
MATCH (p:RecallPage)
USING INDEX p:RecallPage(brain, isTest, at)
WHERE p.brain = $brain AND p.isTest = $isTest AND p.at >= $since AND p.at <= $until
MATCH (p)-[shown:SHOWED]->(m)
WHERE shown.strength = 'strong' AND m.brain = $brain AND m.isTest = $isTest
WITH m, count(*) AS pages
RETURN m.id AS id, m.content AS content, pages
ORDER BY pages DESC, id
LIMIT $limit
