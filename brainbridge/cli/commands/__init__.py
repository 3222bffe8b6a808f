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
        "dashboard": ("dashboard", "Look at a brain in the browser."),
        "browser": ("browser", "Open Neo4j Browser; make its scripts and its style."),
        "embed": ("embed", "Give memories the vectors that recall finds meanings by."),
        "daemon": ("daemon", "Consolidate on a schedule."),
        "hooks": ("hooks", "Let Claude Code, Codex, Gemini CLI, Cursor or git call brainbridge."),
        "mcp": ("mcp", "Let agents use a brain over MCP."),
    },
    "Memories": {
        "remember": ("memories", "Remember a text."),
        "recall": ("recall", "Find the memories that answer a question, and say if none does."),
        "capture": ("memories", "Write down a crystallization, learning or reminder, with its own node."),
        "boost": ("memories", "Add one access to a memory: +1.0 energy."),
        "open": ("reading", "Read one memory in full."),
        "list": ("listing", "List the memories, the most energetic first."),
        "explain": ("reading", "Say why a memory stands where it stands, and what becomes of it."),
        "history": ("reading", "Show every event of a memory, and the course of its energy."),
        "lineage": ("memories", "Show a memory's way through the tiers."),
        "link": ("relations", "Declare what one memory says of another."),
        "unlink": ("relations", "Take a declared relation back."),
        "pin": ("care", "Protect a memory: it no longer fades."),
        "unpin": ("care", "Let a protected memory fade again."),
        "forget": ("care", "Put a memory into the archive."),
        "restore": ("care", "Bring a forgotten memory back."),
        "supersede": ("care", "Let one memory take the place of another."),
        "export": ("transfer", "Write all memories, their events and edges to a file."),
        "import": ("transfer", "Take in an export, plain notes or Markdown files."),
        "test-memory": ("test_memory", "Make, list and clear test memories."),
    },
    "Consolidation": {
        "consolidate": ("consolidation", "Decay, relate, expire and promote: a whole run."),
        "decay": ("consolidation", "Bring every energy to now."),
        "promote": ("consolidation", "Promote what stands above its threshold."),
        "expire": ("consolidation", "Mark what has faded below the threshold."),
        "goodbye": ("goodbye", "Consolidate in the background and return at once."),
    },
    "Learning": {
        "misses": ("learning", "List the questions that recall had no strong answer to."),
        "shadow": ("learning", "Compare a candidate ranking with the live one, by what was opened."),
        "report": ("learning", "Say what was captured, used, hardened and lost, and what had no answer."),
        "learning": ("learning", "Count again what is recalled together; let old records go."),
    },
    "Look": {
        "status": ("look", "Count the memories in each tier; say what comes next."),
        "health": ("look", "Say whether the law is in force and runs."),
        "verify": ("reading", "Prove that the events of every memory lead to its energy."),
        "simulate": ("simulate", "Show how long an untouched memory of each kind lives."),
        "cypher": ("cypher", "Run Cypher, read-only unless told otherwise; show our statements."),
    },
}

COMMANDS: dict[str, tuple[str, str]] = {name: entry for section in SECTIONS.values() for name, entry in section.items()}
