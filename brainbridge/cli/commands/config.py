"""config: the constants of a brain's law, which live in the graph, and the settings, which do not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch, Verb, unknown_word
from brainbridge.cli.output import Column, Grid, instant
from brainbridge.domain.errors import DatabaseUnreachable, InvalidValue, SettingsError

if TYPE_CHECKING:
    from brainbridge.cli.origins import Origin
    from brainbridge.graph.law import LawVersion


@click.group("config", cls=Branch, help=COMMANDS["config"][1])
def config() -> None: ...


@config.command("show", cls=Verb)
@click.option("--origin", is_flag=True, help="Say where each setting comes from.")
@click.pass_obj
def show(context: Context, *, origin: bool) -> None:
    """Show the constants in force and the settings."""
    from brainbridge.cli.origins import origins

    found = origins(context.settings, flags={"uri": context.uri})
    version, problem = _law_in_force(context)
    data = {
        "brain": context.brain or context.settings.brain,
        **(_described(version) if version else {"version": None, "law": None}),
        "settings": [{"name": s.name, "value": s.value, "origin": s.origin} for s in found],
    }
    law_blocks = _law_blocks(version) if version else [f"the law: {problem}"]
    context.out.show("config/1", data, *law_blocks, "", _settings_grid(found, origin=origin))


@config.command("set", cls=Verb)
@click.argument("changes", metavar="NAME=VALUE…", nargs=-1, required=True)
@click.pass_obj
def set_(context: Context, *, changes: Sequence[str]) -> None:
    """Change constants of the law; the version in force is closed, a new one begins.

    NAME as in `config show`: lambdaWorking or lambda_working.
    """
    wanted = dict(_change(text) for text in changes)
    with context.open_brain(logs=True) as brain:
        before = brain.law()
        after = brain.set_law(**wanted)
    changed = [
        (_camel(name), getattr(before.law, name), getattr(after.law, name))
        for name in wanted
        if getattr(before.law, name) != getattr(after.law, name)
    ]
    lines = [f"{name}: {_shown(old)} → {_shown(new)}" for name, old, new in changed] or ["nothing changed"]
    data = {"brain": brain.name, "changed": [name for name, *_ in changed], **_described(after)}
    context.out.show("config-set/1", data, *lines, f"version {after.version} is in force")


@config.command("history", cls=Verb)
@click.pass_obj
def history(context: Context) -> None:
    """Show every version of the constants, newest first, and what each changed."""
    with context.open_brain() as brain:
        versions = brain.law_history()
    columns = (Column("version", "number"), Column("from"), Column("to"), Column("changed"))
    rows = [
        (new.version, new.valid_from, instant(new.valid_to) or "now", _difference(old, new))
        for new, old in zip(versions, [*versions[1:], None], strict=True)
    ]
    data = {"brain": brain.name, "versions": [_described(version) for version in versions]}
    context.out.show("config-history/1", data, Grid(columns, rows))


def _law_in_force(context: Context) -> tuple["LawVersion | None", str]:
    """The brain's law, or why it cannot be shown; the settings are worth seeing just then. Starts no server."""
    from brainbridge.app import connect

    name = context.brain or context.settings.brain
    try:
        with connect(name, settings=context.settings, start=False) as brain:
            return brain.law(), ""
    except (DatabaseUnreachable, SettingsError) as error:
        if context.brain is not None and not isinstance(error, DatabaseUnreachable):
            raise
        return None, str(error)


def _change(text: str) -> tuple[str, float | str]:
    """`lambdaWorking=0.25` as the constant's own name and a number; `promotionBasis=event` is the one with a word."""
    from brainbridge.domain.energy import Law

    given, equals, value = text.partition("=")
    known = {name.replace("_", ""): name for name in Law.names()}
    name = known.get(given.replace("_", "").lower())
    if not equals or name is None:
        shown = [_camel(constant) for constant in Law.names()]
        raise InvalidValue(unknown_word(given, "a constant", shown) if equals else f"{text!r} is not NAME=VALUE.")
    if name == "promotion_basis":
        return name, value.strip().lower()
    try:
        return name, float(value)
    except ValueError:
        raise InvalidValue(f"{given} cannot be {value!r}: it must be a number.") from None


def _camel(name: str) -> str:
    from brainbridge.domain.naming import camel

    return camel(name)


def _described(version: "LawVersion") -> dict[str, Any]:
    from brainbridge.graph.law import properties_of_law

    return {
        "version": version.version,
        "validFrom": version.valid_from,
        "validTo": version.valid_to,
        "law": properties_of_law(version.law),
    }


def _difference(old: "LawVersion | None", new: "LawVersion") -> str:
    from brainbridge.graph.law import properties_of_law

    if old is None:
        return "the first"
    before, after = properties_of_law(old.law), properties_of_law(new.law)
    changed = [name for name in after if before[name] != after[name]]
    return ", ".join(f"{name} {_shown(before[name])} → {_shown(after[name])}" for name in changed)


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _law_blocks(version: "LawVersion") -> list[str | Grid]:
    from brainbridge.graph.law import properties_of_law

    rows = [(name, _shown(value)) for name, value in properties_of_law(version.law).items()]
    since = f" since {instant(version.valid_from)}" if version.valid_from else ""
    return [f"the law, version {version.version}{since}", Grid((Column("constant"), Column("value", "number")), rows)]


def _settings_grid(found: "list[Origin]", *, origin: bool) -> Grid:
    rows = [(s.name, f"{s.value:g}" if isinstance(s.value, float) else s.value, s.origin) for s in found]
    columns = (Column("setting"), Column("value"), Column("from"))
    return Grid(columns, rows) if origin else Grid(columns[:2], [row[:2] for row in rows])
