// inspect/list_live: one page of the live memories, by id.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $tier       string      only this tier; null for all
//          $after      string      id of the last one looked at before; '' for the first page
//          $limit      integer     how many
//          $looked     integer     how many to look at for them, so that a rare tier costs no more than any
//          $width      integer     characters of the content, counted from its beginning
// Returns  memories    list        maps, whole but for vectors and the rest of long contents; one more than $limit if there are
//          lastLooked  string      id of the last one looked at; null if there are none after it
// Runs     read; from the index in its order, so each page costs the same
// Browser  :param {brain: 'milo', isTest: false, tier: null, after: '', limit: 50, looked: 5000, width: 200}
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id > $after
WITH m ORDER BY m.brain, m.isTest, m.id LIMIT $looked
WITH collect(m) AS seen
RETURN [m IN [m IN seen WHERE $tier IS NULL OR m.tier = $tier][..$limit + 1] |
         m {.*, content: left(toStringOrNull(m.content), $width), embeddingA: null, embeddingB: null, bands: null}] AS memories,
       CASE WHEN size(seen) = $looked THEN seen[-1].id END AS lastLooked
