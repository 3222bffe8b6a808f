"""The page in a real browser: it fits, everyone can read it, it asks nobody else, and it works without scripts."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, sync_playwright

from brainbridge import app
from brainbridge.app import Brain
from brainbridge.graph.connection import Graph
from brainbridge.settings import Settings
from brainbridge.web.report import report_html
from brainbridge.web.serve import PageServer
from tests.page_support import lived_in, page_of
from tests.support import create_test_memories

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VIEWS = (
    "",
    "memories",
    "memories?state=live",
    "memories?text=folder",
    "MEMORY",
    "runs",
    "RUN",
    "misses?all=1",
    "shadow",
    "cypher",
    "cypher/inspect/status",
    "memories/none",
    "test/",
    "test/memories?state=live",
)
WIDE, NARROW = 1200, 390


@dataclass(frozen=True)
class Shown:
    """A page that is served, and the ids that stand for MEMORY and RUN in VIEWS."""

    server: PageServer
    memory: str
    run: str

    def url(self, view: str) -> str:
        """Where a view is."""
        path = view.replace("MEMORY", f"memories/{self.memory}").replace("RUN", f"runs/{self.run}")
        return f"{self.server.url}{path}"


@dataclass
class Watched:
    """A tab, and what it did beside showing a page."""

    page: Page
    foreign: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    @property
    def overflow(self) -> int:
        """By how many pixels the document is wider than the window."""
        width = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return int(width)


def chromium() -> str:
    """Where Chromium is; skips without it, but not in CI, where a skipped test would be one that nobody runs."""
    named = os.environ.get("BRAINBRIDGE_TEST_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        said = f"no Chromium: none of {', '.join(NAMES)} is on the PATH, and BRAINBRIDGE_TEST_CHROMIUM names none"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests here."""
    executable = chromium()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def lived(graph: Graph) -> Brain:
    """A brain with something for every view, a thousand test memories among it."""
    name = f"page{uuid4().hex[:8]}"
    app.initialise(graph, name)
    brain = Brain(graph, name, Settings(), owns_unowned=False)
    lived_in(brain)
    create_test_memories(
        brain, [(f"test memory number {n} of a thousand", 0.3 + n % 90 / 10, "longTerm") for n in range(1_000)]
    )
    return brain


@pytest.fixture(scope="module")
def shown(lived: Brain) -> Iterator[Shown]:
    """Its page."""
    folder = next(memory for memory in lived.memories().memories if "second shelf" in memory.content)
    with page_of(lived) as server:
        assert lived.often_recalled_with(folder.id)
        yield Shown(server, folder.id, lived.runs()[0]["id"])


@contextmanager
def tab(browser: Browser, server: PageServer | None = None, **options: Any) -> Iterator[Watched]:
    """A tab of a fresh profile, logged in if there is a server, whose requests and complaints are written down."""
    context = browser.new_context(**{"viewport": {"width": WIDE, "height": 900}} | options)
    watched = Watched(context.new_page())

    def pass_on(route: Route) -> None:
        url = route.request.url
        if server is None or not url.startswith(server.url):
            watched.foreign.append(url)
        route.continue_()

    watched.page.route("**/*", pass_on)
    watched.page.on("console", lambda message: watched.complaints.append(message.text))
    watched.page.on("pageerror", lambda error: watched.complaints.append(str(error)))
    if server is not None:
        watched.page.goto(server.login_url())
        watched.page.wait_for_url(server.url)
    try:
        yield watched
    finally:
        context.close()


