"""The generated parts of the reference are what they would be now, and the hand-written ones agree with the code."""

import re
import subprocess
import sys
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from brainbridge.cli.commands import COMMANDS
from brainbridge.domain.coactivation import MOST, VISIBLE, first_bond
from brainbridge.domain.comparison import LEAST_DECIDED, sign_test
from brainbridge.domain.energy import DEFAULT_LAW, Law, energy_of_weight
from brainbridge.domain.naming import camel
from brainbridge.domain.survival import survival_table
from brainbridge.graph.cypher import cypher_folder, statements
from brainbridge.graph.statements.embeddings import Slot
from brainbridge.settings import LEAST_RETENTION_DAYS
from tools import make_reference

CHECKOUT = Path(make_reference.__file__).parent.parent
DOCS = CHECKOUT / "docs"
REFERENCE = DOCS / "reference"
ENERGY = (DOCS / "explanation" / "energy.md").read_text(encoding="utf-8")


def rows(text: str, columns: int) -> list[list[str]]:
    """The cells of all table rows that have so many columns."""
    found = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    return [row for row in found if len(row) == columns and not set("".join(row)) <= set("- ")]


def test_no_generated_part_is_stale() -> None:
    """Otherwise: python tools/make_reference.py (R-000-37)."""
    stale = [path.relative_to(CHECKOUT).as_posix() for path in make_reference.outdated()]

    assert stale == []


def test_the_tool_can_be_run_for_checking() -> None:
    """`--check` writes nothing and ends with 0 while everything is fresh."""
    done = subprocess.run(
        [sys.executable, "tools/make_reference.py", "--check"],
        cwd=CHECKOUT,
        env={"PYTHONPATH": str(CHECKOUT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_stale_part_is_replaced_and_the_rest_kept() -> None:
    """Only what stands between the marks is the tool's."""
    begin, end = make_reference.BEGIN.format(name="x"), make_reference.END

    text = make_reference.with_part(f"before\n{begin}\nold | $1 \\1\n{end}\nafter\n", "x", "new \\1 $1")

    assert f"before\n{begin}\n\nnew \\1 $1\n\n{end}\nafter\n" == text


def test_missing_marks_are_an_error() -> None:
    """A page that lost its marks is not skipped silently."""
    with pytest.raises(SystemExit, match="exactly once"):
        make_reference.with_part("no marks here", "x", "new")


def test_every_table_of_constants_equals_the_defaults() -> None:
    """Wherever a page names a constant and a value in one row, the value is the default (R-000-37)."""
    defaults = {f"`{camel(field.name)}`": getattr(DEFAULT_LAW, field.name) for field in fields(Law)}
    wrong, seen = [], 0
    for page in sorted(DOCS.rglob("*.md")):
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if line.startswith("|") and len(cells) > 1 and cells[0] in defaults:
                seen += 1
                if cells[1] != make_reference.shown(defaults[cells[0]]):
                    wrong.append(f"{page.name}: {cells[0]} is {defaults[cells[0]]}, not {cells[1]}")

    assert wrong == []
    assert 2 * len(defaults) == seen


def test_the_energy_page_names_every_force() -> None:
    """The section "Memory weight model" names all five forces (R-000-42)."""
    section = ENERGY.partition("## Memory weight model")[2].partition("\n## ")[0]

    assert [
        force for force in ("birth", "decay", "reinforcement", "edges", "recency") if f"| {force} |" not in section
    ] == []


def test_half_lives_on_the_energy_page() -> None:
    """ln 2 / λ, as it says."""
    shown = {row[0]: row[1:] for row in rows(ENERGY, 3) if row[0] in ("working", "shortTerm", "longTerm")}

    assert shown == {"working": ["0.5", "1.39 h"], "shortTerm": ["0.05", "13.9 h"], "longTerm": ["0.001", "28.9 days"]}
    hours = [0.6931471805599453 / float(row[0]) for row in shown.values()]
    assert [f"{hours[0]:.2f}", f"{hours[1]:.1f}", f"{hours[2] / 24:.1f}"] == ["1.39", "13.9", "28.9"]


def test_weights_on_the_energy_page() -> None:
    """The table of the weight scale is computed by the code (R-000-01)."""
    table = ENERGY.partition("## The weight scale")[2].partition("\n## ")[0]
    shown = [row for row in rows(table, 2) if row[0] != "w"]

    assert shown
    assert [[weight, f"{energy_of_weight(float(weight)):.4f}"] for weight, _ in shown] == shown


def test_lifetimes_on_the_energy_page() -> None:
    """The table of untouched lives is what the survival table says, rounded up to the run that expires."""
    table = ENERGY.partition("How long an untouched memory lives")[2].partition("\n## ")[0]
    shown = {row[0]: row[1:] for row in rows(table, 3) if row[0] != "kind"}

    assert shown
    expected = {
        kind.kind: [
            f"{kind.promoted_at[0]} h" if kind.promoted_at else "never",
            f"{-(-kind.expires_at * 4 // 1) / 4} h" if kind.expires_at is not None else "never",
        ]
        for kind in survival_table(DEFAULT_LAW)
        if kind.kind in shown
    }
    assert expected == shown


def test_the_graph_page_lists_every_property_of_a_memory() -> None:
    """Each property that a statement sets on a memory is described, and none that no statement sets (R-004-21)."""
    page = (
        (REFERENCE / "graph.md")
        .read_text(encoding="utf-8")
        .partition("## Properties of a memory")[2]
        .partition("\n## ")[0]
    )
    described = {name for row in rows(page, 3) for name in re.findall(r"`(\w+)`", row[0])} - {"property"}
    set_somewhere = {
        name
        for found in statements().values()
        for name in re.findall(r"\b(?:m|old)\.(\w+) =(?!=)", found.text.partition("SET")[2])
    }

    # The place of a vector is a parameter, so its property is set by that.
    assert set_somewhere | {"id"} | {slot.property_name for slot in Slot} == described


def test_the_json_page_lists_every_schema() -> None:
    """Each shape that a command prints has a row, and each row a command (interfaces, R-004)."""
    page = (REFERENCE / "json.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`brainbridge\.([\w-]+/\d+)` \|", page))
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "brainbridge" / "cli").rglob("*.py"))
    printed = set(re.findall(r'"([a-z-]+/\d+)"', sources)) | {
        f"{operation}/1" for operation in ("consolidate", "decay", "expire", "promote")
    }

    assert printed == listed


