"""`brainbridge goodbye`: ask for a consolidation and be gone. Standard library only; a hook waits for us.

It leaves one file in the spool. The daemon of the brain answers it; if none runs, a worker in a session of its own
does. What comes of it stands in consolidation.log. It ends with 2 if the command line itself is wrong, in all else
with 0: a hook must not fail because a database is down or a disk is full.
"""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from brainbridge.daemon.detach import detach_worker
from brainbridge.daemon.lock import daemon_lock, is_held
from brainbridge.daemon.names import is_brain
from brainbridge.daemon.quick import quick_settings
from brainbridge.daemon.spool import Spool

_SILENT_ANYWAY = frozenset({"-q", "--quiet", "-v", "--verbose", "--json"})


class _Request(NamedTuple):
    brain: str | None
    is_test: bool


def goodbye(argv: Sequence[str]) -> int:
    """Spool one goodbye, and see to it that somebody answers it.

    Args:
        argv: the command line without the program's name; the word `goodbye` may be among it.

    Returns:
        The exit code: 2 for a wrong command line or no brain to say goodbye to, else 0.
    """
    try:
        request = _parsed(argv)
    except ValueError as error:
        return _said(str(error), 2)
    try:
        settings = quick_settings()
    except (OSError, ValueError) as error:
        return _said(f"not done, the configuration cannot be read: {error}", 0)
    brain = request.brain if request.brain is not None else settings.brain
    if brain is None:
        return _said("no brain is named and none is the default. Give --brain=NAME, or set BRAINBRIDGE_BRAIN.", 2)
    if not is_brain(brain):
        return _said(
            f"{brain!r} cannot be a brain's name. Use 1 to 64 letters, digits, '_', '.' or '-', beginning with a "
            "letter or digit, as in --brain=milo.",
            2,
        )
    try:
        Spool(settings.home).put(brain, is_test=request.is_test)
        if not is_held(daemon_lock(settings.home, brain)):
            detach_worker()
    except OSError as error:
        return _said(f"not done: {error}", 0)
    return 0


def _parsed(argv: Sequence[str]) -> _Request:
    brain: str | None = None
    is_test = False
    rest = iter(argv)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == "--brain":
            brain = value if equals else next(rest, "")
        elif word in ("--test-only", "--testOnly"):
            is_test = True
        elif word != "goodbye" and word not in _SILENT_ANYWAY:
            raise ValueError(f"{word!r} is not an option of goodbye. It takes --brain=NAME and --test-only.")
    return _Request(brain, is_test)


def _said(text: str, code: int) -> int:
    sys.stderr.write(f"brainbridge goodbye: {text}\n")
    return code


if __name__ == "__main__":
    sys.exit(goodbye(sys.argv[1:]))
