// learning/list_lives: every memory that was opened, with all its openings and the times at which it was not live.
//
// Params   $brain      string      which brain
//          $isTest     boolean     true: only test memories, false: only real ones
// Returns  node        string      handle of the memory, for learning/create_co_recalled in the same transaction
//          root        string      the first id of its lineage
//          openings    list        instants
//          changes     list        maps {at, kind, tier} of the events after which it was live or not, in no order
//          related     list        maps {root, since}, one for each declared relation: to whom, and since when
// Runs     read; all openings that are kept
//
// No label on e and c: from the memory on, or the planner would rather scan the events while there are few.
MATCH (o:EnergyEvent)
USING INDEX o:EnergyEvent(brain, isTest, kind, at)
WHERE o.brain = $brain AND o.isTest = $isTest AND o.kind = 'opened' AND o.at IS NOT NULL
MATCH (o)-[:OF]->(m)
WHERE m.brain = $brain AND m.isTest = $isTest AND m.root IS NOT NULL
WITH m, collect(o.at) AS openings
RETURN elementId(m) AS node, m.root AS root, openings,
       COLLECT {
         MATCH (m)<-[:OF]-(c)
         WHERE c.brain = $brain AND c.isTest = $isTest
           AND c.kind IN ['expired', 'forgotten', 'superseded', 'revived', 'restored', 'edited']
         RETURN c {.at, .kind, .tier}
       } AS changes,
       COLLECT {
         MATCH (m)-[r:EXTENDS|UPDATES|DERIVES|CONTRADICTS]-(other)
         WHERE other.brain = $brain AND other.isTest = $isTest AND other.root IS NOT NULL AND other <> m
         RETURN {root: other.root, since: r.created}
       } AS related
