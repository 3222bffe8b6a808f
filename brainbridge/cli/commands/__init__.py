"""The commands, by the headings of `brainbridge --help`: what each is for and where it stands. Data only: no imports.

A command's module is loaded when the command is called, so `--help` costs what click costs.
"""

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Set up": {
        "init": ("setup", "Set up the database and register a brain."),
        "doctor": ("doctor", "Check everything brainbridge stands on, line by line."),
        "brains": ("brains", "List the registered brains, or add one."),
        "config": ("config", "Show and change the constants of the law; show the settings."),
        "server": ("server", "Run the managed local Neo4j."),
        "browser": ("server", "Say where Neo4j Browser is and how to log in."),
        "daemon": ("daemon", "Consolidate on a schedule."),
    },
    "Memories": {
        "remember": ("memories", "Remember a text."),
        "boost": ("memories", "Add one access to a memory: +1.0 energy."),
        "history": ("memories", "Show every event that changed a memory's energy."),
        "lineage": ("memories", "Show a memory's way through the tiers."),
        "test-memory": ("test_memory", "Make, list and clear test memories."),
    },
    "Consolidation": {
        "consolidate": ("consolidation", "Decay, expire and promote: a whole run."),
        "decay": ("consolidation", "Bring every energy to now."),
        "promote": ("consolidation", "Promote what stands above its threshold."),
        "expire": ("consolidation", "Mark what has faded below the threshold."),
        "goodbye": ("goodbye", "Consolidate in the background and return at once."),
    },
    "Look": {
        "status": ("look", "Count the memories in each tier; say what comes next."),
        "health": ("look", "Say whether the law is in force and runs."),
        "simulate": ("simulate", "Show how long an untouched memory of each kind lives."),
        "cypher": ("cypher", "Run Cypher, read-only unless told otherwise; show our statements."),
    },
}

COMMANDS: dict[str, tuple[str, str]] = {name: entry for section in SECTIONS.values() for name, entry in section.items()}
