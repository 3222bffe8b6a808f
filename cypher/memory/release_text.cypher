// memory/release_text: let an expired memory give up its claim on its text, so that the text can be born anew.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      which memory
// Returns  released    integer     1, or 0 if it is not expired
// Runs     write; only where reviveExpired is off
MATCH (m:Memory {id: $id})
WHERE m.brain = $brain AND m.isTest = $isTest AND m:ExpiredMemory
REMOVE m.contentKey
RETURN count(m) AS released
