// schema/energy_event_id: an event is written once, although its transaction may be tried again.
//
// Runs     write; again changes nothing
CREATE CONSTRAINT energy_event_id IF NOT EXISTS FOR (e:EnergyEvent) REQUIRE e.id IS UNIQUE
