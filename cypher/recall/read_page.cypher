// recall/read_page: the memories of one page, whole but for their vectors.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $ids        list        ids
// Returns  memory      map
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, ids: ['…']}
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.brain = $brain AND m.isTest = $isTest
RETURN m {.*, embeddingA: null, embeddingB: null, bands: null} AS memory
