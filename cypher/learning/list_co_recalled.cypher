// learning/list_co_recalled: the live memories that one memory has been opened together with.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      which memory
// Returns  id          string      of the other one
//          content     string
//          weight      float       the stored one, valid at lastFired
//          lastFired   datetime
//          fires       integer     days on which both were opened together
//          A bond that was drawn or spoiled by hand is left out.
// Runs     read; nothing is written for the fading: whoever reads computes what is left
// Browser  :param {brain: 'milo', isTest: false, id: '…'}
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
MATCH (m)-[r:co_recalled]-(other)
WHERE other:LiveMemory AND other.brain = $brain AND other.isTest = $isTest
  AND r.weight IS :: FLOAT NOT NULL AND r.lastFired IS :: ZONED DATETIME NOT NULL
RETURN other.id AS id, other.content AS content, r.weight AS weight, r.lastFired AS lastFired, r.fires AS fires
