// transfer/list_configs: every version of a brain's constants, oldest first, with instants as text.
//
// Params   $brain      string      which brain
// Returns  names       list        the names of the properties
//          values      list        their values in the same order, an instant as {datetime: ISO 8601 text}
// Runs     read
// Browser  :param {brain: 'milo'}
MATCH (c:ConsolidationConfig {brain: $brain})
RETURN keys(c) AS names,
       [k IN keys(c) | CASE WHEN c[k] IS :: ZONED DATETIME THEN {datetime: toString(c[k])} ELSE c[k] END] AS values
ORDER BY c.version
