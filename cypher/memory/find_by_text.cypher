// memory/find_by_text: live memories whose content or subject holds a piece of text, whatever its case.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
//          $text       string      the piece
//          $limit      integer     how many candidates are enough
// Returns  memory      map
// Runs     read; looks at every live memory of the brain
// Browser  :param {brain: 'milo', isTest: false, text: 'port', limit: 6}
MATCH (m:LiveMemory)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.id IS NOT NULL
  AND (toLower(toStringOrNull(m.content)) CONTAINS toLower($text)
    OR toLower(toStringOrNull(m.subject)) CONTAINS toLower($text))
RETURN properties(m) AS memory
LIMIT $limit
