"""What an agent writes to a hook's stdin, read without ever waiting for an agent that writes nothing."""

import json
import os
import select
import sys
import time
from collections.abc import Mapping
from typing import Any

MOST = 1_048_576  # bytes
# An agent has written its event before Python has started; this is for one that is late, or never writes.
PATIENCE = 0.1  # seconds
_PIECE = 65_536


def read_payload(*, patience: float = PATIENCE) -> Mapping[str, Any]:
    """The event as the agent describes it; empty if it does not, or not in time, or in more than 1 MiB."""
    if sys.stdin is None or os.isatty(0):  # closed before we began, or a person at a keyboard
        return {}
    try:
        return _parsed(_read(time.monotonic() + patience))
    except OSError:
        return {}


def _read(deadline: float) -> bytes:
    received = b""
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([0], [], [], left)[0]:
            break
        piece = os.read(0, _PIECE)
        if not piece:
            break
        # What is too long is still read, so that its writer does not meet a closed pipe, and thrown away.
        received = received + piece if len(received) <= MOST else received
        # Some agents keep the pipe open: a whole object that nothing follows is the end as well.
        if piece.rstrip().endswith(b"}") and not select.select([0], [], [], 0)[0] and _parsed(received):
            break
    return received


def _parsed(received: bytes) -> Mapping[str, Any]:
    if len(received) > MOST:
        return {}
    try:
        payload = json.loads(received)
    except ValueError:
        return {}
    return payload if isinstance(payload, dict) else {}
