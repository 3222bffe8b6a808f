"""The page: a brain to look at in a browser on this machine. It reads and never writes. Needs the extra `web`.

Drawn by the server, so it works without JavaScript and asks nobody else for anything (docs/adr/0022). The same
functions make the file of `brainbridge report --html`.
"""

from importlib.util import find_spec

from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.extras import how_to_install

# To draw; to serve as well.
DRAWING = ("jinja2",)
SERVING = ("starlette", "uvicorn", "jinja2", "prometheus_client")


def require(*modules: str) -> None:
    """Go on only if these modules are installed.

    Raises:
        BrainbridgeError: one is not; how to install it.
    """
    if any(find_spec(module) is None for module in modules):
        raise BrainbridgeError(f"the page is an extra. Install it with: {how_to_install('web')}")
