// schema/memory_bands: near-duplicates of a text, by the bands of its MinHash signature (memory/restatement.py).
//
// Runs     write; again changes nothing
//
// Eventually consistent: a consistent full-text index costs every commit 3.5 to 5 ms, in one queue for all writers. What
// it does not show yet, at most 0.14 s measured, memory/probe_restatements finds among the newest by live_stored.
CREATE FULLTEXT INDEX memory_bands IF NOT EXISTS FOR (m:LiveMemory|ExpiredMemory) ON EACH [m.scope, m.bands]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: true}}
