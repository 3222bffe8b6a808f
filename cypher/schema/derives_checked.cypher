// schema/derives_checked: the DERIVES relations of a brain and scope by the day a relate pass last looked at them.
//
// Runs     write; again changes nothing
CREATE INDEX derives_checked IF NOT EXISTS FOR ()-[r:DERIVES]-() ON (r.brain, r.isTest, r.checkedDay, r.created)
