// consolidation/skip_relations: note for this UTC day that relations have no effect, so that no later run looks again.
//
// Params   $brain      string      which brain
//          $isTest     boolean     which scope
//          $now        datetime    instant of the run, UTC
//          $rows       list        maps {from, relation, to}, as consolidation/find_due_relations gave them
// Returns  skipped     integer     an end has expired, is archived, or belongs to another brain or scope
// Runs     write; a second run changes nothing
//
// An end that was promoted since the page was found has another id by now, but is live: its relation stays due.
UNWIND $rows AS row
MATCH (from:Memory {id: row.from})
MATCH (from)-[r:EXTENDS|UPDATES|DERIVES|CONTRADICTS]->(to)
WHERE type(r) = row.relation AND to.id = row.to
  AND r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now))
  AND NOT (from <> to
    AND from:LiveMemory AND coalesce(from.brain = $brain AND from.isTest = $isTest, false)
    AND to:LiveMemory AND coalesce(to.brain = $brain AND to.isTest = $isTest, false))
SET r.checkedDay = toString(date($now))
RETURN count(*) AS skipped
