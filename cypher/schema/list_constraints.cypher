// schema/list_constraints: the names of the constraints that are in force.
//
// Returns  name       string
// Runs     read
SHOW CONSTRAINTS
YIELD name
RETURN name
