// schema/live_cjk: the live memories of a scope by pairs of Chinese, Japanese or Korean characters, for recall.
//
// Runs     write; again changes nothing
//
// As live_text; its analyzer would take such a text apart into single characters. Neo4j takes two
// indexes on the same properties in the same order for one, whatever their analyzers; hence subject before content.
CREATE FULLTEXT INDEX live_cjk IF NOT EXISTS FOR (m:LiveMemory) ON EACH [m.scope, m.subject, m.content]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: true}}
