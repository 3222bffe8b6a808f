// recall/read_page: the memories of one page, with what a reader sees of them.
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
RETURN m {
         .id, .content, .subject, .tier, .energy, .created, .lastAccessed, .lastDecay, .accessCount, .isTest, .brain,
         .memoryType, .sourceNodeId, .validFrom, .validTo, .producer, .core, .updatedAt, .expiredAt, .expiredFrom,
         .promotedFrom, .root, .lastOpened, .forgottenReason
       } AS memory
