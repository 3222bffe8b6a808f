"""The command tree. Commands are loaded by name when they are called: see commands/__init__.py."""

import sys
from importlib import import_module
from keyword import iskeyword

import click

import brainbridge
from brainbridge.cli.commands import COMMANDS, SECTIONS
from brainbridge.cli.context import Context
from brainbridge.cli.options import Branch
from brainbridge.cli.output import write


class Root(Branch):
    """All commands; help lists them by section without loading them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = import_module(f"brainbridge.cli.commands.{COMMANDS[name][0]}")
        attribute = name.replace("-", "_")
        command: click.Command = getattr(module, f"{attribute}_" if iskeyword(attribute) else attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, summary) for name, (_, summary) in section.items()], col_max=14)


def _print_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        write(sys.stdout, f"brainbridge {brainbridge.__version__}")
        ctx.exit()


EPILOG = """\
The shared options may stand before and after the command. Exit codes: 0 ok, 1 failed, 2 usage, 3 no database, 4 login
refused, 5 unknown brain, 6 another run in progress, 7 refused. The lines of the old brainBridge work too:
brainBridge --brain=milo -consolidateAll, brainBridge --brain=milo "MATCH …"."""


@click.command(cls=Root, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.option(
    "--version",
    "-V",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Print the version.",
)
@click.pass_obj
def cli(_: Context) -> None:
    """A memory for agents and people that fades, hardens and knows what it does not know, in a Neo4j graph."""
