// config/read_config: the constants of the law that are in force for a brain.
//
// Params   $brain      string      which brain
// Returns  config      map         all properties of each current node; exactly one row in a healthy store
// Runs     read
// Browser  :param {brain: 'milo'}
MATCH (c:ConsolidationConfig {brain: $brain})
WHERE c.validTo IS NULL
RETURN properties(c) AS config
ORDER BY c.version
