"""Every error a user can meet, with the exit code its kind has on the command line.

    BrainbridgeError                1   the operation failed
    ├── UsageError                  2   the request itself is wrong: a bad value, an ambiguous reference
    │   ├── InvalidValue                a value outside its range, named with the range
    │   ├── NotFound                    nothing matches the reference
    │   ├── Ambiguous                   several things match; the candidates are listed
    │   └── SettingsError               a setting that cannot be used, and where it was set
    ├── DatabaseUnreachable         3   nothing answers at the address in time
    │   └── ServerFailed                the managed server cannot be provisioned or started
    ├── AuthenticationFailed        4   the database refused the credentials
    ├── UnknownBrain                5   no brain of that name; it is never made by accident
    ├── LeaseHeld                   6   another run holds the lease of this brain
    ├── Refused                     7   a write in a read-only place, a secret
    ├── EmbedderFailed              1   a model that makes vectors cannot be loaded, reached or trusted
    ├── Misshapen                   1   a hand edit left a memory that the model does not know
    ├── SchemaTooNew                1   the store was written by a newer brainbridge
    └── QueryFailed                 1   the database refused or aborted a statement
        └── AlreadyThere                someone else wrote the same first; looking again is the cure

Each text says what happened, with which value, and what to do next.
"""

from collections.abc import Sequence
from typing import ClassVar


class BrainbridgeError(Exception):
    """The base of all errors brainbridge raises on purpose."""

    exit_code: ClassVar[int] = 1


class UsageError(BrainbridgeError):
    """The request cannot be carried out as it was made."""

    exit_code = 2


class InvalidValue(UsageError):
    """A value is outside what the law or the format allows."""


class NotFound(UsageError):
    """Nothing matches a reference."""


class Ambiguous(UsageError):
    """Several memories match a reference."""

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class SettingsError(UsageError):
    """A setting is unknown, malformed or unsafe."""


class DatabaseUnreachable(BrainbridgeError):
    """No Neo4j answers at the configured address."""

    exit_code = 3


class ServerFailed(DatabaseUnreachable):
    """The managed Neo4j server could not be provisioned, started or stopped."""


class AuthenticationFailed(BrainbridgeError):
    """The database refused the user name or the password."""

    exit_code = 4


class UnknownBrain(BrainbridgeError):
    """No brain of that name is registered in the database."""

    exit_code = 5


class LeaseHeld(BrainbridgeError):
    """Another run of the same brain and scope is in progress."""

    exit_code = 6


class Refused(BrainbridgeError):
    """The request is well formed but not allowed here."""

    exit_code = 7


class SchemaTooNew(BrainbridgeError):
    """The database was written by a newer brainbridge; this one would not understand it."""


class EmbedderFailed(BrainbridgeError):
    """A model that makes vectors cannot be loaded or reached, or gives vectors of another length than it should."""


class Misshapen(BrainbridgeError):
    """A hand edit left a memory with a value outside the model."""


class QueryFailed(BrainbridgeError):
    """The database refused or aborted a statement."""


class AlreadyThere(QueryFailed):
    """Someone else wrote the same first."""
