// schema/past_cjk: expired and archived memories by pairs of Chinese, Japanese or Korean characters.
//
// Runs     write; again changes nothing
//
// As past_text and live_cjk.
CREATE FULLTEXT INDEX past_cjk IF NOT EXISTS FOR (m:ExpiredMemory|ArchivedMemory) ON EACH [m.scope, m.subject, m.content]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: true}}
