// learning/create_co_recalled: draw bonds as they were counted again from the openings.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only between test memories, false: only between real ones
//          $rows       list        maps {low, high, pair, weight, lastFired, lastFiredDay, fires}; low and high are handles
//                                  from learning/list_lives, the lower root first; lastFired as ISO 8601 text
// Returns  created     integer
// Runs     write, in the transaction of learning/delete_co_recalled; a second run fails at the first pair
UNWIND $rows AS row
MATCH (low:Memory)
WHERE elementId(low) = row.low AND low.brain = $brain AND low.isTest = $isTest
MATCH (high:Memory)
WHERE elementId(high) = row.high AND high.brain = $brain AND high.isTest = $isTest
CREATE (low)-[:co_recalled {brain: $brain, isTest: $isTest, pair: row.pair, weight: row.weight,
                            lastFired: datetime(row.lastFired), lastFiredDay: row.lastFiredDay, fires: row.fires}]->(high)
RETURN count(*) AS created
