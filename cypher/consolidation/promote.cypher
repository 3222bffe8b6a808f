// consolidation/promote: move one page of a tier's memories above its threshold to the next tier.
//
// Law      energy > threshold[from], strictly; the energy is carried over          docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $now        datetime    instant of the run, UTC
//          $from       string      shortTerm first, then working: one tier per run
//          $to         string      the tier after it
//          $batch      integer     size of the page
//          $ids        list        only these memories, at an event (promotionBasis event); null: a page of the tier
// Returns  promoted    integer     call again until it is 0
//          heads       list        for $ids: maps {id, head}, what each was and the id that it lives on with
// Runs     write, after consolidation/decay at the same $now; a second run promotes nothing twice
// Browser  :param {brain: 'milo', isTest: true, from: 'working', to: 'shortTerm', batch: 1000, ids: null}
//          :param now => datetime()
//
// After it: (old {validTo: $now})-[:PROMOTED_TO {at, energy}]->(new {id: randomUUID(), tier: $to}), as document 004 has it.
// How: the database node keeps its edges, ledger and index entries and takes the new identity; a fresh node takes the
// old identity as the archive. No edge can be lost and none is rewritten (1.3 ms instead of 12 ms for a memory with 35
// edges). The archive gets its own HAS_MEMORY, and earlier PROMOTED_TO steps are re-hung on it.
// Find, lock, look again: see consolidation/decay.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
WITH CASE $from WHEN 'working' THEN c.thresholdWorking ELSE c.thresholdShortTerm END AS threshold
CALL (threshold) {
  WITH threshold WHERE $ids IS NULL
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.tier = $from AND found.lastDecay IS NOT NULL
    AND found.energy > threshold AND NOT coalesce(found.core = true, false)
  RETURN DISTINCT elementId(found) AS node
  LIMIT $batch
  UNION
  UNWIND $ids AS id
  MATCH (found:LiveMemory {brain: $brain, isTest: $isTest, id: id})
  RETURN elementId(found) AS node
}
MATCH (m) WHERE elementId(m) = node
SET m:Memory
WITH m, threshold
WHERE m:LiveMemory AND m.tier = $from AND m.energy > threshold AND NOT coalesce(m.core = true, false)
WITH m, properties(m) AS was, m.energy AS energy, m.lastDecay AS at
SET m.id = randomUUID(), m.tier = $to, m.validFrom = $now, m.promotedFrom = was.id
CREATE (old:Memory:ArchivedMemory)
SET old = was {.*, validTo: $now, contentKey: null, bands: null, embeddingA: null, embeddingB: null}
CREATE (old)-[:PROMOTED_TO {at: $now, energy: energy}]->(m)
CREATE (:EnergyEvent {id: randomUUID(), brain: $brain, isTest: $isTest, kind: 'promoted', at: at,
                      before: energy, after: energy, tier: $to})-[:OF]->(m)
WITH m, old
CALL (m, old) {
  MATCH (earlier:Memory)-[step:PROMOTED_TO]->(m)
  WHERE earlier <> old
  CREATE (earlier)-[kept:PROMOTED_TO]->(old)
  SET kept = properties(step)
  DELETE step
}
CALL (m, old) {
  MATCH (source)-[has:HAS_MEMORY]->(m)
  CREATE (source)-[kept:HAS_MEMORY]->(old)
  SET kept = properties(has)
}
RETURN count(*) AS promoted, collect(CASE WHEN $ids IS NULL THEN null ELSE {id: old.id, head: m.id} END) AS heads
