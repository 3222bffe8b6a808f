"""The built package, outside the checkout: every .cypher file is in it, byte for byte, and it runs from there."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import brainbridge

CHECKOUT = Path(brainbridge.__file__).parent.parent
CYPHER = CHECKOUT / "cypher"


def built(kind: str, source: Path, folder: Path) -> Path:
    """Build a wheel or an sdist of `source` without a network; the file."""
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)],
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (file,) = folder.iterdir()
    return file


def cypher_files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return built("wheel", CHECKOUT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the wheel installs."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked source distribution of this checkout."""
    file = built("sdist", CHECKOUT, tmp_path_factory.mktemp("sdist"))
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(file) as archive:
        archive.extractall(folder, filter="data")
    (root,) = folder.iterdir()
    return root


def outside(unpacked: Path, tmp_path: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run a program that finds the unpacked wheel before any other brainbridge, from a folder of nobody."""
    return subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_carries_every_cypher_file_byte_for_byte(unpacked: Path) -> None:
    """cypher/ becomes brainbridge/_cypher/, with its README; nothing is missing, added or altered."""
    packaged = cypher_files(unpacked / "brainbridge" / "_cypher")

    assert cypher_files(CYPHER) == packaged


def test_the_wheel_is_typed_and_carries_the_locks(unpacked: Path) -> None:
    """py.typed and the lock files of the managed Neo4j are data that a wheel must not lose."""
    package = unpacked / "brainbridge"
    locks = {path.name for path in (CHECKOUT / "brainbridge" / "local_neo4j" / "locks").iterdir()}

    assert (package / "py.typed").is_file()
    assert locks == {path.name for path in (package / "local_neo4j" / "locks").iterdir()}


def test_the_wheel_holds_the_package_and_nothing_else(unpacked: Path) -> None:
    """No tests, tools or docs end up beside the package in somebody's site-packages."""
    top = {path.name for path in unpacked.iterdir() if not path.name.endswith(".dist-info")}

    assert {"brainbridge"} == top


def test_the_programs_are_installed(unpacked: Path) -> None:
    """brainbridge and brainBridge call one function; agents call a program of their own."""
    (points,) = unpacked.glob("*.dist-info/entry_points.txt")
    lines = points.read_text().splitlines()

    scripts = dict(line.split(" = ") for line in lines if " = " in line)
    assert scripts == {
        "brainbridge": "brainbridge.cli.main:main",
        "brainBridge": "brainbridge.cli.main:main",
        "brainbridge-hook": "brainbridge.hooks.main:main",
    }


def test_the_version_is_printed_from_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    """`brainbridge --version` outside the checkout."""
    program = "import sys; from brainbridge.cli.main import main; sys.exit(main(['--version']))"

    done = outside(unpacked, tmp_path, program)

    assert (0, f"brainbridge {brainbridge.__version__}\n", "") == (done.returncode, done.stdout, done.stderr)


def test_every_statement_loads_from_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    """The loader takes the packaged folder, and every header in it holds."""
    program = (
        "from brainbridge.graph.cypher import cypher_folder, statements\n"
        "print(cypher_folder()); print(len(statements()))"
    )

    done = outside(unpacked, tmp_path, program)

    assert done.stderr == ""
    folder, count = done.stdout.split()
    assert unpacked / "brainbridge" / "_cypher" == Path(folder)
    assert len(list(CYPHER.glob("*/*.cypher"))) == int(count)


def test_the_sdist_carries_cypher_and_licence(sdist: Path) -> None:
    """Who builds from source gets the law too."""
    assert cypher_files(CYPHER) == cypher_files(sdist / "cypher")
    assert (sdist / "LICENSE").is_file()
    assert (sdist / "README.md").is_file()


def test_a_wheel_built_from_the_sdist_is_the_same(sdist: Path, unpacked: Path, tmp_path: Path) -> None:
    """The sdist lacks nothing that the wheel is made of."""
    with zipfile.ZipFile(built("wheel", sdist, tmp_path)) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}

    assert {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()} == names
