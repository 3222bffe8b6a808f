// memory/supersede: archive a memory in favour of another one that says it better; the history of both is kept.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $now        datetime    instant of the replacement, UTC
//          $old        string      the memory that is replaced, live or expired
//          $new        string      the live memory that replaces it
//          $reason     string      why, or null
//          $event      string      id of the ledger event
// Returns  energy      float       what the old one had
//          tier        string      the tier it stood in
//          at          datetime    its validTo: $now, or later if someone settled it meanwhile
//          No row if the old one is archived, the new one is not live, or they are one.
// Runs     write, after memory/settle of both in the order of their ids; a second run changes nothing
//
// Only a live memory replaces and only one that is not archived is replaced, so SUPERSEDED_BY never makes a circle.
// Find, lock, look again: see consolidation/decay.
CALL () {
  MATCH (found:Memory {id: $old})
  WHERE found.brain = $brain AND found.isTest = $isTest
  RETURN elementId(found) AS oldNode
}
CALL () {
  MATCH (found:Memory {id: $new})
  WHERE found.brain = $brain AND found.isTest = $isTest
  RETURN elementId(found) AS newNode
}
MATCH (old) WHERE elementId(old) = oldNode
MATCH (new) WHERE elementId(new) = newNode
SET old:Memory, new:Memory
WITH old, new
WHERE old <> new AND new.id = $new AND new:LiveMemory
  AND old.id = $old AND old.validTo IS NULL AND (old:ExpiredMemory OR (old:LiveMemory AND old.lastDecay >= $now))
WITH old, new, old.energy AS energy, old.tier AS tier,
     CASE WHEN old.lastDecay > $now THEN old.lastDecay ELSE $now END AS at
SET old:ArchivedMemory, old.validTo = at
REMOVE old:LiveMemory, old:ExpiredMemory, old.contentKey
CREATE (old)-[:SUPERSEDED_BY {at: at, reason: $reason}]->(new)
CREATE (:EnergyEvent {id: $event, brain: $brain, isTest: $isTest, kind: 'superseded', at: at,
                      before: energy, after: energy, tier: tier})-[:OF]->(old)
RETURN energy, tier, at
