// config/read_law: the constants in force and the instant, in one trip: each costs half a millisecond.
//
// Params   $brain      string      which brain
// Returns  configs     list        properties of each ConsolidationConfig without validTo: one in a healthy store
//          now         datetime    the server's clock, UTC, to the millisecond
// Runs     read
// Browser  :param {brain: 'milo'}
OPTIONAL MATCH (c:ConsolidationConfig {brain: $brain})
WHERE c.validTo IS NULL
RETURN collect(properties(c)) AS configs, datetime.truncate('millisecond', datetime.realtime('UTC')) AS now
