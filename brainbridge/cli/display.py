"""Showing a page to the person at this machine."""

import os
import sys
import webbrowser


def open_page(url: str) -> None:
    """Open `url` in a browser, where there is a display."""
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)
