// inspect/lineage: one memory's way through the tiers, oldest first.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      any memory of the lineage
// Returns  id          string
//          tier        string
//          energy      float       carried into the next tier; of the last one, the stored energy
//          since       datetime    validFrom
//          until       datetime    validTo; null for the last one
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, id: '…'}
//
// Each step starts at the node before it: without the subqueries and with labels on both ends, the planner scanned
// Memory(id) for the other end as long as a store had few promotions.
MATCH (here:Memory {id: $id})
WHERE here.brain = $brain AND here.isTest = $isTest
CALL (here) {
  MATCH (first)-[:PROMOTED_TO*0..]->(here)
  WHERE NOT EXISTS { ()-[:PROMOTED_TO]->(first) }
  RETURN first
}
CALL (first) {
  MATCH path = (first)-[:PROMOTED_TO*0..]->(last)
  WHERE NOT EXISTS { (last)-[:PROMOTED_TO]->() }
  RETURN nodes(path) AS steps
}
UNWIND steps AS step
RETURN step.id AS id, step.tier AS tier, step.energy AS energy, step.validFrom AS since, step.validTo AS until
