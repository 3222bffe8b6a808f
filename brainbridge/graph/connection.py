"""The way to the database: one driver, its errors translated once, and the transactions everything runs in."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from random import uniform
from time import monotonic, sleep
from typing import Any, Self, TypeVar

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    Driver,
    GraphDatabase,
    Session,
    Transaction,
)
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    DatabaseUnavailable,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from brainbridge.domain.errors import (
    AlreadyThere,
    AuthenticationFailed,
    BrainbridgeError,
    DatabaseUnreachable,
    QueryFailed,
    Refused,
    SettingsError,
)

T = TypeVar("T")

# Without a handler Python writes each retry of the driver to stderr, several lines of a deadlock that was overcome.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

# Longer than any bounded batch takes (0.5 s measured at a million), short enough to free what a lost client holds.
TRANSACTION_TIMEOUT = 120.0  # seconds
# Deadlocks and leader switches are tried again for this long.
RETRY_TIME = 15.0  # seconds
# A connection that was lost too, where there is one server: it comes back later than anybody waits for, or at once.
RECONNECT_TIME = 2.0  # seconds


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Neo4j answers, and who we are there."""

    uri: str
    username: str
    password: str
    database: str = "neo4j"

    def __repr__(self) -> str:
        return f"Address({self.uri!r}, {self.username!r}, database={self.database!r})"


class Graph:
    """One database. Thread-safe: the driver pools connections, each call takes a session of its own."""

    def __init__(self, driver: Driver, address: Address) -> None:
        self._driver = driver
        self.address = address
        self._routed = address.uri.startswith("neo4j")
        # In a cluster a reading member may be behind: it then waits for what we wrote. One server never is.
        self._bookmarks = GraphDatabase.bookmark_manager() if self._routed else None

    @classmethod
    def open(cls, address: Address, *, timeout: float = 3.0) -> Self:
        """Connect and make sure that someone answers.

        Args:
            address: where, and with which credentials.
            timeout: seconds until a database that does not answer counts as down.

        Raises:
            DatabaseUnreachable, AuthenticationFailed, SettingsError (an address that is none).
        """
        try:
            driver = GraphDatabase.driver(
                address.uri,
                auth=(address.username, address.password),
                connection_timeout=timeout,
                # Bounds the handshake with a server that accepts and then says nothing: 31 s with a limit of 30.
                connection_acquisition_timeout=timeout,
                keep_alive=True,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                user_agent="brainbridge",
            )
        except (ConfigurationError, ValueError) as error:
            raise _no_address(error, address) from error
        try:
            with translated(address):
                driver.verify_connectivity()
        except BaseException:
            driver.close()
            raise
        return cls(driver, address)

    def close(self) -> None:
        """Close the driver; further calls fail."""
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, query: str, work: Callable[[Transaction], T], *, run: str = "") -> T:
        """Run `work` in one write transaction; it is run again from the start after a transient failure, for
        `RETRY_TIME` at most, or `RECONNECT_TIME` if the server is gone.

        Args:
            query: the name that SHOW TRANSACTIONS and query.log show for it, e.g. `consolidation/decay`.
            run: the id of the consolidation run it belongs to, if any.
        """
        return self._transact(WRITE_ACCESS, query, work, run)

    def read(self, query: str, work: Callable[[Transaction], T], *, run: str = "") -> T:
        """Run `work` in one read transaction; see `write`."""
        return self._transact(READ_ACCESS, query, work, run)

    def _transact(self, mode: str, query: str, work: Callable[[Transaction], T], run: str) -> T:
        metadata = {"app": "brainbridge", "query": query, **({"run": run} if run else {})}
        began, pauses = monotonic(), _pauses()
        with translated(self.address):
            while True:
                try:
                    return self._attempt(mode, metadata, work)
                except (Neo4jError, DriverError) as error:
                    if not error.is_retryable() or monotonic() - began > self._patience(error):
                        raise
                sleep(next(pauses))

    def _patience(self, error: Exception) -> float:
        return RETRY_TIME if self._routed or isinstance(error, Neo4jError) else RECONNECT_TIME

    def _attempt(self, mode: str, metadata: dict[str, Any], work: Callable[[Transaction], T]) -> T:
        # Not execute_write: when a statement fails, driver 6.4 gives the connection back to the pool and afterwards
        # rolls back on it, though it may be another thread's by then, whose transaction is undone or never answered.
        # A session that closes touches only what it still holds.
        with self._session(mode) as session:
            tx = session.begin_transaction(metadata, TRANSACTION_TIMEOUT)
            done = work(tx)
            tx.commit()
        return done

    @contextmanager
    def session(self, mode: str = WRITE_ACCESS) -> Iterator[Session]:
        """A session on the configured database, with driver errors translated.

        Args:
            mode: WRITE_ACCESS or READ_ACCESS; the latter may be served by a secondary of a cluster.
        """
        with translated(self.address), self._session(mode) as session:
            yield session

    def _session(self, mode: str) -> Session:
        return self._driver.session(
            database=self.address.database, default_access_mode=mode, bookmark_manager=self._bookmarks
        )

    def now(self) -> datetime:
        """The database server's clock, in UTC, cut to the millisecond that the law counts in."""
        from brainbridge.graph.statements import runs

        return self.read("runs/server_now", runs.server_now)

    def server_version(self) -> str:
        """The server's version, such as `2026.08.1`."""
        with translated(self.address):
            agent = self._driver.get_server_info().agent
        return agent.rpartition("/")[2]


