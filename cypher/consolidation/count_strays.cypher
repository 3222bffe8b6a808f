// consolidation/count_strays: how many memories carry none of the three state labels, so that nothing sees them yet.
//
// Returns  strays      integer     in the whole database, of every brain
// Runs     read; four counters of the store, no scan
RETURN COUNT { (:Memory) } - COUNT { (:LiveMemory) } - COUNT { (:ExpiredMemory) } - COUNT { (:ArchivedMemory) } AS strays
