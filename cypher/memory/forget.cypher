// memory/forget: archive a memory because someone wants it gone. Nothing is deleted; memory/restore undoes it.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $now        datetime    instant of the forgetting, UTC
//          $id         string      which memory, live (then memory/settle comes first, in this transaction) or expired
//          $reason     string      why
//          $event      string      id of the ledger event
// Returns  energy      float       what it had
//          tier        string      the tier it stood in, and stands in again when it is restored
//          at          datetime    its validTo: $now, or later if someone settled it meanwhile
//          core        boolean     whether it was protected
//          No row if it is archived.
// Runs     write; a second run finds it archived and changes nothing
//
// Find, lock, look again (see consolidation/decay). A live memory that is not settled was revived while this one waited:
// no row, and the caller tries again. The text is free again: contentKey is put aside, for restore.
CALL () {
  MATCH (found:Memory {id: $id})
  WHERE found.brain = $brain AND found.isTest = $isTest
  RETURN elementId(found) AS node
}
MATCH (m) WHERE elementId(m) = node
SET m:Memory
WITH m
WHERE m.id = $id AND m.validTo IS NULL AND (m:ExpiredMemory OR (m:LiveMemory AND m.lastDecay >= $now))
WITH m, m.energy AS energy, m.tier AS tier, coalesce(m.core = true, false) AS core, m.contentKey AS text,
     CASE WHEN m.lastDecay > $now THEN m.lastDecay ELSE $now END AS at
SET m:ArchivedMemory, m.validTo = at, m.forgottenReason = $reason, m.forgottenKey = text
REMOVE m:LiveMemory, m:ExpiredMemory, m.contentKey
CREATE (:EnergyEvent {id: $event, brain: $brain, isTest: $isTest, kind: 'forgotten', at: at,
                      before: energy, after: energy, tier: tier})-[:OF]->(m)
RETURN energy, tier, at, core
