// transfer/find_rivals: which of these new memories live on here under another id, so that they must not come a second time.
//
// Params   $brain      string      the brain that is imported into
//          $isTest     boolean     true: into its test memories, false: into its real ones
//          $rows       list        maps {id, root, promotedFrom, contentKey} of memories whose ids are free
// Returns  id          string      one row for each that has a rival
// Runs     read
//
// A file and a brain that were one once may have gone different ways: here a memory was promoted, so its id changed, or
// was not promoted, so it stands where the file has an archive. Three tiers are two promotions: the step before and the
// root are the whole lineage. The last case is the same text, remembered here too.
UNWIND $rows AS row
CALL (row) {
  MATCH (other:Memory {promotedFrom: row.promotedFrom})
  WHERE other.brain = $brain AND other.isTest = $isTest AND other.id <> row.id
  RETURN other
  UNION ALL
  MATCH (other:Memory {promotedFrom: row.root})
  WHERE other.brain = $brain AND other.isTest = $isTest
    AND row.promotedFrom IS NOT NULL AND other.id <> row.id AND other.id <> row.promotedFrom
  RETURN other
  UNION ALL
  MATCH (other:Memory {id: row.promotedFrom})
  WHERE other.brain = $brain AND other.isTest = $isTest AND other.validTo IS NULL
  RETURN other
  UNION ALL
  MATCH (other:Memory {id: row.root})
  WHERE other.brain = $brain AND other.isTest = $isTest AND other.validTo IS NULL
    AND row.promotedFrom IS NOT NULL AND other.id <> row.id
  RETURN other
  UNION ALL
  MATCH (other:Memory {brain: $brain, isTest: $isTest, contentKey: row.contentKey})
  RETURN other
}
RETURN DISTINCT row.id AS id