def grave(page: Page) -> list[str]:
    """What axe-core finds serious or worse: the rule, and the element."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:120]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_every_view_is_fit_for_everyone(browser: Browser, shown: Shown, scheme: Any, width: int) -> None:
    """No serious finding of axe-core, no sideways scrolling, no complaint, no request but to the page itself."""
    with tab(browser, shown.server, color_scheme=scheme, viewport={"width": width, "height": 844}) as watched:
        for view in VIEWS:
            watched.page.goto(shown.url(view))

            assert 0 == watched.overflow, view
            assert [] == grave(watched.page), view
        missing = [line for line in watched.complaints if "404" not in line]  # of memories/none

    assert ([], []) == (watched.foreign, missing)


def test_it_works_without_javascript(browser: Browser, shown: Shown) -> None:
    """Logging in, every view, searching and leafing through need no script; the copy button is not shown."""
    with tab(browser, shown.server, java_script_enabled=False) as watched:
        page = watched.page
        for view in VIEWS:
            page.goto(shown.url(view))
            assert page.locator("h1").is_visible(), view
        page.goto(shown.url("memories"))
        page.get_by_label("Words in them").fill("gate code")
        page.get_by_role("button", name="Show").click()
        assert page.get_by_role("link", name="The gate code").first.is_visible()
        page.goto(shown.url("test/memories?state=live"))
        before = page.locator("td.text").first.inner_text()
        page.get_by_role("link", name="Further").click()
        assert before != page.locator("td.text").first.inner_text()
        page.goto(shown.url("cypher/inspect/status"))
        assert not page.locator("button[data-copy]").is_visible()


def test_the_copy_button_copies_the_statement(browser: Browser, shown: Shown) -> None:
    """With its parameters, ready for Neo4j Browser."""
    with tab(browser, shown.server, permissions=["clipboard-read", "clipboard-write"]) as watched:
        watched.page.goto(shown.url("cypher/inspect/status"))
        watched.page.get_by_role("button", name="Copy").click()
        watched.page.get_by_role("button", name="Copied").wait_for()
        copied = watched.page.evaluate("navigator.clipboard.readText()")

        assert copied == watched.page.locator("#statement").inner_text()
        assert copied.startswith(":param brain => 'page")


def test_the_keyboard_reaches_everything(browser: Browser, shown: Shown) -> None:
    """The first stop skips to the content; each stop is seen."""
    with tab(browser, shown.server) as watched:
        page = watched.page
        page.goto(shown.url(""))
        page.keyboard.press("Tab")
        assert "Skip to the content" == page.evaluate("document.activeElement.textContent")
        for _ in range(8):
            page.keyboard.press("Tab")
            assert "none" != page.evaluate("getComputedStyle(document.activeElement).outlineStyle")


def test_an_empty_brain_is_fit_for_everyone(browser: Browser, graph: Graph) -> None:
    """Wide and narrow, light and dark: it says what to do next."""
    name = f"page{uuid4().hex[:8]}"
    app.initialise(graph, name)
    with page_of(Brain(graph, name, Settings(), owns_unowned=False)) as server:
        for scheme, width in (("light", WIDE), ("dark", NARROW)):
            with tab(browser, server, color_scheme=scheme, viewport={"width": width, "height": 844}) as watched:
                for view in ("", "memories", "runs", "misses", "shadow", "test/"):
                    watched.page.goto(f"{server.url}{view}")

                    assert 0 == watched.overflow, view
                    assert [] == grave(watched.page), view
                watched.page.goto(server.url)
                assert watched.page.get_by_text("Nothing is remembered yet").is_visible()
            assert ([], []) == (watched.foreign, watched.complaints)


def test_strangers_are_met_in_full_dress(browser: Browser, shown: Shown) -> None:
    """Who is not logged in reads how to, in a page that fits."""
    with tab(browser, viewport={"width": NARROW, "height": 844}) as watched:
        watched.page.goto(shown.server.url)

        assert watched.page.get_by_text("brainbridge dashboard").is_visible()
        assert (0, []) == (watched.overflow, grave(watched.page))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_is_one_file(browser: Browser, lived: Brain, tmp_path: Any, scheme: Any) -> None:
    """It asks nobody for anything, not even the disk, and is as fit for everyone as the page."""
    file = tmp_path / "report.html"
    file.write_text(report_html(lived), encoding="utf-8")
    with tab(browser, color_scheme=scheme, viewport={"width": NARROW, "height": 844}) as watched:
        watched.page.goto(file.as_uri())

        assert (0, []) == (watched.overflow, grave(watched.page))
        watched.page.locator(".tile a.number").first.click()
        assert watched.page.locator("#inspect-status").is_visible()
    assert {file.as_uri()} == set(watched.foreign)
    assert [] == watched.complaints
