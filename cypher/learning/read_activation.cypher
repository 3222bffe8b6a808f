// learning/read_activation: the bonds between the hits of a page and what was opened just before it.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $ids        list        the memories on the page
//          $since      datetime    from when on an opening counts as just before, UTC
//          $at         datetime    instant of the page, UTC
// Returns  id          string      a memory on the page
//          weight      float       of one of its bonds: the stored one, valid at lastFired
//          lastFired   datetime
//          A bond that was drawn or spoiled by hand is left out.
// Runs     read; nothing is written for the fading: whoever reads computes what is left
//
// The index is named: where nothing was opened yet, the planner began at every live memory (23 ms at 10,000, measured).
MATCH (e:EnergyEvent)
USING INDEX e:EnergyEvent(brain, isTest, kind, at)
WHERE e.brain = $brain AND e.isTest = $isTest AND e.kind = 'opened' AND e.at >= $since AND e.at <= $at
MATCH (e)-[:OF]->(opened)
WHERE opened:LiveMemory AND opened.brain = $brain AND opened.isTest = $isTest
WITH DISTINCT opened
MATCH (opened)-[r:co_recalled]-(hit)
WHERE hit.id IN $ids AND hit.brain = $brain AND hit.isTest = $isTest
  AND r.weight IS :: FLOAT NOT NULL AND r.lastFired IS :: ZONED DATETIME NOT NULL
RETURN hit.id AS id, r.weight AS weight, r.lastFired AS lastFired
