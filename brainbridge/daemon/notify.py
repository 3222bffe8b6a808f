"""Tell systemd how the daemon is: the protocol of sd_notify(3), which is one datagram."""

import os
import socket


def notify(message: str) -> None:
    """Send `READY=1`, `WATCHDOG=1` or `STOPPING=1` to whoever started us, if it listens."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    if address.startswith("@"):  # a name in Linux's abstract namespace
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | getattr(socket, "SOCK_CLOEXEC", 0)) as channel:
            channel.sendto(message.encode(), address)
    except OSError:
        # A supervisor that has gone must not take the daemon with it.
        return
