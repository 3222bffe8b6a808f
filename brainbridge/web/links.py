"""Where things are: on the page, below / for real and below /test for test memories, or within the file of a report."""

from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from brainbridge.graph.cypher import statement


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of one scope.

    Args:
        test: of the test memories.
        within: all of it is in one file, where only statements are linked.
    """

    test: bool = False
    within: bool = False
    # The statements that were linked, in the order in which they were met.
    used: dict[str, None] = field(default_factory=dict)

    def to(self, path: str) -> str:
        """A view of this scope, by its path in `page_routes`."""
        return f"/test{path}" if self.test else path

    def memory(self, id: str) -> str:
        """The view of a memory; no text within a file."""
        return "" if self.within else self.to(f"/memories/{quote(id, safe='')}")

    def statement(self, name: str, id: str | None = None) -> str:
        """The view of a statement, with `id` for its parameter of that name.

        Raises:
            NotFound: there is none of that name.
        """
        self.used[statement(name).name] = None
        if self.within:
            return f"#{name.replace('/', '-')}"
        return self.to(f"/cypher/{name}") + (f"?{urlencode({'id': id})}" if id is not None else "")

    def here(self, path: str, **query: str | None) -> str:
        """A view with a query; what is empty is left out."""
        given = {name: value for name, value in query.items() if value}
        return self.to(path) + (f"?{urlencode(given)}" if given else "")
