// schema/past_text: expired and archived memories by the words of content and subject, for recall that asks for them.
//
// Runs     write; again changes nothing
//
// An index of its own: in that of the live ones every promotion would add a copy, and copies would fill the page.
CREATE FULLTEXT INDEX past_text IF NOT EXISTS FOR (m:ExpiredMemory|ArchivedMemory) ON EACH [m.scope, m.content, m.subject]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}}
