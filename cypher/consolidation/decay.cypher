// consolidation/decay: lower one page of a tier's live memories to their energy at $now.
//
// Law      energy × exp(−λ[tier] × hours since lastDecay), λ from the current ConsolidationConfig; longTerm stops at its floor;
//          core memories do not decay                                          docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $now        datetime    instant to decay to, UTC
//          $tier       string      working, shortTerm or longTerm
//          $dueBefore  datetime    only memories last settled before this instant; at most $now
//          $batch      integer     size of the page
// Returns  decayed     integer     memories settled at $now; call again until it is 0
// Runs     write; a second run at the same $now changes nothing
// Browser  :param {brain: 'milo', isTest: true, tier: 'working', batch: 1000}
//          :param now => datetime()
//          :param dueBefore => datetime()
//
// Find, lock, read again, write. The lock: setting a label the node already has takes the node's lock, keeps it to the
// end of the transaction and writes nothing. The second MATCH by elementId makes the planner read tier and lastDecay
// from the locked node, not the values it cached from the index: with those, a boost made in between was undone.
// What a hand edit made no number is passed over, so that one bad memory does not stop the run; see consolidation/set_aside.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
WITH CASE $tier WHEN 'working' THEN c.lambdaWorking WHEN 'shortTerm' THEN c.lambdaShortTerm ELSE c.lambdaLongTerm END AS lambda,
     CASE $tier WHEN 'longTerm' THEN c.longTermFloor ELSE 0.0 END AS floor
CALL () {
  MATCH (found:LiveMemory)
  WHERE found.brain = $brain AND found.isTest = $isTest AND found.tier = $tier AND found.lastDecay < $dueBefore
  RETURN DISTINCT elementId(found) AS node
  LIMIT $batch
}
MATCH (m:LiveMemory) WHERE elementId(m) = node
SET m:Memory
WITH m, lambda, floor
WHERE m:LiveMemory AND m.tier = $tier AND m.lastDecay < $now
  AND m.energy IS :: INTEGER NOT NULL | FLOAT NOT NULL AND m.core IS :: BOOLEAN
WITH m, floor, m.energy AS energy,
     CASE WHEN coalesce(m.core = true, false) THEN m.energy
          ELSE m.energy * exp(-lambda * ($now.epochMillis - m.lastDecay.epochMillis) / 3600000.0) END AS decayed
SET m.lastDecay = $now,
    m.energy = CASE WHEN energy <= floor THEN energy WHEN decayed < floor THEN floor ELSE decayed END
RETURN count(*) AS decayed
