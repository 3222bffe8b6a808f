// schema/recall_miss_question: one miss per question, brain and scope, also of askers at the same instant.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT recall_miss_question IF NOT EXISTS
FOR (k:RecallMiss) REQUIRE (k.brain, k.isTest, k.queryKey) IS UNIQUE