def test_the_example_in_the_cypher_readme_is_the_file() -> None:
    """The header that explains the convention is one that holds."""
    readme = (cypher_folder() / "README.md").read_text(encoding="utf-8")
    example = readme.partition("```cypher\n")[2].partition("```")[0]

    assert (cypher_folder() / "memory" / "read_memory.cypher").read_text(encoding="utf-8").strip() == example.strip()


def test_every_setting_has_a_row() -> None:
    """The table of settings names each of them once."""
    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    names = make_reference.setting_names()

    assert len(names) == len(set(names))
    assert [name for name in names if page.count(f"| `{name}` |") != 1] == []


def test_every_decision_is_in_the_list_of_decisions() -> None:
    """adr/README.md names each page, and each page says when, in what state, and what was rejected."""
    pages = sorted(path for path in (DOCS / "adr").glob("*.md") if path.name != "README.md")
    index = (DOCS / "adr" / "README.md").read_text(encoding="utf-8")

    assert [page.name for page in pages if f"({page.name})" not in index] == []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for part in ("Date: ", "Status: ", "## Context", "## Decision", "## Consequences", "## Rejected"):
            assert part in text, f"{page.name} lacks {part}"
        assert len(text.split()) <= 500, f"{page.name} is longer than a page"


def test_every_command_of_the_changelog_exists() -> None:
    """Words in code type at the beginning of a listed verb are commands."""
    text = (DOCS / "changelog.md").read_text(encoding="utf-8")
    named = re.findall(r"^- `([a-z-]+)`", text, flags=re.MULTILINE)

    assert named
    assert [name for name in named if name not in COMMANDS] == []


def test_the_numbers_of_the_learning_page() -> None:
    """Weights after days in a row, what is kept, how many pages it takes: as in the code (R-003-02, -05, -33)."""
    page = (DOCS / "explanation" / "learning.md").read_text(encoding="utf-8")
    start, course = datetime(2026, 3, 1, tzinfo=UTC), []
    bond = first_bond(start)
    for day in range(1, 400):
        course.append(bond.weight)
        bond = bond.fired_at(start + timedelta(days=day))

    shown = [row[1] for row in rows(page, 2) if re.fullmatch(r"0\.\d+", row[1])]
    assert [*(f"{weight:.3f}" for weight in course[:5]), f"{course[-1]:.4f}"] == shown
    assert f"A memory keeps {MOST} bonds" in page
    assert f"From {VISIBLE} on" in page
    assert f"none under {LEAST_DECIDED} decided pages" in page
    assert f"Less than {LEAST_RETENTION_DAYS} counts as {LEAST_RETENTION_DAYS}" in page
    assert [f"(p = {sign_test(wins, 20 - wins):.3f})" in page for wins in (15, 14)] == [True, True]
