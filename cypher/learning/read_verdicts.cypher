// learning/read_verdicts: for each page that a candidate would have ordered otherwise, what was opened from it.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: recalls of test memories, false: of real ones
//          $candidate  string      which candidate
//          $since      datetime    pages from this instant on, UTC
// Returns  places      list        the candidate's places of the hits, in the order of the page
//          opened      list        ranks on the page of the hits that were opened from it; never empty
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, candidate: 'co-activation'}
//          :param since => datetime() - duration({days: 30})
MATCH (s:ShadowRank)
USING INDEX SEEK s:ShadowRank(brain, isTest, at)
WHERE s.brain = $brain AND s.isTest = $isTest AND s.at >= $since AND s.candidate = $candidate
MATCH (s)-[:SHADOWS]->(p)
WITH s, COLLECT {
       MATCH (p)<-[:FROM_PAGE]-()-[:OF]->(m)<-[shown:SHOWED]-(p)
       RETURN DISTINCT shown.rank
     } AS opened
WHERE size(opened) > 0
RETURN s.places AS places, opened
