// schema/updates_checked: the UPDATES relations of a brain and scope by the day a relate pass last looked at them.
//
// Runs     write; again changes nothing
CREATE INDEX updates_checked IF NOT EXISTS FOR ()-[r:UPDATES]-() ON (r.brain, r.isTest, r.checkedDay, r.created)
