"""What the page shows, and that showing it changes nothing."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from brainbridge.app import Brain
from brainbridge.domain.tier import Tier
from brainbridge.graph.cypher import statements
from tests.page_support import Visitor, lived_in, visit
from tests.support import T0, create_test_memories, hours, properties_of, query

HOSTILE = {
    "a script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "the end of a drawing": "</title></svg></script><script>alert(1)</script>",
    "an attribute": '" onload="alert(1)" x=\'',
    "a template": "{{ 7 * 7 }}{% include 'page.css' %}",
    "directions": "safe \u202egnorw\u202c \u2066x\u2069 \u200f",
    "controls": "a\x00\x01b\x1b[31mc\x7f",
    "Arabic": "مرحبا بالعالم",
    "space": "  two\n\n\tlines  ",
}


@pytest.fixture
def visitor(brain: Brain) -> Iterator[Visitor]:
    """Somebody who is logged in to the page of the brain."""
    with visit(brain) as visitor:
        yield visitor


class Reader(HTMLParser):
    """A page as a browser would take it: its elements, their attributes, and the text of its content."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.content = ""
        self._in_content = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._in_content = tag == "div" and ("class", "content") in attrs

    def handle_endtag(self, tag: str) -> None:
        self._in_content = False

    def handle_data(self, data: str) -> None:
        if self._in_content:
            self.content += data

    @property
    def links(self) -> list[str]:
        """Where its links lead on this page."""
        found = [str(attributes["href"]) for tag, attributes in self.elements if tag == "a" and "href" in attributes]
        return [link for link in found if link.startswith("/")]


def picture(brain: Brain) -> list[dict[str, Any]]:
    """Every node of the brain with all that it has, and every edge of it."""
    return query(
        brain.graph,
        """
        MATCH (n) WHERE n.brain = $brain OR n.name = $brain
        RETURN elementId(n) AS node, labels(n) AS labels, properties(n) AS properties,
               COLLECT { MATCH (n)-[r]->(o) RETURN [elementId(r), type(r), elementId(o), properties(r)] } AS edges
        ORDER BY node
        """,
        brain=brain.name,
    )


def test_every_link_of_every_view_leads_somewhere(brain: Brain, visitor: Visitor) -> None:
    """From the overview on, all that is linked is there, in both scopes; none of it answers with an error."""
    lived_in(brain)
    found, waiting = dict[str, int](), ["/", "/test/"]
    while waiting:
        link = waiting.pop()
        if link in found or (link.startswith(("/cypher/", "/test/cypher/")) and "?" not in link and len(found) > 60):
            continue
        answer = visitor(link)
        found[link] = answer.status
        if answer.status == 303:
            waiting.append(answer.headers["location"])
        waiting += [unescape(link) for link in Reader(answer.text).links if link.partition("#")[0] not in found]

    assert {} == {link: status for link, status in found.items() if status not in (200, 303)}
    views = ["/", "/memories", "/runs", "/misses", "/shadow", "/cypher"]
    assert set(views) | {f"/test{view}" for view in views} <= set(found)
    assert any(link.startswith("/runs/") for link in found)
    assert any(link.startswith("/memories/") and link.endswith("archive=1") for link in found)


def test_looking_changes_nothing(brain: Brain, visitor: Visitor) -> None:
    """Every view is shown and every list searched, and the store is what it was, to the last property."""
    memory = lived_in(brain)
    before = picture(brain)
    paths = [
        "/",
        "/memories",
        *(f"/memories?state={state}" for state in ("live", "working", "shortTerm", "longTerm", "expired", "archived")),
        "/memories?text=blue+folder",
        "/memories?text=nothing+like+it",
        f"/memories/{memory}",
        *(
            "/runs",
            f"/runs/{brain.runs()[0]['id']}",
            "/misses?all=1",
            "/shadow",
            "/cypher",
            "/cypher/memory/open_memory",
        ),
    ]

    statuses = [visitor(path).status for path in [*paths, *(f"/test{path}" for path in paths[:4])]]

    assert {200} == set(statuses)
    assert before == picture(brain)


