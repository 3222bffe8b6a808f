// schema/energy_event_at: the events of a brain, scope and kind by their instants, for what was opened just now, for reports
// and for what is old enough to go.
//
// Runs     write; again changes nothing
CREATE INDEX energy_event_at IF NOT EXISTS FOR (e:EnergyEvent) ON (e.brain, e.isTest, e.kind, e.at)
