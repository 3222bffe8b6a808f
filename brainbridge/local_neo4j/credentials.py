"""The password of the managed server: random, in a file of the owner's, set over Bolt.

It is on disk before the server is asked to take it, so a crash at any point leaves one of two states, and each start
tells them apart: the server takes the stored password, or it still has Neo4j's first one. Nothing is tried more often:
from the fifth failure in a row on, Neo4j refuses even the right password for some seconds.
"""

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from brainbridge.domain.errors import AuthenticationFailed, ServerFailed
from brainbridge.local_neo4j.state import write_private

if TYPE_CHECKING:
    from neo4j import Driver

USER = "neo4j"
_FIRST_PASSWORD = "neo4j"  # noqa: S105 - what every fresh store has, until it is changed
_UNAUTHORIZED = "Neo.ClientError.Security.Unauthorized"
_RATE_LIMITED = "Neo.ClientError.Security.AuthenticationRateLimit"
_RATE_LIMIT_PAUSE = 6.0  # seconds after which the right password is taken again, measured


def settle_password(uri: str, file: Path) -> str:
    """Make sure that the server takes the password in `file`, and return it.

    Raises:
        AuthenticationFailed: the server has some other password.
        ServerFailed: the server could not be talked to.
    """
    stored = _read(file)
    if stored is not None and _accepts(uri, stored):
        return stored
    password = stored or secrets.token_urlsafe(24)
    if stored is None:
        write_private(file, password + "\n")
    if _takes_new(uri, password):
        return password
    if stored is None:
        file.unlink()  # it never was the password
    found = f"the password in {file}" if stored else f"a first password, and {file} is missing"
    raise AuthenticationFailed(
        f"the managed Neo4j at {uri} refuses {found}. If it was changed elsewhere (in Neo4j Browser, say), write the "
        "right one into that file and start again."
    )


def read_password(file: Path) -> str | None:
    """The stored password, or None."""
    return _read(file)


def _read(file: Path) -> str | None:
    try:
        file.chmod(0o600)
        return file.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ServerFailed(f"cannot read the password in {file}: {error.strerror}. Give yourself the right.") from error


def _accepts(uri: str, password: str) -> bool:
    # No query: logging in tells enough, and the first statement of a cold server takes 2 to 5 s.
    return _attempt(uri, password, lambda driver: driver.verify_connectivity())


def _takes_new(uri: str, password: str) -> bool:
    statement = "ALTER CURRENT USER SET PASSWORD FROM $old TO $new"
    change = {"old": _FIRST_PASSWORD, "new": password}
    return _attempt(uri, _FIRST_PASSWORD, lambda driver: driver.execute_query(statement, change, database_="system"))


def _attempt(uri: str, password: str, act: Callable[["Driver"], object]) -> bool:
    """Whether the login worked. Waits once if Neo4j throttles."""
    from neo4j.exceptions import DriverError, Neo4jError

    for pause in (_RATE_LIMIT_PAUSE, None):
        try:
            with _driver(uri, password) as driver:
                act(driver)
        except Neo4jError as error:
            if error.code == _UNAUTHORIZED:
                return False
            if error.code != _RATE_LIMITED or pause is None:
                raise ServerFailed(f"the managed Neo4j refused the login: {error.message}. Start again.") from error
            time.sleep(pause)
        except DriverError as error:
            raise ServerFailed(f"the managed Neo4j stopped answering: {error}. Start again.") from error
        else:
            return True
    raise AssertionError("unreachable: the second round returns or raises")


def _driver(uri: str, password: str) -> "Driver":
    from neo4j import GraphDatabase

    return GraphDatabase.driver(
        uri,
        auth=(USER, password),
        connection_timeout=5,
        max_transaction_retry_time=10,
        telemetry_disabled=True,
        user_agent="brainbridge",
    )
