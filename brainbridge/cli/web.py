"""What the commands that draw HTML need, and how to get it."""

from importlib.util import find_spec

from brainbridge.domain.errors import BrainbridgeError
from brainbridge.domain.extras import how_to_install


def require_web(*modules: str) -> None:
    """Go on only if these modules are installed.

    Raises:
        BrainbridgeError: one is not; how to install it.
    """
    if any(find_spec(module) is None for module in modules):
        raise BrainbridgeError(f"the page is an extra. Install it with: {how_to_install('web')}")
