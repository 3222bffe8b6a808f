// edges/count_relations: how many relations begin at a memory, declared or drawn by hand.
//
// Returns  relations   integer     in the whole database, of every brain
// Runs     read; counters of the store, no scan
RETURN COUNT { (:Memory)-[:EXTENDS]->() } + COUNT { (:Memory)-[:UPDATES]->() }
     + COUNT { (:Memory)-[:DERIVES]->() } + COUNT { (:Memory)-[:CONTRADICTS]->() } AS relations
