// schema/extends_checked: the EXTENDS relations of a brain and scope by the day a relate pass last looked at them.
//
// Runs     write; again changes nothing
CREATE INDEX extends_checked IF NOT EXISTS FOR ()-[r:EXTENDS]-() ON (r.brain, r.isTest, r.checkedDay, r.created)
