// transfer/find_sources: the nodes with these labels that memories to be imported came from.
//
// Params   $brain      string      the brain that is imported into
//          $isTest     boolean     true: for its test memories, false: for its real ones
//          $labels     list        all labels of the node
//          $ids        list        their own ids
//          $lookalikes list        all properties of those that have no id
// Returns  node        string      handle for transfer/link_sources in the same transaction
//          id          string      its own id, or null
//          names       list        the names of its properties
//          values      list        their values in the same order, an instant as {datetime: ISO 8601 text}
// Runs     read
//
// A user's node may belong to no brain; one that says whose it is, is only taken for that brain and scope.
MATCH (s:$($labels))
WHERE coalesce(s.brain, $brain) = $brain AND coalesce(s.isTest, $isTest) = $isTest
  AND (s.id IN $ids OR (s.id IS NULL AND properties(s) IN $lookalikes))
RETURN elementId(s) AS node, s.id AS id, keys(s) AS names,
       [k IN keys(s) | CASE WHEN s[k] IS :: ZONED DATETIME THEN {datetime: toString(s[k])} ELSE s[k] END] AS values
ORDER BY node
