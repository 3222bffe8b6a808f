// schema/config_brain: the constants of one brain without looking at those of the others.
//
// Runs     write; again changes nothing
CREATE INDEX config_brain IF NOT EXISTS FOR (c:ConsolidationConfig) ON (c.brain)
