// schema/contradicts_checked: the CONTRADICTS relations of a brain and scope by the day a relate pass last looked at them.
//
// Runs     write; again changes nothing
CREATE INDEX contradicts_checked IF NOT EXISTS FOR ()-[r:CONTRADICTS]-() ON (r.brain, r.isTest, r.checkedDay, r.created)
