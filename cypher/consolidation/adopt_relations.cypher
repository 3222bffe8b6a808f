// consolidation/adopt_relations: give relations that were drawn by hand what those of edges/link have.
//
// Params   $brain      string      which brain
//          $isTest     boolean     which scope; both ends must be in it
//          $now        datetime    instant of the run, UTC
//          $batch      integer     size of the page
// Returns  adopted     integer     call again until it is 0
// Runs     write; a second run changes nothing
// Browser  :param {brain: 'milo', isTest: true, batch: 100}
//          :param now => datetime()
//
// Runs only when inspect/count_bare_relations finds some. An instant of another type than a zoned one counts as none.
MATCH ()-[found:EXTENDS|UPDATES|DERIVES|CONTRADICTS]->()
WHERE found.checkedDay IS NULL
WITH found, startNode(found) AS from, endNode(found) AS to
WHERE from:Memory AND from.brain = $brain AND from.isTest = $isTest
  AND to:Memory AND to.brain = $brain AND to.isTest = $isTest
WITH elementId(found) AS edge
LIMIT $batch
MATCH ()-[r]->() WHERE elementId(r) = edge
SET r.brain = $brain, r.isTest = $isTest
WITH r
WHERE r.checkedDay IS NULL
WITH r, CASE WHEN r.created IS :: ZONED DATETIME NOT NULL THEN r.created ELSE $now END AS created,
     CASE WHEN r.lastApplied IS :: ZONED DATETIME NOT NULL THEN r.lastApplied END AS lastApplied
SET r.created = created, r.declaredBy = coalesce(r.declaredBy, 'hand'), r.lastApplied = lastApplied,
    r.checkedDay = CASE WHEN lastApplied IS NULL THEN ''
                        ELSE toString(date(datetime({datetime: lastApplied, timezone: 'UTC'}))) END
RETURN count(*) AS adopted
