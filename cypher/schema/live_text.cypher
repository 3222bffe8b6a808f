// schema/live_text: the live memories of a scope by the words of content and subject, for recall.
//
// Runs     write; again changes nothing
//
// Stemmed as English. Only live memories are in it, so no other can come back from it. Eventually consistent: a consistent
// full-text index costs every commit 3.5 to 5 ms, in one queue for all writers; recall/find_by_words waits for it instead.
CREATE FULLTEXT INDEX live_text IF NOT EXISTS FOR (m:LiveMemory) ON EACH [m.scope, m.content, m.subject]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}
