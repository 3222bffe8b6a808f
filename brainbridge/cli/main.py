"""The entry point of both scripts, `brainbridge` and `brainBridge`.

What must be fast is answered with the standard library alone: old command lines are translated, the version is printed
and goodbye is sent off before anything large is loaded. Errors become one line on stderr and an exit code here.
"""

import errno
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from brainbridge.cli.commands import COMMANDS
from brainbridge.cli.legacy import position_of_operand, translate
from brainbridge.domain.errors import Ambiguous, BrainbridgeError, UsageError

if TYPE_CHECKING:
    from brainbridge.cli.context import Context

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one command line; its exit code.

    Args:
        argv: the tokens after the program's name; those of the process if not given.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _version() if given in (["--version"], ["-V"]) else _dispatch(given)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone. Python flushes once more at exit and would complain; let it do so into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _refused(UsageError(f"cannot write to standard output: {error.strerror}."))
    return code


def _version() -> int:
    import brainbridge

    sys.stdout.write(f"brainbridge {brainbridge.__version__}\n")
    return 0


def _dispatch(given: list[str]) -> int:
    try:
        argv = translate(given, COMMANDS)
    except BrainbridgeError as error:
        return _refused(error)
    command = position_of_operand(argv)
    if command is not None and argv[command] == "goodbye" and not {"-h", "--help"} & set(argv):
        from brainbridge.cli.goodbye import goodbye

        return goodbye(argv[:command] + argv[command + 1 :])
    return _carry_out(argv)


def _carry_out(argv: list[str]) -> int:
    from brainbridge.cli.context import Context
    from brainbridge.cli.output import prepare_streams

    prepare_streams()
    context = Context()
    try:
        return _click(argv, context)
    except BrainbridgeError as error:
        return _refused(error, verbose=context.verbose > 0)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT) and error.filename is None:
            raise  # standard output; a file's name would stand with it
        return _unexpected(error, verbose=context.verbose > 0)
    except Exception as error:
        return _unexpected(error, verbose=context.verbose > 0)


def _click(argv: list[str], context: "Context") -> int:
    import click

    from brainbridge.cli.output import complain
    from brainbridge.cli.root import cli

    try:
        code = cli.main(argv, prog_name="brainbridge", standalone_mode=False, obj=context)
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(f"{error.format_message()}\n")
        return error.exit_code
    except click.UsageError as error:
        see = f" See: {error.ctx.command_path} --help" if error.ctx else ""
        hint = _dashed_text(argv) if isinstance(error, click.NoSuchOption) else ""
        complain((hint or _sentence(_one_line(error.format_message()))) + see)
        return error.exit_code
    except click.ClickException as error:
        complain(_one_line(error.format_message()))
        return error.exit_code
    except click.Abort:
        return INTERRUPTED
    except SystemExit as leaving:  # click's own way out when the reader of a pipe has gone
        return leaving.code if isinstance(leaving.code, int) else 1
    return code if isinstance(code, int) else 0


def _dashed_text(argv: Sequence[str]) -> str:
    """What to say of a text that begins with a dash and was taken for an option; nothing if there is none."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    text = next((word for word in options if word.startswith("-") and any(map(str.isspace, word))), None)
    if text is None:
        return ""
    return f"{_one_line(repr(text))} begins with a dash, so it is taken for an option. Put -- before it."


def _refused(error: BrainbridgeError, *, verbose: bool = False) -> int:
    from brainbridge.cli.output import complain, prepare_streams
    from brainbridge.domain.printable import printable

    prepare_streams()
    if verbose:
        _print_traceback()
    if isinstance(error, Ambiguous):  # the one error that is more than a line: its candidates are listed
        complain("\n  ".join(printable(line) for line in str(error).splitlines()))
    else:
        complain(printable(str(error)))
    return error.exit_code


def _unexpected(error: Exception, *, verbose: bool) -> int:
    from brainbridge.cli.output import complain

    hint = "" if verbose else " Run it again with -v for the traceback; it is a bug worth reporting."
    if verbose:
        _print_traceback()
    complain(_sentence(f"unexpected {type(error).__name__}: {_one_line(str(error))}") + hint)
    return 1


def _print_traceback() -> None:
    import traceback

    from brainbridge.domain.secrets import redacted

    sys.stderr.write(redacted(traceback.format_exc()))


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _one_line(text: str) -> str:
    from brainbridge.domain.printable import printable

    return printable(text)
