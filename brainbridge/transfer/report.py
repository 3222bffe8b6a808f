"""What an export and an import did."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportReport:
    """How much was written. `left_out`: memories that are none by the model, so that no import would take them."""

    memories: int = 0
    events: int = 0
    relations: int = 0
    sources: int = 0
    configs: int = 0
    left_out: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import found and did.

    `already_there`: memories that stand here exactly as in the file. `kept`: those that stand here differently, under
    the same id or under the one that their lineage or their text has here; they were left as they are. `configs_kept`:
    versions of constants not taken over. `dangling`: relations one end of which is neither here nor in the file.
    Of notes only: `reinforced`, texts that restate a memory; `faded`, memories so old that the next run expires them.
    The others count what is new.
    """

    created: int = 0
    already_there: int = 0
    kept: int = 0
    relations: int = 0
    events: int = 0
    sources: int = 0
    configs: int = 0
    configs_kept: int = 0
    dangling: int = 0
    reinforced: int = 0
    faded: int = 0
    seconds: float = 0.0
