// inspect/list_archived: one page of the archive, the last to go into it first: promoted, superseded or forgotten.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $before     datetime    validTo of the last one of the page before; a far one for the first page
//          $after      string      its id; '' for the first page
//          $limit      integer     how many
//          $width      integer     characters of the content, counted from its beginning
// Returns  memory      map         whole but for its vectors and the rest of a long content
//          gone        datetime    its validTo; 1970 if that is no instant
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, after: '', limit: 50, width: 200}
//          :param before => datetime() + duration({days: 1})
//
// Looks at the whole archive of the scope, as inspect/promotion_history does.
MATCH (m:ArchivedMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
WITH m, CASE WHEN m.validTo IS :: ZONED DATETIME NOT NULL THEN m.validTo ELSE datetime({epochMillis: 0}) END AS gone
WHERE gone < $before OR (gone = $before AND m.id > $after)
WITH m, gone ORDER BY gone DESC, m.id LIMIT $limit
RETURN m {.*, content: left(toStringOrNull(m.content), $width), embeddingA: null, embeddingB: null, bands: null} AS memory,
       gone
