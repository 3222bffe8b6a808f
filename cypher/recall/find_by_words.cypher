// recall/find_by_words: the memories of a scope that hold at least one word of a query, best first.
//
// Params   $brain       string      which brain
//          $isTest      boolean     true: only test memories, false: only real ones
//          $index       string      live_text, live_cjk, past_text or past_cjk
//          $lucene      string      the query in Lucene's syntax, words escaped, with the scope's token as a condition
//          $labels      list        the states that are wanted: LiveMemory, ExpiredMemory, ArchivedMemory
//          $tier        string      only this tier; null: any
//          $memoryType  string      only this type; null: any
//          $subject     string      only what is about this, whatever its case; null: anything
//          $since       datetime    only what was remembered or restated since then; null: ever
//          $depth       integer     how far down the index's own list to look
//          $limit       integer     how many hits are enough
// Returns  ids          list        the hits; each other list holds a property of each, in the same order
//          scores       list        by BM25
//          energies     list        stored, for the instant of lastDecay
//          tiers        list
//          cores        list        true: does not fade
//          lives        list        true: neither expired nor archived
//          lastDecays   list        milliseconds since 1970
//          updatedAts   list        milliseconds since 1970, or null
//          looked       integer     memories looked at; $depth, if there are more
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, index: 'live_text', labels: ['LiveMemory'], depth: 100, limit: 10}
//          :param {lucene: '+scope:miloxr^0 +content:(coffee OR tea)'}
//          :param {tier: null, memoryType: null, subject: null, since: null}
//
// The indexes are eventually consistent (schema/live_text). Waiting for them costs nothing while nothing is written, and
// lets a text be found the moment after it was remembered. The scope's token lets a small brain fill its page, WHERE
// guarantees that nothing else does. Numbers instead of instants, and lists instead of maps: 100 hits in 5 ms instead of 17.
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
CALL db.index.fulltext.queryNodes($index, $lucene, {limit: $depth}) YIELD node AS m, score
WITH m, score,
     m.brain = $brain AND m.isTest = $isTest AND score > 0 AND any(label IN labels(m) WHERE label IN $labels)
     AND m.energy >= 0 AND m.tier IN ['working', 'shortTerm', 'longTerm', 'expired']
     AND m.lastDecay IS :: ZONED DATETIME NOT NULL
     AND ($tier IS NULL OR m.tier = $tier) AND ($memoryType IS NULL OR m.memoryType = $memoryType)
     AND ($subject IS NULL OR toLower(toStringOrNull(m.subject)) = toLower($subject))
     AND ($since IS NULL OR coalesce(m.updatedAt, m.created) >= $since) AS fits
WITH collect(CASE WHEN fits THEN m END)[..$limit] AS found, collect(CASE WHEN fits THEN score END)[..$limit] AS scores,
     count(*) AS looked
RETURN [m IN found | m.id] AS ids, scores, [m IN found | m.energy] AS energies, [m IN found | m.tier] AS tiers,
       [m IN found | coalesce(m.core = true, false)] AS cores, [m IN found | m:LiveMemory] AS lives,
       [m IN found | m.lastDecay.epochMillis] AS lastDecays,
       [m IN found | CASE WHEN m.updatedAt IS :: ZONED DATETIME NOT NULL THEN m.updatedAt.epochMillis END] AS updatedAts,
       looked
