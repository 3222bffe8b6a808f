// memory/await_bands: wait until the index of the bands shows everything that was committed before this call.
//
// Runs     read
//
// memory_bands is eventually consistent (schema/memory_bands). The wait takes 13 ms at most times (measured), so it is for
// batches; one text alone looks among the newest memories instead.
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
