"""How well restatements are told from changes of fact, on the labelled pairs of tests/data. Needs no server.

python -m bench.bench_restatements [--write] [--locomo FOLDER]

With --locomo also what becomes of 3,000 things that people say to each other, none of them written for this: every text
of at least 8 words, each looked for among all before it. FOLDER holds turns.jsonl of LoCoMo (Maharana et al., ACL 2024;
CC BY-NC 4.0), which is not part of this repository.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.support import markdown_table, write_section
from brainbridge.memory.restatement import SIMILAR, Fingerprint, compare, fingerprint

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


# Shorter ones are greetings and thanks, which do restate each other.
FEWEST_WORDS = 8


def said(folder: Path) -> list[str]:
    """The texts of LoCoMo's turns that are long enough to state something."""
    turns = (json.loads(line) for line in (folder / "turns.jsonl").read_text(encoding="utf-8").splitlines())
    return [turn["text"] for turn in turns if len(turn["text"].split()) >= FEWEST_WORDS]


def merges(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Pairs of a text and the earlier one that it would reinforce, found by their bands as remember finds them."""
    by_band: dict[str, list[tuple[str, Fingerprint]]] = {}
    for text in texts:
        ours = fingerprint(text)
        near = {id(found): found for band in ours.bands for found in by_band.get(band, ())}.values()
        compared = sorted(((compare(theirs, ours), first) for first, theirs in near), key=lambda x: -x[0].similarity)
        same = next((first for comparison, first in compared if comparison.restates), None)
        if same is not None:
            yield same, text
            continue
        entry = (text, ours)
        for band in ours.bands:
            by_band.setdefault(band, []).append(entry)


def wrong(first: str, second: str) -> bool:
    """Whether two texts hold other numbers or other capitalised names; told by less than the guards look at."""
    numbers, names = (
        [set(re.findall(pattern, text)) for text in (first, second)] for pattern in (r"\d+", r"(?<=[a-z,;] )[A-Z]\w+")
    )
    return numbers[0] != numbers[1] or names[0] != names[1]


def main() -> int:
    """Print the table; with --write, put it into docs/benchmarks.md. 1 if texts of different facts were merged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    parser.add_argument("--locomo", type=Path, metavar="FOLDER", help="also count merges among LoCoMo's turns")
    given = parser.parse_args()
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
    found, bad = "", list[tuple[str, str]]()
    if given.locomo:
        texts = said(given.locomo)
        merged = list(merges(texts))
        bad = [pair for pair in merged if wrong(*pair)]
        found = (
            f"\n\nOf {len(texts):,} turns of at least {FEWEST_WORDS} words in five LoCoMo conversations, each looked\n"
            f"for among all before it, {len(merged)} restate one; {len(bad)} of these hold other numbers or names.\n"
        )
        print(found)
        for first, second in bad:
            print(f"- {first}\n  {second}")
    if given.write:
        write_section("restatements", f"{NOTE}\n{table}{found}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
