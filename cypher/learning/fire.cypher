// learning/fire: strengthen the bonds between a memory that is being opened and those that were opened just before it.
//
// Law      w · 0.5 ^ (days since lastFired / halfLifeDays), then w + rate · (1 − w); a new bond from 0     docs/explanation/learning.md
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $id         string      the memory that is being opened
//          $others     list        maps {id, at}: the others, each with the instant of the fire
//          $rate       float       what a fire adds of what is missing to 1
//          $halfLifeDays float     in which a weight halves
// Returns  id          string      of an other whose bond fired
//          pair        string      both roots, the lower one first
//          created     boolean     it is a new bond
// Runs     write, after learning/begin_opening in the same transaction; a second fire on the same UTC day changes nothing
//
// Pairs with a declared relation are skipped: what is said of the world is not learned from use. The bond is looked up by
// its pair, so a copy of a memory by hand, with the root of the first, starts no second one; it is left alone.
MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: $id})
UNWIND $others AS row
MATCH (other:LiveMemory {brain: $brain, isTest: $isTest, id: row.id})
WHERE other.root <> m.root AND NOT EXISTS { (m)-[:EXTENDS|UPDATES|DERIVES|CONTRADICTS]-(other) }
WITH row.at AS at, other.id AS otherId,
     CASE WHEN m.root < other.root THEN m ELSE other END AS low, CASE WHEN m.root < other.root THEN other ELSE m END AS high
WITH at, toString(date(at)) AS day, otherId, low, high, low.root + '|' + high.root AS pair
OPTIONAL MATCH (from)-[r:co_recalled {pair: pair}]->(to)
USING INDEX SEEK r:co_recalled(pair)
WITH at, day, otherId, low, high, pair, r,
     coalesce(r.weight * 0.5 ^ ((at.epochMillis - r.lastFired.epochMillis) / (86400000.0 * $halfLifeDays)), 0.0) AS left
WHERE r IS NULL OR (startNode(r) = low AND endNode(r) = high AND r.lastFiredDay < day)
WITH at, day, otherId, low, high, pair, r, left + $rate * (1.0 - left) AS weight, r IS NULL AS created
FOREACH (_ IN CASE WHEN created THEN [1] ELSE [] END |
  CREATE (low)-[:co_recalled {brain: $brain, isTest: $isTest, pair: pair, weight: weight, lastFired: at,
                              lastFiredDay: day, fires: 1}]->(high))
FOREACH (_ IN CASE WHEN created THEN [] ELSE [1] END |
  SET r.weight = weight, r.lastFired = at, r.lastFiredDay = day, r.fires = r.fires + 1)
RETURN otherId AS id, pair, created
