// memory/restore: bring a forgotten memory back as it was; it decays from now on, not for the time it was gone.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $now        datetime    instant of the return, UTC
//          $id         string      which memory
//          $event      string      id of the ledger event
// Returns  energy      float       what it had when it was forgotten
//          tier        string
//          taken       string      id of a memory that was born with the same text since; then nothing was done
//          No row if it was not forgotten, or lives on in another memory.
// Runs     write; a second run finds it live and changes nothing
//
// Find, lock, look again: see consolidation/decay.
CALL () {
  MATCH (found:Memory {id: $id})
  WHERE found.brain = $brain AND found.isTest = $isTest
  RETURN elementId(found) AS node
}
MATCH (m) WHERE elementId(m) = node
SET m:Memory
WITH m
WHERE m.id = $id AND m:ArchivedMemory AND m.forgottenReason IS NOT NULL
  AND NOT EXISTS { (m)-[:PROMOTED_TO|SUPERSEDED_BY]->() }
OPTIONAL MATCH (same:Memory {brain: $brain, isTest: $isTest, contentKey: m.forgottenKey})
WITH m, m.energy AS energy, m.tier AS tier, m.forgottenKey AS text, same.id AS taken,
     CASE WHEN m.validTo > $now THEN m.validTo ELSE $now END AS at
FOREACH (_ IN CASE WHEN taken IS NULL THEN [1] ELSE [] END |
  SET m.lastDecay = at, m.contentKey = text
  REMOVE m:ArchivedMemory, m.validTo, m.forgottenReason, m.forgottenKey
  CREATE (:EnergyEvent {id: $event, brain: $brain, isTest: $isTest, kind: 'restored', at: at,
                        before: energy, after: energy, tier: tier})-[:OF]->(m))
FOREACH (_ IN CASE WHEN taken IS NULL AND tier = 'expired' THEN [1] ELSE [] END | SET m:ExpiredMemory)
FOREACH (_ IN CASE WHEN taken IS NULL AND tier <> 'expired' THEN [1] ELSE [] END | SET m:LiveMemory)
RETURN energy, tier, taken