@pytest.mark.parametrize("what", HOSTILE)
def test_a_memory_is_text_and_nothing_else(brain: Brain, visitor: Visitor, what: str) -> None:
    """Whatever a memory, a question or a reason holds makes no element and no attribute, anywhere it is shown."""
    text = HOSTILE[what]
    made = brain.remember(text, subject=text)
    other = brain.remember("something else entirely", at=brain.graph.now() - hours(1))
    brain.link(other.id, "extends", made.id)
    brain.open(made.id)
    brain.open(other.id)
    brain.recall(text)
    brain.forget(brain.remember("of no use to anyone").id, reason=text)

    places = ["/", "/memories", "/memories?state=live", f"/memories/{made.id}", f"/memories/{other.id}"]
    pages = {path: Reader(visitor(path).text) for path in [*places, "/misses?all=1", "/memories?state=archived"]}

    for path, page in pages.items():
        assert ["/static/copy.js"] == [has.get("src") for tag, has in page.elements if tag == "script"], path
        assert [] == [tag for tag, _ in page.elements if tag in ("img", "iframe", "object", "style")], path
        assert [] == [name for _, has in page.elements for name in has if name.startswith("on") or name == "style"], (
            path
        )
    shown = pages[f"/memories/{made.id}"].content
    kept = re.sub("[\u202e\u202c\u2066\u2069\u200f]", "", text)
    assert re.sub("[\x00\x01\x1b\x7f]", "\ufffd", kept) == shown


def test_a_question_in_the_address_is_text(visitor: Visitor) -> None:
    """What stands in the query or the path comes back as text, if at all."""
    for path in (
        "/memories?text=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "/memories?state=%3Cscript%3E",
        "/memories?state=expired&after=%3Cscript%3E",
        "/memories/%3Cscript%3E",
        "/runs/%3Cscript%3E",
        "/cypher/inspect/%3Cscript%3E",
        "/cypher/inspect/ledger?id=%3C/pre%3E%3Cscript%3E%27%7D",
        "/%3Cscript%3E",
    ):
        answer = visitor(path)

        assert answer.status in (200, 400, 404), path
        scripts = [has.get("src") for tag, has in Reader(answer.text).elements if tag == "script"]
        assert ["/static/copy.js"] == scripts, path


def test_a_megabyte_is_shown_whole(brain: Brain, visitor: Visitor) -> None:
    """The largest memory there can be, on its own page; lists show its beginning."""
    text = "x" * 1_048_576
    made = brain.remember(text)

    assert text == Reader(visitor(f"/memories/{made.id}").text).content
    assert len(visitor("/").text) < 200_000
    assert len(visitor("/memories?state=live").text) < 200_000


def test_an_archive_leads_to_the_memory_it_lives_on_in(brain: Brain, visitor: Visitor) -> None:
    """A promoted or superseded id answers with its successor; the archive itself is one click further."""
    old = brain.remember("The gate code is 4711", at=brain.graph.now() - hours(0.5), memory_type="crystallization")
    brain.consolidate()
    new = brain.find_current(old.id)
    assert new.id != old.id

    answer = visitor(f"/memories/{old.id}")
    landed = visitor(answer.headers["location"])
    archive = visitor(f"/memories/{old.id}?archive=1")

    assert (303, 200, 200) == (answer.status, landed.status, archive.status)
    assert f"/memories/{new.id}?came_from={old.id}" == answer.headers["location"]
    assert f"/memories/{old.id}?archive=1" in Reader(landed.text).links
    assert "archived" in archive.text


def test_a_forgotten_memory_is_shown_as_it_is(brain: Brain, visitor: Visitor) -> None:
    """It lives on nowhere, so there is nowhere to lead to."""
    made = brain.remember("of no use to anyone")
    brain.forget(made.id, reason="it was wrong")

    answer = visitor(f"/memories/{made.id}")

    assert 200 == answer.status
    assert "it was wrong" in answer.text


def test_what_is_not_there_is_said(visitor: Visitor) -> None:
    """404 with a sentence, for a memory, a run, a statement and a path."""
    paths = ["/memories/00000000-0000-0000-0000-000000000000", "/runs/none", "/cypher/inspect/none", "/none"]

    assert [404] * 4 == [visitor(path).status for path in paths]


def test_an_empty_brain_says_what_to_do_next(brain: Brain, visitor: Visitor) -> None:
    """Instead of empty drawings there is the first command to type, with the brain's name in it."""
    page = visitor("/").text

    assert f"brainbridge --brain={brain.name} remember" in unescape(page)
    assert "<svg" not in page
    assert {200} == {visitor(path).status for path in ("/memories", "/runs", "/misses", "/shadow", "/test/")}


def test_the_overview_says_what_status_says(brain: Brain, visitor: Visitor) -> None:
    """The numbers of the tiles are those of the verbs, each with a link to the statement that made it."""
    lived_in(brain)
    status = brain.status()

    tiles = dict(
        re.findall(r'<span class="name">([^<]+)</span>\s*<a class="number"[^>]*>([^<]+)</a>', visitor("/").text)
    )

    expected = {tier.value: f"{status.tiers[tier].memories:,}" for tier in Tier}
    assert expected | {"archived": f"{status.archived:,}", "open misses": str(len(brain.misses()))} == tiles


