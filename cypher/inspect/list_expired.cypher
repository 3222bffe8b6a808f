// inspect/list_expired: one page of the expired memories, the last to expire first.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $before     datetime    when the last one of the page before expired; a far one for the first page
//          $after      string      its id; '' for the first page
//          $limit      integer     how many
//          $width      integer     characters of the content, counted from its beginning
// Returns  memory      map         whole but for its vectors and the rest of a long content
//          gone        datetime    when it expired; 1970 if that is not known
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, after: '', limit: 50, width: 200}
//          :param before => datetime() + duration({days: 1})
//
// Looks at all expired memories of the scope, as the count of them in inspect/status does.
MATCH (m:ExpiredMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.tier = 'expired' AND m.id IS NOT NULL
WITH m, CASE WHEN m.expiredAt IS :: ZONED DATETIME NOT NULL THEN m.expiredAt ELSE datetime({epochMillis: 0}) END AS gone
WHERE gone < $before OR (gone = $before AND m.id > $after)
WITH m, gone ORDER BY gone DESC, m.id LIMIT $limit
RETURN m {.*, content: left(toStringOrNull(m.content), $width), embeddingA: null, embeddingB: null, bands: null} AS memory,
       gone
