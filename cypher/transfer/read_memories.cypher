// transfer/read_memories: memories whole, each with its ledger, its sources and its edges to memories before it.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $ids        list        which memories
// Returns  names       list        the names of a memory's properties
//          values      list        their values in the same order, an instant as {datetime: ISO 8601 text}
//          labels      list
//          events      list        maps {names, values}
//          relations   list        maps {type, from, to, names, values}: edges whose other end has an id not after this one's
//          sources     list        maps {labels, names, values, linkNames, linkValues}
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, ids: ['…']}
//
// An edge comes with the later of its two ends: whoever reads memories in the order of their ids has met both by then.
// Instants become text here: the driver takes ten times as long to read a memory with seven datetimes (measured).
// co_recalled is derived and stays on its machine.
UNWIND $ids AS id
MATCH (m:Memory {id: id})
WHERE m.brain = $brain AND m.isTest = $isTest
RETURN keys(m) AS names,
       [k IN keys(m) | CASE WHEN m[k] IS :: ZONED DATETIME THEN {datetime: toString(m[k])} ELSE m[k] END] AS values,
       labels(m) AS labels,
       COLLECT {
         MATCH (e:EnergyEvent)-[:OF]->(m)
         RETURN {names: keys(e), values: [k IN keys(e) |
                 CASE WHEN e[k] IS :: ZONED DATETIME THEN {datetime: toString(e[k])} ELSE e[k] END]}
       } AS events,
       COLLECT {
         MATCH (m)-[r:!OF&!HAS_MEMORY&!SHOWED&!co_recalled]-()
         WITH r, startNode(r) AS from, endNode(r) AS to
         WHERE from:Memory AND from.brain = $brain AND from.isTest = $isTest AND from.id <= m.id
           AND to:Memory AND to.brain = $brain AND to.isTest = $isTest AND to.id <= m.id
         RETURN {type: type(r), from: from.id, to: to.id, names: keys(r), values: [k IN keys(r) |
                 CASE WHEN r[k] IS :: ZONED DATETIME THEN {datetime: toString(r[k])} ELSE r[k] END]}
       } AS relations,
       COLLECT {
         MATCH (s)-[h:HAS_MEMORY]->(m)
         WHERE NOT s:Memory
         RETURN {labels: labels(s), names: keys(s), values: [k IN keys(s) |
                 CASE WHEN s[k] IS :: ZONED DATETIME THEN {datetime: toString(s[k])} ELSE s[k] END],
                 linkNames: keys(h), linkValues: [k IN keys(h) |
                 CASE WHEN h[k] IS :: ZONED DATETIME THEN {datetime: toString(h[k])} ELSE h[k] END]}
       } AS sources