def test_the_lines_of_the_law_are_those_in_force(brain: Brain, visitor: Visitor) -> None:
    """A changed threshold moves its line and its label: nothing is drawn from constants in the program."""
    brain.remember("anything at all")
    before = visitor("/").text
    brain.set_law(threshold_working=2.75, expiry_threshold=0.05, long_term_floor=0.2)
    after = visitor("/").text

    assert "promotes above 2<" in before
    assert "expires below 0.1<" in before
    assert "promotes above 2.75<" in after
    assert "expires below 0.05<" in after
    assert "floor 0.2<" in after


def test_histogram_counts_every_live_memory_once(brain: Brain) -> None:
    """Bars add up to status, and each memory stands in the bar of its effective energy."""
    energies = [0.0, 0.04, 0.1, 1.0, 2.0, 5.0, 9.9, 40.0]
    create_test_memories(brain, [(f"memory {energy}", energy, "longTerm") for energy in energies])
    create_test_memories(brain, [("a working one", 2.0, "working")])

    found = brain.forecast(test=True, now=T0 + hours(1)).histogram

    low, high = found.edges[:-1], found.edges[1:]
    working = [place for place, count in enumerate(found.bars[Tier.WORKING]) if count]
    assert len(energies) == sum(found.bars[Tier.LONG_TERM])
    assert 3 == found.bars[Tier.LONG_TERM][0] + found.bars[Tier.LONG_TERM][3]
    assert 2 == found.bars[Tier.LONG_TERM][-1]
    assert [True] == [low[place] <= 2.0 * 0.6065306597 < high[place] for place in working]


def test_what_comes_next_is_what_explain_says(brain: Brain) -> None:
    """The next to expire and to promote are in order, and their instants and energies are those of explain."""
    made = [(f"memory {number}", 0.5 + number / 4, ("working", "shortTerm")[number % 2]) for number in range(12)]
    ids = create_test_memories(brain, made)
    brain.pin(ids[0], test=True, now=T0)
    now = T0 + hours(0.5)

    found = brain.forecast(limit=5, test=True, now=now)

    explained = [brain.explain(memory, test=True, now=now) for memory in ids]
    ends = sorted((each.expires_at, each.memory.id) for each in explained if each.expires_at)
    assert [id_ for _, id_ in ends][:5] == [each.memory.id for each in found.expiries]
    for each, (at, _) in zip(found.expiries, ends, strict=False):
        assert each.at is not None
        assert abs(each.at - at) < timedelta(seconds=1)
    near = sorted(
        (-each.energy / each.threshold, each.memory.id) for each in explained if each.threshold and not each.memory.core
    )
    assert [id_ for _, id_ in near][:5] == [each.memory.id for each in found.promotions]


@pytest.mark.parametrize(
    ("by_hand", "path"),
    [
        ("CREATE (:RecallMiss {id: 'x', brain: $brain, isTest: false, lastAsked: datetime()})", "/misses"),
        ("CREATE (:ConsolidationRun {id: 'x', brain: $brain, isTest: false, startedAt: datetime()})", "/runs"),
        ("MATCH (m:Memory {brain: $brain}) SET m.id = 12345", "/memories"),
    ],
)
def test_a_node_made_by_hand_is_no_bare_failure(brain: Brain, by_hand: str, path: str) -> None:
    """Whatever it lacks, the answer is a page with a sentence, and the rest of the page goes on."""
    brain.remember("anything at all")
    query(brain.graph, by_hand, brain=brain.name)
    try:
        with visit(brain) as visitor:
            answer = visitor(path)
            assert answer.status in (200, 500)
            assert "</html>" in answer.text
            assert 200 == visitor("/cypher").status
    finally:
        query(
            brain.graph, "MATCH (n) WHERE n.id IN ['x', 12345] AND n.brain = $brain DETACH DELETE n", brain=brain.name
        )


def test_an_enormous_energy_can_be_looked_at(brain: Brain, visitor: Visitor) -> None:
    """Its curve has an axis too."""
    made = brain.create_test_memory("huge", 1.7e308, "longTerm")

    assert 200 == visitor(f"/test/memories/{made.id}").status


def test_moves_are_counted_by_the_tier_they_lead_from_or_to(brain: Brain) -> None:
    """What expired from working is not taken for shortTerm's, and what was promoted is counted where it came to."""
    made = [("up", 2.5, "working"), ("faded", 0.01, "working"), ("gone", 0.05, "working"), ("out", 0.02, "shortTerm")]
    create_test_memories(brain, [*made, ("higher", 6.0, "shortTerm")])
    brain.consolidate(test=True, now=T0)

    moves = brain.moves(T0 - hours(1), T0 + hours(1), test=True)

    assert {Tier.SHORT_TERM: 1, Tier.LONG_TERM: 1} == moves.promoted
    assert {Tier.WORKING: 2, Tier.SHORT_TERM: 1, Tier.LONG_TERM: 0} == moves.expired
    assert {0} == {*brain.moves(T0 + hours(1), T0 + hours(2), test=True).expired.values()}


