// schema/lease_name: one holder per lease.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT lease_name IF NOT EXISTS FOR (l:Lease) REQUIRE l.name IS UNIQUE
