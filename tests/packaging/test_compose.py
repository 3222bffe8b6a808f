"""The container files say what the documentation promises; where a container engine runs, it checks them itself."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import NEO4J_IMAGE

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")


def test_ports_are_published_on_loopback_only() -> None:
    """Every published port names 127.0.0.1."""
    ports = re.findall(r'^\s+- "([\d.:]+)"', COMPOSE, re.MULTILINE)

    assert ["127.0.0.1:7474:7474", "127.0.0.1:7687:7687"] == ports


def test_the_password_has_no_default() -> None:
    """Compose stops with a hint where NEO4J_PASSWORD is not set."""
    assert 2 == COMPOSE.count("${NEO4J_PASSWORD:?put NEO4J_PASSWORD into .env}")


def test_the_daemon_waits_for_a_healthy_database_and_the_store_is_a_volume() -> None:
    """healthcheck, depends_on and volumes are there, and the image is the one the tests run."""
    for line in (f"image: {NEO4J_IMAGE}", "healthcheck:", "condition: service_healthy", "neo4j-data:/data"):
        assert line in COMPOSE


def test_the_image_holds_what_it_needs() -> None:
    """What the Dockerfile copies is let through by .dockerignore."""
    copied = re.findall(r"^COPY (.+) \S+$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()

    for name in " ".join(copied).split():
        assert f"!{name}" in ignored
        assert (ROOT / name).exists()


@pytest.mark.skipif(
    shutil.which("docker") is None
    or subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode != 0,
    reason="docker compose is not installed here; the checks above stand in",
)
def test_compose_accepts_the_file() -> None:
    """`docker compose config` reads it without an error."""
    done = subprocess.run(
        ["docker", "compose", "config", "--quiet"],
        cwd=ROOT,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "NEO4J_PASSWORD": "a-password"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)
