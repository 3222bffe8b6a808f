// schema/recall_page_id: a page of recall is recorded once, although its transaction may be tried again.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT recall_page_id IF NOT EXISTS FOR (p:RecallPage) REQUIRE p.id IS UNIQUE
