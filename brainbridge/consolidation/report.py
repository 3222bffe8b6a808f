"""What a run did, pass by pass."""

from dataclasses import dataclass
from datetime import datetime

from brainbridge.domain.scope import Scope

# What a pass's count is called in the report, in ConsolidationRun and in JSON.
COUNT_NAMES = {"adopt": "adopted", "decay": "decayed", "relate": "related", "expire": "expired", "promote": "promoted"}


@dataclass(frozen=True, slots=True)
class PassReport:
    """One pass. `outcome`: ok, failed, skipped (an earlier pass failed) or preview (dry run)."""

    name: str
    changed: int
    elapsed_ms: float
    outcome: str = "ok"
    error: str | None = None


@dataclass(frozen=True, slots=True)
class RunReport:
    """One run. `now` is the instant everything was computed for, by the database server's clock."""

    run_id: str
    operation: str
    scope: Scope
    trigger: str
    now: datetime
    config_version: int
    passes: tuple[PassReport, ...]
    elapsed_ms: float
    dry_run: bool = False

    @property
    def outcome(self) -> str:
        """`ok`, `failed`, or `preview` for a dry run."""
        if self.dry_run:
            return "preview"
        return "failed" if any(done.outcome == "failed" for done in self.passes) else "ok"

    @property
    def error(self) -> str | None:
        """What stopped the run, if something did."""
        return next((done.error for done in self.passes if done.error), None)

    def changed(self, name: str) -> int:
        """How many memories (of relate: relations) the pass `name` treated; 0 if it did not run."""
        return sum(done.changed for done in self.passes if done.name == name)
