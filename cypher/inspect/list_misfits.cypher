// inspect/list_misfits: live memories that cannot be treated or read, because a hand edit gave them a value outside the model.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $limit      integer     how many
// Returns  node        string      handle of the memory, for consolidation/set_aside in the same transaction
//          id          string
//          wrong       list        names of the properties whose values are outside the model
//          values      list        their values, in the same order
// Runs     read; looks at every live memory of the brain
// Browser  :param {brain: 'milo', isTest: false, limit: 25}
CALL () {
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.id IS NOT NULL
  RETURN found AS m
  UNION ALL
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.tier IS NOT NULL AND found.lastDecay IS NOT NULL
    AND found.id IS NULL
  RETURN found AS m
}
WITH m, [name IN [
    CASE WHEN m.id IS :: STRING NOT NULL THEN null ELSE 'id' END,
    CASE WHEN coalesce(m.tier IN ['working', 'shortTerm', 'longTerm'], false) THEN null ELSE 'tier' END,
    CASE WHEN m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND coalesce(0 <= m.energy AND m.energy < 1.0e308, false)
         THEN null ELSE 'energy' END,
    CASE WHEN m.lastDecay IS :: ZONED DATETIME NOT NULL THEN null ELSE 'lastDecay' END,
    CASE WHEN m.created IS :: ZONED DATETIME NOT NULL THEN null ELSE 'created' END,
    CASE WHEN m.lastAccessed IS :: ZONED DATETIME THEN null ELSE 'lastAccessed' END,
    CASE WHEN m.lastOpened IS :: ZONED DATETIME THEN null ELSE 'lastOpened' END,
    CASE WHEN m.accessCount IS :: INTEGER | FLOAT THEN null ELSE 'accessCount' END,
    CASE WHEN m.root IS :: STRING NOT NULL THEN null ELSE 'root' END,
    CASE WHEN m.core IS :: BOOLEAN THEN null ELSE 'core' END,
    CASE WHEN m.content IS :: STRING NOT NULL THEN null ELSE 'content' END,
    CASE WHEN m.subject IS :: STRING THEN null ELSE 'subject' END
  ] WHERE name IS NOT NULL] AS wrong
WHERE size(wrong) > 0
RETURN elementId(m) AS node, m.id AS id, wrong, [name IN wrong | m[name]] AS values
LIMIT $limit
