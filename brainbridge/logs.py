"""Logging: structlog events on standard logging, rendered as JSON lines in the log file and for people on a terminal.

As a library brainbridge stays silent (a NullHandler); the doors call `configure`. Events are `noun.verb_past`, keys
carry their unit, and content of memories is never logged at info. An error may quote what somebody typed, so every text
is freed of secrets, wherever the event goes.
"""

import logging
import sys
from collections.abc import Mapping
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

import structlog
from structlog.stdlib import BoundLogger, ProcessorFormatter
from structlog.typing import EventDict

from brainbridge.domain.secrets import redacted

_ROOT = "brainbridge"
logging.getLogger(_ROOT).addHandler(logging.NullHandler())


def get_logger(name: str) -> BoundLogger:
    """A logger whose events go to standard logging, whatever structlog configuration the program around us has."""
    logger: BoundLogger = structlog.wrap_logger(
        logging.getLogger(name),
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
            structlog.processors.format_exc_info,
            _without_secrets,
            ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=BoundLogger,
        context_class=dict,
    )
    return logger


def configure(log_file: Path | None, *, verbosity: int = 0) -> None:
    """Send events to `log_file` as JSON lines, and to stderr for people when asked.

    Args:
        log_file: made with its folder if missing; None for no file.
        verbosity: 0 shows warnings on stderr, 1 everything at info, 2 debug; negative nothing.
    """
    root = logging.getLogger(_ROOT)
    for handler in [h for h in root.handlers if not isinstance(h, logging.NullHandler)]:
        root.removeHandler(handler)
        handler.close()
    root.propagate = False
    root.setLevel(logging.DEBUG if verbosity > 1 else logging.INFO)
    if log_file is not None:
        root.addHandler(_file_handler(log_file))
    if verbosity >= 0:
        root.addHandler(_console_handler(verbosity))


def show_libraries(*, verbosity: int = 0) -> None:
    """Send what the libraries around us log to stderr too, as ours is sent; for doors whose stdout is a protocol.

    Without it the SDKs bring handlers of their own, and show secrets.
    """
    root = logging.getLogger()
    root.setLevel(logging.DEBUG if verbosity > 1 else logging.INFO)
    root.handlers = [_console_handler(verbosity) if verbosity >= 0 else logging.NullHandler()]


def _file_handler(log_file: Path) -> logging.Handler:
    log_file.parent.mkdir(parents=True, exist_ok=True)
    # Watched, so that whoever rotates the file can move it away: with RotatingFileHandler four processes writing at
    # once lost 922 of 4,000 lines (measured).
    handler = WatchedFileHandler(log_file, encoding="utf-8", delay=True)
    handler.setFormatter(_formatter(structlog.processors.JSONRenderer()))
    return handler


def _console_handler(verbosity: int) -> logging.Handler:
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel([logging.WARNING, logging.INFO, logging.DEBUG][min(verbosity, 2)])
    handler.setFormatter(_formatter(structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())))
    return handler


def _formatter(renderer: Any) -> ProcessorFormatter:
    return ProcessorFormatter(
        processors=[ProcessorFormatter.remove_processors_meta, _without_empty, renderer],
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
            structlog.processors.format_exc_info,
            _without_secrets,
        ],
    )


def _without_secrets(_: object, __: str, event: EventDict) -> EventDict:
    return {key: _freed(value) for key, value in event.items()}


def _freed(value: Any) -> Any:
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, Mapping):
        return {key: _freed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_freed(item) for item in value]
    return value


def _without_empty(_: object, __: str, event: EventDict) -> EventDict:
    return {key: value for key, value in event.items() if value is not None}
