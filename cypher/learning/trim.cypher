// learning/trim: keep only the strongest bonds of some memories.
//
// Law      by w · 0.5 ^ (days since lastFired / halfLifeDays); those that fired just now stay, unless they alone are too many
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $ids        list        which memories; one after the other, and each finds what the ones before it left
//          $at         datetime    instant to compare the weights at, UTC
//          $fired      list        pairs that fired just now
//          $halfLifeDays float     in which a weight halves
//          $most       integer     how many to keep
// Returns  trimmed     integer     bonds that went
// Runs     write, after learning/fire in the same transaction; a second run changes nothing
//
// Without the first rule a new bond, which begins at 0.15, would be the weakest of a full memory and go at once.
UNWIND $ids AS id
CALL (id) {
  MATCH (m:LiveMemory {brain: $brain, isTest: $isTest, id: id})
  MATCH (m)-[r:co_recalled]-()
  WITH r
  ORDER BY coalesce(r.pair IN $fired, false) DESC,
           coalesce(r.weight * 0.5 ^ (($at.epochMillis - r.lastFired.epochMillis) / (86400000.0 * $halfLifeDays)), 0.0) DESC,
           r.pair
  SKIP $most
  DELETE r
  RETURN count(*) AS gone
}
RETURN sum(gone) AS trimmed
