// transfer/create_sources: make the nodes with these labels that memories to be imported came from.
//
// Params   $labels     list        all labels of the node; never one of ours
//          $rows       list        maps {properties, instants}
// Returns  node        string      handle for transfer/link_sources in the same transaction, in the order of the rows
// Runs     write, after transfer/find_sources
UNWIND $rows AS row
CREATE (s:$($labels))
SET s = row.properties
FOREACH (name IN keys(row.instants) | SET s[name] = datetime(row.instants[name]))
RETURN elementId(s) AS node
