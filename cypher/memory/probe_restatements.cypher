// memory/probe_restatements: for each text, the memory with exactly it, and the memories that may say nearly the same.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $rows       list        maps {row integer, contentKey, lucene, bands list of string}
//          $lagMs      integer     memories written in the last so many milliseconds are looked at without the full-text index
//          $limit      integer     how many candidates per text
// Returns  row         integer     which text
//          exact       map         {id, content, tier} of the memory with this contentKey, or null
//          near        list        maps {id, content, tier} of candidates; the caller computes the similarity
// Runs     read; in the transaction that then writes
UNWIND $rows AS row
OPTIONAL MATCH (same:Memory {brain: $brain, isTest: $isTest, contentKey: row.contentKey})
WITH row, same {.id, .content, .tier} AS exact
CALL (row, exact) {
  CALL (row, exact) {
    CALL db.index.fulltext.queryNodes('memory_bands', row.lucene, {limit: $limit}) YIELD node AS found
    WHERE exact IS NULL AND found.brain = $brain AND found.isTest = $isTest
    RETURN found
    UNION
    MATCH (found:LiveMemory)
    WHERE exact IS NULL AND found.brain = $brain AND found.isTest = $isTest AND found.storedAt > datetime.transaction('UTC') - duration({milliseconds: $lagMs})
      AND any(band IN row.bands WHERE found.bands CONTAINS band)
    RETURN found
  }
  RETURN collect(DISTINCT found {.id, .content, .tier}) AS near
}
RETURN row.row AS row, exact, near
