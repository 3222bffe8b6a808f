"""A worker's attempt at the goodbyes to one brain: bounded, and every outcome in the log."""

from collections.abc import Callable, Sequence

from brainbridge.app import connect
from brainbridge.daemon.drain import drain, log_deferred, reject_unanswerable
from brainbridge.daemon.rotate import rotate
from brainbridge.daemon.spool import Spool
from brainbridge.domain.errors import BrainbridgeError, DatabaseUnreachable, UnknownBrain
from brainbridge.local_neo4j.server import LocalServer
from brainbridge.logs import get_logger
from brainbridge.settings import Settings, load_settings

log = get_logger(__name__)


def attempt(
    spool: Spool,
    brain: str,
    *,
    tries_after: Sequence[float],
    lease_patience: float,
    sleep: Callable[[float], None],
) -> None:
    """Answer the goodbyes to `brain`. Where the database cannot be reached in any try they stay in the spool.

    Args:
        tries_after: seconds to wait before each try.
        lease_patience: seconds to wait for another run on the same memories.
    """
    try:
        settings = load_settings()
        _refuse_to_install(settings.for_brain(brain), brain)
        _try_until_reached(spool, brain, settings, tries_after, lease_patience, sleep)
        rotate(settings.log_file, settings.daemon.log_max_bytes)
    except UnknownBrain as error:
        reject_unanswerable(spool, brain, str(error))
    except BrainbridgeError as error:
        log_deferred(brain, spool.entries(brain), str(error))
    except Exception:  # a door's own duty: nobody sees a traceback of ours but in the log
        log.exception("goodbye.crashed", brain=brain)


def _try_until_reached(
    spool: Spool,
    brain: str,
    settings: Settings,
    tries_after: Sequence[float],
    lease_patience: float,
    sleep: Callable[[float], None],
) -> None:
    for number, pause in enumerate(tries_after, start=1):
        sleep(pause)
        try:
            with connect(brain, settings=settings) as opened:
                drain(spool, opened, wait_seconds=lease_patience)
            return
        except DatabaseUnreachable:
            if number == len(tries_after):
                raise


def _refuse_to_install(settings: Settings, brain: str) -> None:
    """A goodbye may start the managed server, but it must not be what downloads and installs one."""
    if settings.uri is None and not LocalServer(settings).path.is_dir():
        raise UnknownBrain(f"nothing is set up here yet. Run: brainbridge --brain={brain} init")
