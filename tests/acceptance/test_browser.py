"""browser: how to log in, and the files that are dropped on Browser's window."""

import zipfile
from pathlib import Path

from tests.program import Program


def test_the_password_is_shown_only_when_asked_for(program: Program) -> None:
    """Not in the text, not in the JSON."""
    flag, password = f"--brain={program.brain}", program.environment["BRAINBRIDGE_PASSWORD"]

    plain, data, shown = (program("browser", flag, *more) for more in ((), ("--json",), ("--json", "--show-password")))

    assert (0, 0, 0) == (plain.code, data.code, shown.code), plain.err
    assert password not in plain.out + data.out
    assert password == shown.json["password"]


def test_the_bundle_is_filled_for_the_brain(program: Program, tmp_path: Path) -> None:
    """With the id of a memory that is there."""
    flag = f"--brain={program.brain}"
    id_ = program("remember", "something to look at", flag, "--json").json["id"]
    path = tmp_path / "milo.zip"

    done = program("browser", "--bundle", str(path), flag)

    assert 0 == done.code, done.err
    with zipfile.ZipFile(path) as archive:
        parameters = archive.read("brainbridge/parameters.cypher").decode("utf-8")
    assert f":param brain => '{program.brain}';" in parameters
    assert f":param id => '{id_}';" in parameters


def test_a_file_that_is_there_is_replaced_only_by_force(program: Program, tmp_path: Path) -> None:
    """Neither the bundle nor the style; refused before anything is written."""
    flag, there, style = f"--brain={program.brain}", tmp_path / "milo.zip", tmp_path / "milo.grass"
    there.write_text("something else", encoding="utf-8")

    refused = program("browser", "--bundle", str(there), "--style", str(style), flag)
    kept, early = there.read_text(encoding="utf-8"), style.exists()
    forced = program("browser", "--bundle", str(there), "--style", str(style), "--force", flag)

    assert (2, "something else", False) == (refused.code, kept, early)
    assert "say --force" in refused.err
    assert 0 == forced.code, forced.err
    assert zipfile.is_zipfile(there)
    assert style.read_text(encoding="utf-8").startswith("node {")


def test_what_cannot_be_is_refused_and_nothing_written(program: Program, tmp_path: Path) -> None:
    """An ending that Browser would not take, a brain that is not there, a folder that is not there."""
    flag = f"--brain={program.brain}"

    codes = [
        program(*argv).code
        for argv in (
            ("browser", "--bundle", str(tmp_path / "milo.tar"), flag),
            ("browser", "--bundle", str(tmp_path / "milo.zip"), "--brain=nobody-of-that-name"),
            ("browser", "--bundle", str(tmp_path / "none" / "milo.zip"), flag),
        )
    ]

    assert [2, 5, 2] == codes
    assert [] == list(tmp_path.glob("milo*"))


def test_a_bundle_needs_no_database(program: Program, tmp_path: Path) -> None:
    """It then names no memory, and says so."""
    path = tmp_path / "milo.zip"

    done = program("browser", "--bundle", str(path), "--brain=milo", BRAINBRIDGE_URI="bolt://127.0.0.1:9")

    assert 0 == done.code, done.err
    assert "the scripts name no memory of yours" in done.err
    assert zipfile.is_zipfile(path)
