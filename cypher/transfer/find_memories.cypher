// transfer/find_memories: which of these ids are taken, and by what.
//
// Params   $brain      string      the brain that is imported into
//          $isTest     boolean     true: into its test memories, false: into its real ones
//          $ids        list        the ids of the memories that are to be imported
// Returns  id          string      one row for each id that is taken
//          ours        boolean     whether by a memory of this brain and scope; only then the rest is filled in
//          names       list        the names of its properties
//          values      list        their values in the same order, an instant as {datetime: ISO 8601 text}
// Runs     read
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WITH m, coalesce(m.brain = $brain AND m.isTest = $isTest, false) AS ours
RETURN m.id AS id, ours,
       CASE WHEN ours THEN keys(m) ELSE [] END AS names,
       CASE WHEN ours THEN [k IN keys(m) |
            CASE WHEN m[k] IS :: ZONED DATETIME THEN {datetime: toString(m[k])} ELSE m[k] END] ELSE [] END AS values
