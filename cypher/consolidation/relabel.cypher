// consolidation/relabel: put right the state label of memories whose tier or validTo was edited by hand.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $now        datetime    instant of the run, UTC
//          $batch      integer     at most so many
// Returns  relabelled  integer     call again until it is 0
// Runs     write; a second run changes nothing
// Browser  :param {brain: 'milo', isTest: true, batch: 100}
//          :param now => datetime()
//
// Three index seeks that find nothing in a healthy store. An expired memory that someone brought back starts to decay
// now, not at the instant it expired: otherwise the edit would be undone by the pass that follows.
CALL () {
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.tier = 'expired' AND found.lastDecay IS NOT NULL
  RETURN elementId(found) AS node
  UNION
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.validTo IS NOT NULL
  RETURN elementId(found) AS node
  UNION
  MATCH (found:ExpiredMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.tier IN ['working', 'shortTerm', 'longTerm']
  RETURN elementId(found) AS node
}
WITH DISTINCT node
LIMIT $batch
MATCH (m) WHERE elementId(m) = node
SET m:Memory
WITH m, CASE WHEN m.validTo IS NOT NULL THEN 'archived' WHEN m.tier = 'expired' THEN 'expired' ELSE 'live' END AS state
WHERE (state = 'live') <> (m:LiveMemory) OR (state = 'expired') <> (m:ExpiredMemory)
FOREACH (_ IN CASE state WHEN 'archived' THEN [1] ELSE [] END | SET m:ArchivedMemory REMOVE m:LiveMemory, m:ExpiredMemory)
FOREACH (_ IN CASE state WHEN 'expired' THEN [1] ELSE [] END |
  SET m:ExpiredMemory, m.expiredAt = $now REMOVE m:LiveMemory)
FOREACH (_ IN CASE state WHEN 'live' THEN [1] ELSE [] END |
  SET m:LiveMemory, m.lastDecay = $now REMOVE m:ExpiredMemory, m.expiredAt, m.expiredFrom)
CREATE (:EnergyEvent {id: randomUUID(), brain: $brain, isTest: $isTest, kind: 'edited', at: m.lastDecay,
                      before: m.energy, after: m.energy, tier: m.tier})-[:OF]->(m)
RETURN count(*) AS relabelled
