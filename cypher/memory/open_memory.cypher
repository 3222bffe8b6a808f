// memory/open_memory: someone reads in full a memory that memory/settle has just locked and settled in this transaction.
//
// Law      as memory/boost, but only if the last opening that counted lies openIntervalMinutes back or more; an opening
//          sooner than that is an access without energy                            docs/explanation/energy.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      which memory
//          $event      string      id of the ledger event
// Returns  before      float       energy before the opening
//          after       float       energy after it
//          at          datetime    the instant both are for
//          counted     boolean     whether this opening was one that may add energy
// Runs     write; again with the same $event fails instead of opening twice
//
// lastOpened is the last opening that counted. Were it the last of all, whoever reads a memory every 20 minutes would add
// energy once and never again. The event is written either way: what is opened together is learned from it.
// All reads in the WITH, then a plain SET: see memory/boost.
MATCH (c:ConsolidationConfig {brain: $brain}) WHERE c.validTo IS NULL
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
WITH m, c, CASE WHEN m.lastOpened IS :: ZONED DATETIME NOT NULL THEN m.lastOpened END AS lastOpened
WITH m, c.boostAmount AS amount, c.maxEnergy AS most, m.energy AS before, m.lastDecay AS at, lastOpened,
     coalesce(toIntegerOrNull(m.accessCount), 0) + 1 AS accessCount,
     coalesce(m.lastDecay.epochMillis - lastOpened.epochMillis >= c.openIntervalMinutes * 60000.0, true) AS counted
WITH m, before, at, accessCount, counted,
     CASE WHEN counted THEN at ELSE lastOpened END AS opened,
     CASE WHEN NOT counted OR before >= most THEN before
          WHEN before + amount > most THEN most
          ELSE before + amount END AS after
SET m.energy = after, m.accessCount = accessCount, m.lastAccessed = at, m.lastOpened = opened
CREATE (:EnergyEvent {id: $event, brain: $brain, isTest: $isTest, kind: 'opened', at: at,
                      before: before, after: after, tier: m.tier})-[:OF]->(m)
RETURN before, after, at, counted
