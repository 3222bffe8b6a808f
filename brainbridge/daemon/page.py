"""The page as the daemon serves it, if the settings say so and the extra is there; else the daemon does the rest."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from brainbridge.app import Brain, connect
from brainbridge.domain.errors import BrainbridgeError
from brainbridge.logs import get_logger
from brainbridge.settings import Settings
from brainbridge.web import SERVING, require

if TYPE_CHECKING:
    from brainbridge.web.serve import PageServer

log = get_logger(__name__)


class Page:
    """Serves the page of `brain` while it is entered, where it can be served. A reload of settings does not move it.

    Args:
        settings: gives the ones in force.
    """

    def __init__(self, brain: str, settings: Callable[[], Settings]) -> None:
        self._brain = brain
        self._settings = settings
        self._stack = ExitStack()
        self._server: PageServer | None = None

    def __enter__(self) -> Self:
        web = self._settings().web
        if not web.enabled:
            return self
        try:
            self._server = self._stack.enter_context(self._made(web.host, web.port))
        except BrainbridgeError as error:
            log.warning("page.refused", brain=self._brain, error=str(error))
        else:
            log.info("page.served", brain=self._brain, url=self._server.url)
        return self

    def __exit__(self, *_: object) -> None:
        self._server = None
        self._stack.close()

    def login_url(self) -> str:
        """A URL that logs in once; no text if the page is not served."""
        server = self._server
        return server.login_url() if server else ""

    def _made(self, host: str, port: int) -> "PageServer":
        require(*SERVING)
        from brainbridge.web.serve import PageServer

        return PageServer(self._brain, self._open, host=host, port=port)

    def _open(self) -> Brain:
        return connect(self._brain, settings=self._settings(), start=False, reading=True)
