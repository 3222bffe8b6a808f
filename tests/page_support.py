"""What tests of the page share: a page on a port of its own, and a visitor that sends exactly what it is told."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit

from brainbridge.app import Brain
from brainbridge.graph.connection import Address, ReadingGraph
from brainbridge.settings import Settings
from brainbridge.web.serve import PageServer
from tests.support import hours

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Visitor:
    """Somebody at a port of this machine, with or without a session."""

    port: int
    cookie: str = ""

    def __call__(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """One request; a header given as `Sec_Fetch_Site` is sent as Sec-Fetch-Site."""
        sent = {"Host": f"{HOST}:{self.port}", **({"Cookie": self.cookie} if self.cookie else {})}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        channel = http.client.HTTPConnection(HOST, self.port, timeout=30)
        try:
            channel.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                channel.putheader(name, value)
            channel.endheaders()
            response = channel.getresponse()
            text = response.read().decode("utf-8")
            return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, text)
        finally:
            channel.close()

    def log_in(self, url: str) -> Answer:
        """Follow a login URL and keep the cookie that it gives."""
        parts = urlsplit(url)
        answer = self(f"{parts.path}?{parts.query}")
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return answer


def reading(brain: Brain) -> Brain:
    """The same brain on a connection of its own that only reads, as the page is given it."""
    address: Address = brain.graph.address
    return Brain(ReadingGraph.open(address, timeout=15), brain.name, Settings(), owns_unowned=brain.owns_unowned)


@contextmanager
def page_of(brain: Brain) -> Iterator[PageServer]:
    """The page of a brain, on any free port."""
    with PageServer(brain.name, lambda: reading(brain), host=HOST, port=0) as page:
        yield page


@contextmanager
def visit(brain: Brain) -> Iterator[Visitor]:
    """A visitor who is logged in to the page of a brain."""
    with page_of(brain) as page:
        visitor = Visitor(page.port)
        assert visitor.log_in(page.login_url()).status == 200
        yield visitor


def lived_in(brain: Brain) -> str:
    """A brain with something for every view; the id of a memory that has all that a memory can have."""
    now = brain.graph.now()
    first = brain.remember("The gate code is kept in the blue folder", at=now - hours(30), core=False, producer="user")
    second = brain.remember("The blue folder stands on the second shelf", at=now - hours(29), memory_type="learning")
    third = brain.remember("The red folder is empty", at=now - hours(28))
    # Not related to the others: what is declared does not grow together by itself.
    fourth = brain.remember("Milo likes his coffee without sugar", at=now - hours(28), memory_type="crystallization")
    brain.link(first.id, "extends", second.id)
    brain.boost(first.id, now=now - hours(27))
    brain.consolidate(now=now - hours(26))
    for days in range(3):
        for memory in (first.id, second.id, fourth.id):
            brain.open(memory, now=now - hours(25) + timedelta(days=days))
    brain.supersede(third.id, second.id, reason="it was thrown away")
    brain.consolidate(now=now)
    brain.recall("When does the ferry leave?")
    brain.recall("blue folder")
    brain.create_test_memory("only a test", 2.5, "working")
    brain.consolidate(test=True)
    return brain.find_current(first.id).id
