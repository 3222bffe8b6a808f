// schema/archived_scope: the archives of a brain and scope, for counting.
//
// Runs     write; again changes nothing
CREATE INDEX archived_scope IF NOT EXISTS FOR (m:ArchivedMemory) ON (m.brain, m.isTest)
