"""What a session and a prompt are given, by a real brain. R-003-25: none of it is an explicit recall."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from brainbridge.app import Brain, connect
from brainbridge.daemon.context import WARMING_UP, Context, project_of
from brainbridge.daemon.quoting import MOST_BYTES
from brainbridge.domain.errors import DatabaseUnreachable
from brainbridge.graph.connection import Address
from brainbridge.memory.remember import Note
from brainbridge.settings import Settings
from tests.daemon_support import Proxy
from tests.support import query


def settings_for(address: Address, **more: Any) -> Settings:
    return Settings(uri=address.uri, username=address.username, password=address.password, **more)  # type: ignore[arg-type]


@pytest.fixture
def context(brain: Brain, neo4j_address: Address) -> Iterator[Context]:
    """The answers of a daemon for the test's brain, connected."""
    made = Context(brain.name)
    made.refresh(settings_for(neo4j_address))
    yield made
    made.close()


@pytest.fixture
def picture(brain: Brain) -> Callable[[], list[dict[str, Any]]]:
    """Everything in the store that belongs to the test's brain."""

    def drawn() -> list[dict[str, Any]]:
        return query(
            brain.graph,
            "MATCH (n) WHERE n.brain = $brain "
            "RETURN labels(n) AS labels, properties(n) AS properties, COUNT { (n)--() } AS edges ORDER BY elementId(n)",
            brain=brain.name,
        )

    return drawn


def ask(context: Context, **question: str) -> list[str]:
    """The lines of notes for a question, without the heading."""
    return context.answer(question).splitlines()[1:]


def prompt(context: Context, text: str) -> list[str]:
    return ask(context, event="prompt", prompt=text)


def test_a_prompt_gets_what_answers_it_and_nothing_else(brain: Brain, context: Context) -> None:
    """A strong hit is quoted; a question that nothing answers, however ordinary its words, is met with silence."""
    brain.remember("The billing service is deployed with the blue pipeline")
    brain.remember("The cat of the neighbours is called Mimi")

    (note,) = prompt(context, "How is the billing service deployed?")

    assert "blue pipeline" in note
    assert prompt(context, "How is the payroll database restored?") == []


@pytest.mark.parametrize("text", ["continue", "continue please", "", "   ", "/compact", "?!", "yes", "和", "🚀"])
def test_a_word_in_common_is_no_reason(brain: Brain, context: Context, text: str) -> None:
    """A prompt of one word, or none, brings nothing up."""
    brain.remember("We continue with the compact layout, yes, 和 🚀")

    assert prompt(context, text) == []


@pytest.mark.parametrize("text", ["a AND OR (", 'CI/CD "x', "*", "foo-", "tier:working", "\ud800", "x " * 4_000])
def test_any_prompt_is_only_words(context: Context, text: str) -> None:
    """Lucene's syntax, half a character and four thousand words raise nothing."""
    assert prompt(context, text) == []


def test_a_session_begins_with_what_is_foremost(brain: Brain, context: Context) -> None:
    """What is about the project first, then what is protected, then by energy; within 2,048 bytes."""
    brain.remember("Ordinary note")
    brain.boost(brain.remember("Loudest of all").id)
    brain.remember("Never force-push", core=True)
    brain.remember("The harbour project uses tabs", producer="inference")

    lines = ask(context, event="start", cwd="/home/ada/harbour")

    shown = [line.split('"')[1] for line in lines]
    assert shown == ["The harbour project uses tabs", "Never force-push", "Loudest of all", "Ordinary note"]


def test_a_sessions_notes_keep_to_the_budget(brain: Brain, context: Context) -> None:
    """However much there is, and however long."""
    brain.remember_many(Note(f"Number {number} {'long ' * 200}") for number in range(40))

    notes = context.answer({"event": "start", "cwd": "/"})

    assert 500 < len(notes.encode()) <= MOST_BYTES


def test_what_has_gone_is_not_brought_up(brain: Brain, context: Context) -> None:
    """Test memories, faded, forgotten and superseded ones, and those of another brain stay out of both answers."""
    brain.create_test_memory("The harbour crane is yellow", 9.0, "longTerm")
    forgotten = brain.remember("The harbour crane is green")
    brain.forget(forgotten.id)
    faded = brain.remember("The harbour crane is blue")
    query(
        brain.graph,
        "MATCH (m:Memory {id: $id}) SET m.lastDecay = m.lastDecay - duration('P3D')",
        id=faded.id,
    )

    assert prompt(context, "Which colour has the harbour crane?") == []
    assert ask(context, event="start", cwd="/srv/harbour") == []


