"""What all commands share: flags before and after the command, typed values, suggestions for typing errors."""

import math
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

import click

from brainbridge.cli.context import Context
from brainbridge.domain.errors import InvalidValue

# argv cannot hold a NUL, so a token marked with one is a number and nothing else.
_MARK = "\0"
_NEGATIVE = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Carry a shared flag to the one Context of the call; a default must not undo what stood further left."""
    assert param.name is not None
    if ctx.get_parameter_source(param.name) is click.core.ParameterSource.COMMANDLINE:
        setattr(ctx.find_object(Context), param.name, value)


def _shared_flags() -> list[click.Parameter]:
    def flag(*names: str, **attributes: Any) -> click.Parameter:
        return click.Option(names, expose_value=False, callback=_keep, **attributes)

    return [
        flag("--brain", metavar="NAME", help="The brain to use, if not the default one."),
        flag("--uri", metavar="URI", help="A Neo4j to use instead of the configured one."),
        flag("--json", is_flag=True, help="Print one JSON object."),
        flag("--quiet", "-q", is_flag=True, help="Say nothing but results and errors."),
        flag("--verbose", "-v", count=True, help="Say more; twice: still more. Shows tracebacks."),
        flag("--color/--no-color", default=None, help="Force or forbid colours (also: NO_COLOR)."),
    ]


class Verb(click.Command):
    """A command that also takes the shared flags.

    Args:
        takes_numbers: some operand is a number, so `-1` is one and not an option.
    """

    def __init__(self, *args: Any, takes_numbers: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params = [*self.params, *_shared_flags()]
        self._takes_numbers = takes_numbers

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not self._takes_numbers:
            return super().parse_args(ctx, args)
        end = args.index("--") if "--" in args else len(args)
        marked = [f"{_MARK}{arg}" if _NEGATIVE.match(arg) else arg for arg in args[:end]]
        rest = super().parse_args(ctx, [*marked, *args[end:]])
        ctx.params = {
            name: value.removeprefix(_MARK) if isinstance(value, str) else value for name, value in ctx.params.items()
        }
        return rest


class Branch(click.Group):
    """A group of commands that takes the shared flags itself and suggests the command that was meant."""

    command_class = Verb

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params = [*self.params, *_shared_flags()]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            raise click.UsageError(unknown_word(name, "a command", self.list_commands(ctx)), ctx)
        return super().resolve_command(ctx, args)


# A set of words this small is shown whole, beside the one that was probably meant.
MOST_LISTED = 6


def unknown_word(word: str, what: str, known: Sequence[str]) -> str:
    """`'stauts' is not a command. Did you mean status?`"""
    lowered = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), lowered, n=1)
    meant = [f"Did you mean {lowered[close[0]]}?"] if close else []
    listed = [] if close and len(known) > MOST_LISTED else [f"There are: {', '.join(known)}."]
    return " ".join([f"{word!r} is not {what}.", *meant, *listed])


class Number(click.ParamType[float]):
    """A finite number of at least `least`."""

    name = "number"

    def __init__(self, least: float = 0.0) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number) or number < self._least:
            self.fail(f"{value!r} is not a number of at least {self._least:g}.", param, ctx)
        return number


class Word(click.ParamType[StrEnum]):
    """One of a closed set of words, as it stands in the graph; click's Choice would want the names of the members."""

    name = "word"

    def __init__(self, kind: type[StrEnum], what: str) -> None:
        self._kind = kind
        self._what = what

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return f"[{'|'.join(self._kind)}]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> StrEnum:
        try:
            return self._kind(value)
        except ValueError:
            raise InvalidValue(unknown_word(value, self._what, list(self._kind))) from None


class Instant(click.ParamType[datetime]):
    """An instant, ISO 8601."""

    name = "instant"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        from brainbridge.domain.clock import parse_instant

        return value if isinstance(value, datetime) else parse_instant(value)


class Since(click.ParamType[datetime | timedelta]):
    """A number of days back from now, or an instant."""

    name = "since"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime | timedelta:
        from brainbridge.domain.clock import parse_instant

        try:
            days = float(value)
        except ValueError:
            return parse_instant(value)
        if not 0 <= days <= _MOST_DAYS:
            self.fail(f"{value!r} is not a number of days from 0 to {_MOST_DAYS:,}.", param, ctx)
        return timedelta(days=days)


_MOST_DAYS = 365_000
_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

test_only: _Decorator = click.option(
    "--test-only", "--testOnly", is_flag=True, help="Test memories instead of real ones."
)
allow_secret: _Decorator = click.option(
    "--allow-secret", is_flag=True, help="Store it even if it holds what looks like a key, a token or a password."
)
force: _Decorator = click.option("--force", is_flag=True, help="Replace the file if there is one.")
AT_HELP = "The instant to compute for, such as 2026-12-01T09:30:00Z; for tests and for replaying a history."
at_instant: _Decorator = click.option("--at", type=Instant(), metavar="INSTANT", help=AT_HELP)
