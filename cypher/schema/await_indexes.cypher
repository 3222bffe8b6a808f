// schema/await_indexes: wait until every index is online, so that the first pass does not scan.
//
// Params   $seconds    integer     at most so long
// Runs     read
// Browser  :param {seconds: 300}
CALL db.awaitIndexes($seconds)
