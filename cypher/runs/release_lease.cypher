// runs/release_lease: give a lease back, if it is still ours.
//
// Params   $name       string      the lease
//          $holder     string      who took it
// Returns  released    integer     1, or 0 if someone else has taken it since
// Runs     write; again changes nothing
// Browser  :param {name: 'milo/real', holder: 'me'}
MATCH (l:Lease {name: $name})
SET l:Lease
WITH l
WHERE l.holder = $holder
REMOVE l.holder, l.until
RETURN count(l) AS released
