// recall/read_page: the memories of one page, with what a reader sees of them.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $ids        list        ids
// Returns  memory      map
//          instants    list        of created, lastAccessed, lastDecay, validFrom, validTo, updatedAt, expiredAt and
//                                  lastOpened: milliseconds since 1970; null: not there, or no instant
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, ids: ['…']}
//
// Numbers instead of instants: the driver takes 30 µs for each, 1.4 ms a page.
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.brain = $brain AND m.isTest = $isTest
RETURN m {
         .id, .content, .subject, .tier, .energy, .accessCount, .isTest, .brain, .memoryType, .sourceNodeId, .producer,
         .core, .expiredFrom, .promotedFrom, .root, .forgottenReason
       } AS memory,
       [name IN ['created', 'lastAccessed', 'lastDecay', 'validFrom', 'validTo', 'updatedAt', 'expiredAt', 'lastOpened'] |
        CASE WHEN m[name] IS :: ZONED DATETIME NOT NULL THEN m[name].epochMillis END] AS instants
