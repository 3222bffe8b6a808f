// schema/recall_page_at: the pages of a brain and scope by the instant they were answered.
//
// Runs     write; again changes nothing
CREATE INDEX recall_page_at IF NOT EXISTS FOR (p:RecallPage) ON (p.brain, p.isTest, p.at)
