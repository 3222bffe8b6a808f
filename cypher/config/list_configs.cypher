// config/list_configs: every version of a brain's constants, newest first.
//
// Params   $brain      string      which brain
// Returns  config      map         all properties of one version
// Runs     read
// Browser  :param {brain: 'milo'}
MATCH (c:ConsolidationConfig {brain: $brain})
RETURN properties(c) AS config
ORDER BY c.version DESC
