// brains/register_brain: make a brain known. Only `init` and `brains add` do this; no other verb makes one by accident.
//
// Params   $brain      string      its name
//          $now        datetime    instant of registration, UTC
// Returns  name        string      whether it is new is in the statement's counters
// Runs     write; again changes nothing
// Browser  :param {brain: 'milo'}
//          :param now => datetime()
MERGE (b:Brain {name: $brain})
  ON CREATE SET b.created = $now
RETURN b.name AS name
