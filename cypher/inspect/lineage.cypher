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
MATCH (here:Memory {id: $id})
WHERE here.brain = $brain AND here.isTest = $isTest
MATCH (first:Memory)-[:PROMOTED_TO*0..]->(here)
WHERE NOT EXISTS { (:Memory)-[:PROMOTED_TO]->(first) }
MATCH path = (first)-[:PROMOTED_TO*0..]->(last:Memory)
WHERE NOT EXISTS { (last)-[:PROMOTED_TO]->(:Memory) }
UNWIND nodes(path) AS step
RETURN step.id AS id, step.tier AS tier, step.energy AS energy, step.validFrom AS since, step.validTo AS until
