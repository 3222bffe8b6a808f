"""What every command is given: the shared flags, and the way to settings, a brain and the output."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from brainbridge.cli.output import Output
from brainbridge.domain.errors import BrainbridgeError, DatabaseUnreachable, SettingsError

if TYPE_CHECKING:
    from brainbridge.app import Brain
    from brainbridge.graph.connection import Graph
    from brainbridge.local_neo4j.progress import Progress
    from brainbridge.local_neo4j.server import LocalServer
    from brainbridge.settings import Settings


@dataclass
class Context:
    """One call of the program. The flags may stand before and after the command; the later one wins."""

    brain: str | None = None
    uri: str | None = None
    json: bool = False
    quiet: bool = False
    verbose: int = 0
    color: bool | None = None

    @cached_property
    def out(self) -> Output:
        """Where results and talk go."""
        return Output(as_json=self.json, quiet=self.quiet, color=self.color)

    @cached_property
    def settings(self) -> "Settings":
        """All settings; an address given as a flag also wins over a brain's profile.

        Raises:
            SettingsError: one of them cannot be used.
        """
        from brainbridge.settings import load_settings

        return load_settings(uri=self.uri)

    @contextmanager
    def open_brain(self, *, logs: bool = False) -> Iterator["Brain"]:
        """The brain that is meant, with the managed server started if need be.

        Args:
            logs: the command changes energies, so it also writes consolidation.log.

        Raises:
            SettingsError: no brain is named; the known ones are listed if a database answers.
            BrainbridgeError: it cannot be opened, or the log cannot be written; nothing was done.
        """
        from brainbridge.app import connect
        from brainbridge.local_neo4j.progress import closing

        self.start_logging(to_file=logs)
        name = self.named_brain()
        self.refuse_missing_database(name)
        progress = self.progress()
        with closing(progress):
            brain = connect(name, settings=self.settings, progress=progress)
        with brain:
            yield brain

    @contextmanager
    def open_graph(self, *, start: bool = True, prepared: bool = True) -> Iterator["Graph"]:
        """The database alone, for what concerns no single brain.

        Args:
            start: start the managed server if it is not running.
            prepared: refuse to make a managed server where there is none yet.
        """
        from brainbridge.app import open_graph
        from brainbridge.local_neo4j.progress import closing

        self.start_logging()
        brain = self.brain or self.settings.brain
        if prepared:
            self.refuse_missing_database(brain)
        progress = self.progress()
        with closing(progress):
            graph = open_graph(self.settings.for_brain(brain), start=start, progress=progress)
        with graph:
            yield graph

    def start_logging(self, *, to_file: bool = False) -> None:
        """Send events to stderr as -q and -v say, and to consolidation.log if asked.

        Raises:
            BrainbridgeError: the log cannot be written.
        """
        from brainbridge import logs

        log_file = self.settings.log_file
        verbosity = -1 if self.quiet else self.verbose
        try:
            logs.configure(log_file if to_file else None, verbosity=verbosity)
            if to_file:
                log_file.open("a", encoding="utf-8").close()
        except OSError as error:
            raise BrainbridgeError(
                f"cannot write the log {log_file}: {error.strerror}. Nothing was done. Give yourself the right, "
                "or choose another place with BRAINBRIDGE_HOME."
            ) from error

    def progress(self) -> "Progress":
        """Who hears what a long start is doing."""
        from brainbridge.local_neo4j.progress import Silent, progress_on

        return Silent() if self.quiet else progress_on()

    @contextmanager
    def server(self) -> Iterator["LocalServer"]:
        """The managed Neo4j."""
        from brainbridge.local_neo4j.progress import closing
        from brainbridge.local_neo4j.server import LocalServer

        progress = self.progress()
        with closing(progress):
            yield LocalServer(self.settings, progress)

    def refuse_missing_database(self, brain: str | None) -> None:
        """Raise if neither an address is set nor a managed server was ever made: only `init` downloads one."""
        if self.settings.for_brain(brain).uri is not None:
            return
        with self.server() as local:
            made = local.path.is_dir()
        if not made:
            raise DatabaseUnreachable(
                "there is no database yet. Run: brainbridge init NAME (it installs a local Neo4j), "
                "or set BRAINBRIDGE_URI to one of yours."
            )

    def named_brain(self) -> str:
        """The brain that is meant.

        Raises:
            SettingsError: none is named and none is the default. InvalidValue: it cannot be a name.
        """
        from brainbridge.app import chosen_brain

        if self.brain is None and self.settings.brain is None:
            raise SettingsError(
                f"no brain is named and none is the default.{self._known_brains()} "
                "Give --brain=NAME, or set BRAINBRIDGE_BRAIN."
            )
        return chosen_brain(self.brain, self.settings)

    def _known_brains(self) -> str:
        """The list to choose from, if it can be had without starting a server."""
        from brainbridge.app import list_brains
        from brainbridge.domain.naming import listed

        try:
            with self.open_graph(start=False) as graph:
                known = list_brains(graph)
        except BrainbridgeError:
            return ""
        return f" There are: {listed(known)}." if known else " There is none yet: brainbridge init NAME makes one."
