"""What tests of the page share: a page on a port of its own, and a visitor that sends exactly what it is told."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from brainbridge.app import Brain
from brainbridge.graph.connection import Address, ReadingGraph
from brainbridge.settings import Settings
from brainbridge.web.serve import PageServer

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
