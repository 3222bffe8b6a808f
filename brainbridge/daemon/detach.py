"""Start a worker that nobody waits for. Standard library only: goodbyes and hooks call it."""

import sys


def detach_worker() -> None:
    """Start a process that answers what waits in the spool, and return at once.

    Only a session of its own with all three streams on /dev/null both lets a hook return at once (nobody holds its
    pipe) and survives when the agent kills the hook's process group. `&` does neither.

    Raises:
        OSError: it could not be started.
    """
    import subprocess  # 6 ms, which a hook saves where a daemon runs

    subprocess.Popen(
        # -P: the current directory is the user's project; a logging.py in it must not become ours.
        [sys.executable, "-P", "-m", "brainbridge.daemon.worker"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        close_fds=True,
    )
