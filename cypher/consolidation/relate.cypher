// consolidation/relate: apply one relation whose ends memory/settle has just locked and settled in this transaction.
//
// Law      EXTENDS, UPDATES, DERIVES: target max(x, min(x × exp(relateGain), relateCap)); CONTRADICTS: both ends
//          x × exp(−contradictLoss), in longTerm not below the floor; core memories stay    docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only between test memories, false: only between real ones
//          $now        datetime    instant of the run, UTC
//          $from       string      all three as consolidation/find_due_relations gave them
//          $relation   string      EXTENDS, UPDATES, DERIVES or CONTRADICTS
//          $to         string
// Returns  ends        integer     memories that it bears on; 0: not due any more, or an end is not live in this scope
// Runs     write; a second run on the same UTC day changes nothing
//
// Looks again at everything under the locks that settle took: a pass beside this one may have applied it meanwhile.
// Drawn twice by hand it is still one relation, with one effect.
// The WITH before the WHERE keeps the planner from looking for the other end first, in the whole store.
// A memory whose energy stays the same (core, above the cap, at the floor) gets no event.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
MATCH (from:LiveMemory {brain: $brain, isTest: $isTest, id: $from})
USING INDEX from:LiveMemory(brain, isTest, id)
MATCH (from)-[r:EXTENDS|UPDATES|DERIVES|CONTRADICTS]->(to)
WITH c, from, r, to
WHERE type(r) = $relation AND r.brain = $brain AND r.isTest = $isTest AND r.checkedDay < toString(date($now))
  AND to:LiveMemory AND to.brain = $brain AND to.isTest = $isTest AND to.id = $to AND to <> from
WITH c, from, to, collect(r) AS edges
FOREACH (r IN edges | SET r.lastApplied = $now, r.checkedDay = toString(date($now)))
WITH c, $relation AS relation, CASE $relation WHEN 'CONTRADICTS' THEN [from, to] ELSE [to] END AS ends
UNWIND ends AS m
WITH m, relation, m.energy AS before, m.lastDecay AS at, m.tier AS tier, coalesce(m.core = true, false) AS core, c.relateCap AS cap,
     CASE m.tier WHEN 'longTerm' THEN c.longTermFloor ELSE 0.0 END AS floor,
     m.energy * CASE relation WHEN 'CONTRADICTS' THEN exp(-c.contradictLoss) ELSE exp(c.relateGain) END AS moved
WITH m, relation, before, at, tier,
     CASE WHEN core THEN before
          WHEN relation = 'CONTRADICTS' AND before <= floor THEN before
          WHEN relation = 'CONTRADICTS' AND moved < floor THEN floor
          WHEN relation = 'CONTRADICTS' THEN moved
          WHEN before >= cap THEN before
          WHEN moved > cap THEN cap
          ELSE moved END AS after
FOREACH (_ IN CASE WHEN after <> before THEN [1] ELSE [] END |
  SET m.energy = after
  CREATE (:EnergyEvent {id: randomUUID(), brain: $brain, isTest: $isTest, kind: 'related', at: at, before: before,
                        after: after, tier: tier, relation: relation})-[:OF]->(m))
RETURN count(*) AS ends
