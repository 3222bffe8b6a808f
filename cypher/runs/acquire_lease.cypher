// runs/acquire_lease: take or renew the lease of a brain and scope, if it is free, expired or ours.
//
// Params   $name       string      the lease, one per brain and scope
//          $holder     string      who asks: one run of one process
//          $seconds    float       how long it is held without renewal
// Returns  granted     boolean     false: someone else holds it
//          holder      string      who holds it afterwards
//          until       datetime    until when, by the server's clock
//          fence       integer     rises with every new holder
// Runs     write; again renews
// Browser  :param {name: 'milo/real', holder: 'me', seconds: 60.0}
//
// Setting a label the node already has takes its lock, so the expiry is read after any other holder's commit.
MERGE (l:Lease {name: $name})
SET l:Lease
WITH l, datetime.realtime('UTC') AS clock
WITH l, clock, coalesce(l.holder = $holder, false) AS ours, l.until IS NULL OR l.until <= clock AS free
WITH l, clock, ours, ours OR free AS granted
SET l.fence = coalesce(l.fence, 0) + CASE WHEN granted AND NOT ours THEN 1 ELSE 0 END,
    l.holder = CASE WHEN granted THEN $holder ELSE l.holder END,
    l.until = CASE WHEN granted THEN clock + duration({milliseconds: toInteger($seconds * 1000)}) ELSE l.until END
RETURN granted, l.holder AS holder, l.until AS until, l.fence AS fence
