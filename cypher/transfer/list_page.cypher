// transfer/list_page: the ids of one page of a brain's memories in any state, in their order.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $after      string      the last id of the page before; '' for the first page
//          $batch      integer     size of the page
// Returns  id          string
//          characters  integer     of its content, so that the caller reads no more at once than it can hold
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, after: '', batch: 100}
//
// The index of all ids gives the order; a page by SKIP would read the store again for each page.
MATCH (m:Memory)
WHERE m.id > $after AND m.brain = $brain AND m.isTest = $isTest
RETURN m.id AS id, CASE WHEN m.content IS :: STRING NOT NULL THEN size(m.content) ELSE 0 END AS characters
ORDER BY m.id
LIMIT $batch
