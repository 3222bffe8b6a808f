"""How well restatements are told from changes of fact, on the labelled pairs of tests/data. Needs no server.

python -m bench.bench_restatements [--write]
"""

import argparse
import json
import sys
from pathlib import Path

from bench.support import markdown_table, write_section
from brainbridge.memory.restatement import SIMILAR, compare, fingerprint

DATA = Path(__file__).parent.parent / "tests" / "data"
SETS = {"first set": "restatements.jsonl", "second set": "restatements_held_out.jsonl"}
NOTE = """\
Each set has 48 restatements and 48 changes of fact in English, German, Spanish, French, Japanese and Chinese, written
by someone who did not know the rules. The rules were made on the first set. The second one then gave 39 of 48 and 1 of
48, blind. After that the guards were mended with what it and a hostile reader had found, so the last row is no longer a
blind measurement.
"""


def pairs(name: str) -> list[dict[str, str]]:
    """The labelled pairs of one file."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def reinforced(name: str, label: str, *, guarded: bool = True) -> tuple[int, int]:
    """How many pairs with `label` count as restatements, of how many; without the guards only the similarity counts."""
    found = [compare(fingerprint(p["first"]), fingerprint(p["second"])) for p in pairs(name) if p["label"] == label]
    return sum(one.restates if guarded else one.similarity >= SIMILAR for one in found), len(found)


def main() -> int:
    """Print the table; with --write, put it into docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    rows = []
    for title, name in SETS.items():
        for guarded in (False, True):
            caught, restatements = reinforced(name, "restatement", guarded=guarded)
            swallowed, changes = reinforced(name, "change", guarded=guarded)
            rows.append(
                [
                    title,
                    "similarity and guards" if guarded else "similarity alone",
                    f"{caught} of {restatements} ({caught / restatements:.0%})",
                    f"{swallowed} of {changes} ({swallowed / changes:.0%})",
                ]
            )
    table = markdown_table(["pairs", "rule", "restatements reinforced (≥ 90 %)", "changes swallowed (≤ 20 %)"], rows)
    print(table)
    if parser.parse_args().write:
        write_section("restatements", f"{NOTE}\n{table}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
