// edges/list_relations: the declared relations of one memory, in both directions, the oldest first.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only a test memory, false: only a real one
//          $id         string      the live or expired memory; relations stay with it through promotions
// Returns  relation    string      EXTENDS, UPDATES, DERIVES or CONTRADICTS; relationships of other types are not looked at
//          outgoing    boolean     true: this memory says it of the other
//          other       map         all properties of the other memory
//          created     datetime    when it was declared
//          declaredBy  string
//          lastApplied datetime    when it last had its effect; null before
// Runs     read
// Browser  :param {brain: 'milo', isTest: false, id: '…'}
MATCH (m:Memory {id: $id}) WHERE m.brain = $brain AND m.isTest = $isTest
MATCH (m)-[edge:EXTENDS|UPDATES|DERIVES|CONTRADICTS]-(other)
WHERE other.brain = $brain AND other.isTest = $isTest AND other <> m
RETURN type(edge) AS relation, startNode(edge) = m AS outgoing, properties(other) AS other,
       edge.created AS created, edge.declaredBy AS declaredBy, edge.lastApplied AS lastApplied
ORDER BY created, relation, other.id
