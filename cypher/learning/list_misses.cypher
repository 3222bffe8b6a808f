// learning/list_misses: the questions that recall had no strong answer to, the most asked first.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: recalls of test memories, false: of real ones
//          $resolved   boolean     true: also those that have been answered since
//          $limit      integer     how many
// Returns  query       string      as it was asked last
//          count       integer     how often there was no strong answer
//          firstAsked  datetime
//          lastAsked   datetime    the last time without a strong answer
//          resolvedAt  datetime    when there was one; null while the question is open
//          bestCover   float       of the last such page: the largest share of the question that a hit covered; null if empty
//          bestLexicalRank  integer    best place of a hit among those that have the question's words; null if none had
//          bestSemanticRank integer    best place among those with the nearest meaning; null if none, or not looked for
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, resolved: false, limit: 20}
MATCH (k:RecallMiss)
WHERE k.brain = $brain AND k.isTest = $isTest AND k.lastAsked IS NOT NULL AND ($resolved OR k.resolvedAt IS NULL)
RETURN k.query AS query, k.count AS count, k.firstAsked AS firstAsked, k.lastAsked AS lastAsked,
       k.resolvedAt AS resolvedAt, k.bestCover AS bestCover,
       k.bestLexicalRank AS bestLexicalRank, k.bestSemanticRank AS bestSemanticRank
ORDER BY count DESC, lastAsked DESC, query
LIMIT $limit
