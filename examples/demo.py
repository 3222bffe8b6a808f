"""The main job on real input: replay this project's notes into a brain, consolidate, and show what became of them.

Run by `make demo`. Everything it does goes through the public Python API, so it doubles as an example of that.
"""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from brainbridge import app
from brainbridge.app import Brain
from brainbridge.consolidation.report import COUNT_NAMES, RunReport
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.tier import Tier
from brainbridge.inspection.status import Status
from brainbridge.settings import Settings, load_settings

NOTES = Path(__file__).with_name("notes.jsonl")
BRAIN = "demo"
RUN_EVERY = timedelta(minutes=15)
# One that a long-lived note answers and one that none does; nobody asks the second, so it is not recorded as a miss.
QUESTIONS = ("What takes the lock of a node?", "When does the ferry to Bergen leave?")
COMMAND = ".venv/bin/brainbridge --brain=demo"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at an instant: a note was written (`opened` is False) or opened again."""

    at: datetime
    note: int
    opened: bool


def main() -> int:
    """Run the demo; the exit code."""
    settings = load_settings()
    try:
        with app.open_graph(settings, progress=_progress()) as graph:
            app.initialise(graph, BRAIN)
            _demonstrate(Brain.on(graph, BRAIN, settings), settings)
    except BrainbridgeError as error:
        print(f"demo: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _demonstrate(brain: Brain, settings: Settings) -> None:
    print(f"\nNeo4j {brain.graph.server_version()} answers at {brain.graph.address.uri}.\n")
    now = brain.graph.now()
    before = brain.status(now=now)
    if before.total == 0:
        last = _replay(brain, now)
        before = brain.status(now=last)
        print(f"Before: the brain as it stood at {last:%Y-%m-%d %H:%M} UTC, when the last of it happened.")
    else:
        print(f"The notes are there from an earlier demo and have gone on fading. Before, at {now:%Y-%m-%d %H:%M} UTC:")
    _show(before)
    report = brain.consolidate()
    done = ", ".join(f"{step.changed} {COUNT_NAMES[step.name]}" for step in report.passes)
    print(f"\nConsolidated now, {report.now:%Y-%m-%d %H:%M} UTC: {done}, in {report.elapsed_ms:,.0f} ms. After:")
    _show(brain.status())
    _show_path(brain)
    for question in QUESTIONS:
        _show_answer(brain, question)
    _show_next(settings)


def _progress() -> object:
    from brainbridge.local_neo4j.progress import progress_on

    return progress_on(sys.stderr)


def _replay(brain: Brain, now: datetime) -> datetime:
    """Let the notes' history happen again, with a run every 15 minutes; the instant of its last event."""
    notes = [json.loads(line) for line in NOTES.read_text(encoding="utf-8").splitlines()]
    history = sorted(_events(notes), key=lambda event: event.at)
    history = [event for event in history if event.at <= now]
    if not history:
        raise BrainbridgeError(f"the clock says {now:%Y-%m-%d}, which is before the first note. Set it right.")
    print(f"Remembering {len(notes)} notes of this project at the dates they have, with a run every 15 minutes …")
    started, ids, due = time.perf_counter(), dict[int, str](), history[0].at
    runs: list[RunReport] = []
    for event in history:
        while due < event.at:
            due += RUN_EVERY
            if event.at - due < timedelta(hours=2):  # a longer pause is one run: energy composes over any partition
                runs.append(brain.consolidate(now=min(due, event.at), trigger="demo"))
        note = notes[event.note]
        if event.opened:
            brain.boost(ids[event.note], now=event.at)
        else:
            ids[event.note] = brain.remember(
                note["text"],
                memory_type=note.get("type"),
                producer=note.get("producer", "user"),
                core=note.get("core", False),
                at=event.at,
            ).id
    opened = sum(event.opened for event in history)
    promoted, expired = (sum(run.changed(name) for run in runs) for name in ("promote", "expire"))
    print(
        f"{len(ids)} remembered, {opened} openings; {len(runs)} runs made {promoted} promotions and {expired} expire."
    )
    print(f"That took {time.perf_counter() - started:.1f} s.\n")
    return history[-1].at


def _events(notes: list[dict[str, object]]) -> Iterator[Event]:
    for number, note in enumerate(notes):
        written = datetime.fromisoformat(str(note["at"]))
        yield Event(written, number, opened=False)
        for later in note.get("opened_after_minutes", []):  # type: ignore[attr-defined]
            yield Event(written + timedelta(minutes=later), number, opened=True)


def _show(status: Status) -> None:
    print(f"\n  {'tier':<10} {'memories':>8}   mean energy")
    for tier, counted in status.tiers.items():
        mean = (
            ""
            if counted.mean_energy is None
            else f"{counted.mean_energy:>9.3f}  {'▪' * round(counted.mean_energy * 2)}"
        )
        print(f"  {tier:<10} {counted.memories:>8}   {mean}")
    print(f"  {'archived':<10} {status.archived:>8}   what promotions left behind, never deleted")


def _show_path(brain: Brain) -> None:
    """The way of one memory that came far, by PROMOTED_TO."""
    table = brain.cypher(
        "MATCH (m:LiveMemory {brain: $brain, isTest: false}) WHERE m.promotedFrom IS NOT NULL "
        "RETURN m.id, m.content, m.tier ORDER BY m.tier, m.energy DESC LIMIT 1",
        {"brain": brain.name},
    )
    if not table.rows:
        return
    id_, content, _ = table.rows[0]
    print(f"\nOne memory's path: “{content}”\n")
    for step in brain.lineage(id_):
        tier = Tier(step["tier"])
        until = f"archived {step['until']:%Y-%m-%d %H:%M}" if step["until"] else "live"
        print(f"  {step['id']}  {tier:<9}  energy {step['energy']:.3f}  since {step['since']:%Y-%m-%d %H:%M}, {until}")
        if step["until"]:
            print("      │ PROMOTED_TO")


def _show_answer(brain: Brain, question: str) -> None:
    page = brain.recall(question, limit=3, explicit=False)
    print(f"\nAsked: “{question}”{' Not known; nearest:' if page.miss else ''}\n")
    for hit in page.hits:
        text = " ".join(hit.memory.content.split())
        print(f"  {hit.strength:<6}  {text if len(text) <= 100 else text[:99] + '…'}")
    if not page.hits:
        print("  (nothing comes near)")


def _show_next(settings: Settings) -> None:
    print("\nWhat to do next\n")
    if settings.uri is None:
        print(f"  Neo4j Browser   http://127.0.0.1:{settings.server.http_port}/browser/")
        print(f"                  user neo4j; for the password, run: {COMMAND} server password")
        print("                  try: MATCH p = (:Memory)-[:PROMOTED_TO]->(:Memory) RETURN p")
    print(f"  {COMMAND} status")
    print(f'  {COMMAND} remember --type=learning "what you just learned"')
    print(f'  {COMMAND} recall "what do we know about …?"')
    print(f"  {COMMAND} consolidate --dry-run")
    if settings.uri is None:
        print(f"\nThe server keeps running. Stop it with: {COMMAND} server stop")


if __name__ == "__main__":
    sys.exit(main())
