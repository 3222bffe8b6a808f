"""brainbridge: a memory for agents and people that fades, hardens and knows what it does not know."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brainbridge.app import connect as connect

__version__ = "0.1.0"
__all__ = ["__version__", "connect"]


def __getattr__(name: str) -> object:
    # Lazy on purpose: `brainbridge --version` and the hooks import this package and must stay cheap.
    if name == "connect":
        from brainbridge.app import connect

        return connect
    raise AttributeError(f"module 'brainbridge' has no attribute {name!r}")
