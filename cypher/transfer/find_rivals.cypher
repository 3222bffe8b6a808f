// transfer/find_rivals: which of these new memories live on here under another id, so that they must not come a second time.
//
// Params   $brain      string      the brain that is imported into
//          $isTest     boolean     true: into its test memories, false: into its real ones
//          $promoted   list        maps {id, root, promotedFrom} of memories whose ids are free
//          $texts      list        maps {id, contentKey} of them
// Returns  id          string      one row for each that has a rival
// Runs     read
//
// A file and a brain that were one once may have gone different ways: here a memory was promoted, so its id changed, or
// was not promoted, so it stands where the file has an archive. The step before and the root are looked at, and where the
// root leads to here: a lineage has one head, live, expired, forgotten or superseded. An archive that leads nowhere is none:
// the file's own, whose later steps are still to come. The last case is the same text, remembered here too.
// The indexes are named because the first import meets an empty store, where the planner would take any.
UNWIND $promoted AS row
MATCH (other:Memory {promotedFrom: row.promotedFrom})
USING INDEX other:Memory(promotedFrom)
WHERE other.brain = $brain AND other.isTest = $isTest AND other.id <> row.id
RETURN row.id AS id
UNION
UNWIND $promoted AS row
MATCH (first:Memory {id: row.root})
USING INDEX first:Memory(id)
WHERE first.brain = $brain AND first.isTest = $isTest
MATCH (first)-[:PROMOTED_TO*0..]->(head)
WHERE head.id <> row.id
  AND (head.validTo IS NULL OR head.forgottenReason IS NOT NULL OR EXISTS { (head)-[:SUPERSEDED_BY]->() })
RETURN row.id AS id
UNION
UNWIND $promoted AS row
UNWIND [row.promotedFrom, row.root] AS earlier
MATCH (other:Memory {id: earlier})
USING INDEX other:Memory(id)
WHERE other.brain = $brain AND other.isTest = $isTest AND other.validTo IS NULL AND other.id <> row.id
RETURN row.id AS id
UNION
UNWIND $texts AS row
MATCH (other:Memory {brain: $brain, isTest: $isTest, contentKey: row.contentKey})
USING INDEX other:Memory(brain, isTest, contentKey)
RETURN row.id AS id