class ReadingGraph(Graph):
    """A database that is only looked at: the server is told so, and what would write is refused before it is asked."""

    def write(self, query: str, work: Callable[[Transaction], T], *, run: str = "") -> T:
        """Refuse.

        Raises:
            Refused: always.
        """
        raise Refused(f"{query} would write, and this connection only reads. Nothing was changed.")

    @contextmanager
    def session(self, mode: str = READ_ACCESS) -> Iterator[Session]:
        """A session that reads.

        Raises:
            Refused: one that writes is asked for.
        """
        if mode != READ_ACCESS:
            raise Refused("a session that writes was asked for, and this connection only reads. Nothing was changed.")
        with super().session(mode) as session:
            yield session


def _pauses() -> Iterator[float]:
    """Seconds to wait between attempts: doubling from about a tenth, so that those who collided meet no more."""
    for attempt in count():
        yield 0.1 * 2**attempt * uniform(0.5, 1.5)


@contextmanager
def translated(address: Address) -> Iterator[None]:
    """Turn what the driver raises into our errors, once, with the cause kept."""
    try:
        yield
    except BrainbridgeError:
        raise
    except (Neo4jError, DriverError, OSError) as error:
        raise _translate(error, address) from error


def _no_address(error: Exception, address: Address) -> SettingsError:
    return SettingsError(f"{address.uri!r} is not a Neo4j address: {error}. Write it as bolt://127.0.0.1:7687.")


def _translate(error: Exception, address: Address) -> Exception:
    where = f"{address.uri} (database {address.database})"
    code = getattr(error, "code", None) or ""
    if code.endswith("Security.AuthenticationRateLimit"):
        return AuthenticationFailed(
            f"{where} refuses logins for a few seconds after too many wrong passwords. Wait 10 s, then try again."
        )
    if code.endswith("Security.CredentialsExpired"):
        return AuthenticationFailed(
            f"the password of {address.username} at {where} must be changed before it can be used."
        )
    if code.endswith("Security.Forbidden"):
        return AuthenticationFailed(
            f"user {address.username!r} may not do this at {where}: {error}. "
            "`init`, and the first command after an upgrade, need a role such as architect; all others publisher."
        )
    if isinstance(error, AuthError) or ".Security." in code:
        return AuthenticationFailed(
            f"{where} refused user {address.username!r}: wrong user name or password. "
            "Set BRAINBRIDGE_USERNAME and BRAINBRIDGE_PASSWORD, or mend them in the configuration file."
        )
    if code.endswith("Database.DatabaseNotFound"):
        return DatabaseUnreachable(
            f"there is no database {address.database!r} at {address.uri}. Set BRAINBRIDGE_DATABASE."
        )
    if isinstance(error, ServiceUnavailable | SessionExpired | DatabaseUnavailable | OSError):
        return DatabaseUnreachable(
            f"no Neo4j answers at {where}. "
            "Start it (`brainbridge server start` for the managed one) or mend the address."
        )
    if isinstance(error, ConfigurationError):
        return _no_address(error, address)
    if code.endswith("Schema.ConstraintValidationFailed"):
        return AlreadyThere(f"someone else wrote the same first: {error}. Try again.")
    if isinstance(error, ClientError | Neo4jError):
        message = re.sub(r"\s+", " ", error.message or str(error)).strip()
        return QueryFailed(f"the database refused the statement: {message}")
    return QueryFailed(f"the database driver failed: {error}")