def test_a_list_is_leafed_through_to_its_end(brain: Brain) -> None:
    """Page after page every memory comes once: live ones, one tier, expired ones and the archive."""
    made = create_test_memories(brain, [(f"memory {n}", 1.0, ("working", "longTerm")[n % 2]) for n in range(23)])
    gone = create_test_memories(brain, [(f"gone {n}", 0.01, "working") for n in range(7)])
    brain.run("expire", test=True, now=T0)
    for memory in made[:9]:
        brain.forget(memory, test=True, now=T0 + hours(1))

    def leafed(state: str) -> list[str]:
        found, after = list[str](), ""
        while True:
            page = brain.memories(state, after=after, limit=4, test=True)
            found += [memory.id for memory in page.memories]
            if page.further is None:
                return found
            after = page.further

    assert sorted(made[9:]) == leafed("live")
    assert sorted(made[9:][0::2]) == leafed("longTerm")
    assert sorted(gone) == sorted(leafed("expired"))
    assert sorted(made[:9]) == sorted(leafed("archived"))


def test_a_list_shows_nothing_of_another_scope(brain: Brain, make_brain: Any) -> None:
    """Neither other brains' memories nor, of this one, the test memories (P6)."""
    make_brain().remember("of another brain")
    brain.create_test_memory("of the test scope", 1.0, "working")
    real = brain.remember("of this one")

    assert [real.id] == [memory.id for memory in brain.memories().memories]
    assert 1 == len(brain.memories(test=True).memories)


def test_a_spoiled_memory_does_not_break_the_lists(brain: Brain, visitor: Visitor) -> None:
    """A hand edit that health complains of leaves all other memories to be seen."""
    spoiled = brain.remember("spoiled by hand")
    brain.remember("a sound one")
    query(brain.graph, "MATCH (m:Memory {id: $id}) SET m.content = 7, m.energy = 'much'", id=spoiled.id)

    assert ["a sound one"] == [memory.content for memory in brain.memories().memories]
    answers = [visitor(path) for path in ("/", "/memories", "/memories?state=live")]
    assert [200] * 3 == [answer.status for answer in answers]
    assert "Health" in answers[0].text
    assert properties_of(brain, spoiled.id)["energy"] == "much"


def test_every_statement_is_shown_as_it_stands_in_its_file(brain: Brain, visitor: Visitor) -> None:
    """With its parameters filled for this brain and this memory, in quotes that the value cannot leave."""
    page = visitor("/cypher/inspect/ledger?id=o%27brien")

    shown = unescape(re.search(r'<pre id="statement"[^>]*>(.*?)</pre>', page.text, re.DOTALL)[1])  # type: ignore[index]
    assert shown.endswith(statements()["inspect/ledger"].source.rstrip())
    assert f":param brain => '{brain.name}';\n:param isTest => false;\n:param id => 'o\\'brien';" in shown
    assert "isTest => true" in unescape(visitor("/test/cypher/inspect/ledger").text)


def test_ten_pages_cost_what_one_costs(brain: Brain) -> None:
    """A page of the list reads the entries of an index behind its cursor, not those before: PROFILE counts rows."""
    create_test_memories(brain, [(f"note number {number}", 1.0, "longTerm") for number in range(400)])
    text = statements()["inspect/list_live"].text
    far = brain.memories(limit=350, test=True).further
    assert far

    def read(after: str) -> int:
        values = {"brain": brain.name, "isTest": True, "tier": None, "after": after, "limit": 10, "looked": 20}
        with brain.graph.session("READ") as session:
            plan = session.run(f"PROFILE {text}", {**values, "width": 10}).consume().profile  # type: ignore[arg-type]
        return max(_rows(plan))

    assert read("") == read(far) == 20


def _rows(plan: Any) -> Iterator[int]:
    yield plan["rows"]
    for child in plan.get("children", ()):
        yield from _rows(child)


def test_a_long_history_is_cut_and_says_so(brain: Brain, visitor: Visitor) -> None:
    """Of a memory with more events than a page is for, the last ones are shown; how many are not is said."""
    made = brain.remember("restated and restated")
    query(
        brain.graph,
        """
        MATCH (m:Memory {id: $id})<-[:OF]-(e:EnergyEvent)
        UNWIND range(1, 600) AS i
        CREATE (:EnergyEvent {id: $id + i, brain: e.brain, isTest: false, kind: 'opened', before: e.after,
                              after: e.after, tier: e.tier, at: e.at + duration({milliseconds: i})})-[:OF]->(m)
        """,
        id=made.id,
    )

    page = visitor(f"/memories/{made.id}").text

    assert "101 earlier ones" in page
    assert 500 == page.count('<td class="text">opened</td>')
