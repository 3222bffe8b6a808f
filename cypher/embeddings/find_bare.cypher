// embeddings/find_bare: one page of a scope's live memories that lack a vector, by id.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $property   string      where the vectors are: embeddingA or embeddingB
//          $after      string      the last id of the page before; '' for the first page
//          $batch      integer     size of the page
// Returns  id          string
//          subject     string      what it is about, or null
//          content     string
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, property: 'embeddingA', after: '', batch: 10}
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id > $after AND m[$property] IS NULL
RETURN m.id AS id, m.subject AS subject, m.content AS content
ORDER BY m.brain, m.isTest, m.id
LIMIT $batch
