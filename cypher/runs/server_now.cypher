// runs/server_now: the database server's clock, the only clock a run goes by.
//
// Returns  now        datetime    UTC, cut to the millisecond that the law counts in
// Runs     read
RETURN datetime.truncate('millisecond', datetime.realtime('UTC')) AS now
