"""`python -m brainbridge.daemon --brain NAME [--once]`: what the units of systemd and launchd start."""

import argparse
import sys

from brainbridge import logs
from brainbridge.app import chosen_brain
from brainbridge.daemon.service import serve
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.settings import load_settings


def main() -> int:
    """Run the daemon; the exit code is the one of the error that ended it, if one did."""
    parser = argparse.ArgumentParser("brainbridge.daemon", description=__doc__)
    parser.add_argument("--brain", help="the brain to look after; the default one if not given")
    parser.add_argument("--once", action="store_true", help="do what is due, then end")
    options = parser.parse_args()
    try:
        settings = load_settings()
        logs.configure(settings.log_file)
        return serve(settings, chosen_brain(options.brain, settings), once=options.once)
    except BrainbridgeError as error:
        sys.stderr.write(f"brainbridge: {error}\n")
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
