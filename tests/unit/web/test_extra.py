"""The page is an extra: who has not installed it is told how, and who has pays for it only when it is used."""

import subprocess
import sys

import pytest

from brainbridge.domain.errors import BrainbridgeError
from brainbridge.web import require


def test_a_missing_extra_is_named() -> None:
    """The error says what to install; with everything there nothing happens."""
    require("json")

    with pytest.raises(BrainbridgeError, match=r"pip install 'brainbridge\[web\]'"):
        require("json", "surely_not_installed")


def test_nobody_loads_a_web_server_unasked() -> None:
    """Neither the daemon without its page nor any other command imports the extra."""
    program = (
        "import sys, brainbridge.daemon.service\n"
        "import brainbridge.cli.commands.learning, brainbridge.cli.commands.dashboard\n"
        "print(sorted({'starlette', 'uvicorn', 'jinja2'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()