def test_it_changes_nothing(brain: Brain, context: Context, picture: Callable[[], list[dict[str, Any]]]) -> None:
    """No miss, no page, no boost, no edge: the store is the same before and after, hit or none (R-003-25)."""
    brain.remember("The billing service is deployed with the blue pipeline")
    before = picture()

    assert prompt(context, "How is the billing service deployed?")
    assert prompt(context, "Where does the payroll database live?") == []
    assert ask(context, event="start", cwd="/home/ada/billing")

    assert picture() == before


def test_a_database_that_goes_is_silence_until_a_pass_finds_it(brain: Brain, neo4j_address: Address) -> None:
    """No error, no wait in the next question; the pass that reaches it again opens it again."""
    brain.remember("The billing service is deployed with the blue pipeline")
    with Proxy(neo4j_address) as proxy:
        context = Context(brain.name, open_brain=lambda settings: connect(brain.name, settings=settings))
        settings = settings_for(proxy.address, connect_timeout=2.0)
        assert prompt(context, "How is the billing service deployed?") == []
        context.refresh(settings)
        assert prompt(context, "How is the billing service deployed?") == []
        proxy.open()
        context.refresh(settings)
        assert len(prompt(context, "How is the billing service deployed?")) == 1
        context.close()
        assert prompt(context, "How is the billing service deployed?") == []


def test_a_failed_question_closes_the_brain(brain: Brain, neo4j_address: Address) -> None:
    """The questions after it do not each meet the same failure."""
    opened: list[Brain] = []

    class Lost(Brain):
        def recall(self, query: str, **options: Any) -> Any:
            if query == WARMING_UP:
                return super().recall(query, **options)
            raise DatabaseUnreachable("gone")

    def open_brain(settings: Settings) -> Brain:
        made = connect(brain.name, settings=settings)
        opened.append(Lost(made.graph, made.name, made.settings, owns_unowned=False))
        return opened[-1]

    context = Context(brain.name, open_brain=open_brain)
    settings = settings_for(neo4j_address)
    context.refresh(settings)
    context.refresh(settings)
    assert len(opened) == 1
    assert prompt(context, "How is the billing service deployed?") == []
    context.refresh(settings)
    assert len(opened) == 2
    context.close()


def test_new_settings_open_the_brain_anew(brain: Brain, neo4j_address: Address) -> None:
    """After SIGHUP, also those of recall: what has faded below another limit is shown."""
    brain.remember("The billing service is deployed with the blue pipeline", producer="system")
    context = Context(brain.name)
    context.refresh(settings_for(neo4j_address, recall={"min_confidence": 0.9}))
    assert prompt(context, "How is the billing service deployed?") == []

    context.refresh(settings_for(neo4j_address, recall={"min_confidence": 0.1}))

    assert len(prompt(context, "How is the billing service deployed?")) == 1
    context.close()


def test_foremost_is_by_effective_energy(brain: Brain) -> None:
    """What was settled long ago counts with what is left of it at that instant; below the limit it is not shown."""
    old = brain.remember("An old note")
    fresh = brain.remember("A fresh note")
    query(
        brain.graph,
        "MATCH (m:Memory {id: $id}) SET m.lastDecay = m.lastDecay - duration('PT90M')",
        id=old.id,
    )
    now = brain.graph.now()

    assert [memory.id for memory in brain.foremost(now=now)] == [fresh.id, old.id]
    assert brain.foremost(now=now + timedelta(days=2)) == []
    assert len(brain.foremost(limit=1, now=now)) == 1


@pytest.mark.parametrize(
    ("folder", "project"),
    [("{}/code/harbour", "harbour"), ("{}/repo/src/deep", "repo"), ("", ""), ("relative", ""), ("/", "")],
)
def test_a_project_is_named_by_its_repository_or_folder(tmp_path: Path, folder: str, project: str) -> None:
    """The root and a home are no projects."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "src" / "deep").mkdir(parents=True)

    assert project_of(folder.format(tmp_path)) == project


def test_a_home_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name is the user's, not a subject."""
    monkeypatch.setenv("HOME", str(tmp_path))

    assert project_of(str(tmp_path)) == ""
