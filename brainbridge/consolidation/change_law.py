"""A change of the constants: what has faded by the old ones is settled before the new ones come into force.

The Cypher decays a memory from its lastDecay by the constants of the moment. Without settling first, a new λ would
reach back to the last run, differently far for each memory, and no replay of a ledger could tell how far.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from uuid import uuid4

from brainbridge.consolidation import lease
from brainbridge.consolidation.decay import decay
from brainbridge.consolidation.passes import Run
from brainbridge.domain.energy import Law
from brainbridge.domain.errors import InvalidValue
from brainbridge.domain.naming import camel
from brainbridge.domain.scope import Scope
from brainbridge.graph.connection import Graph
from brainbridge.graph.law import LawVersion, properties_of_law
from brainbridge.graph.statements import config

# Constants that say how an energy fades; the others act at events and need no settling.
FADING = ("lambda_working", "lambda_short_term", "lambda_long_term", "long_term_floor")
# Longer than a run over a million memories takes (31 s measured).
PATIENCE = 60.0  # seconds


def change_law(
    graph: Graph, brain: str, before: LawVersion, changes: Mapping[str, float | str], *, now: datetime | None = None
) -> None:
    """Close the version `before` and open the next one, valid from the instant at which all energies were settled.

    Both scopes' leases are held meanwhile, so that no run settles memories by the old constants in between. Events are
    not held up: those of the seconds until the new version is written still go by the old one (domain/replay.py).

    Raises:
        LeaseHeld: a run did not finish in a minute. InvalidValue: someone else changed the constants meanwhile.
    """
    id_ = str(uuid4())
    after = properties_of_law(changed(before.law, changes))
    fading = any(name in FADING for name in changes)
    with ExitStack() as stack:
        scopes: Sequence[Scope] = [Scope(brain), Scope(brain, is_test=True)] if fading else []
        for scope in scopes:
            stack.enter_context(lease.held(graph, scope, id_, wait_seconds=PATIENCE))
        at = now or graph.now()
        for scope in scopes:
            decay(graph, Run(id_, scope, at, before.law))
        work = partial(
            config.write_config,
            brain=brain,
            now=at,
            version=before.version,
            changes={camel(name): after[camel(name)] for name in changes},
        )
        if not graph.write("config/write_config", work, run=id_):
            raise InvalidValue(f"the constants changed meanwhile (version {before.version} is closed). Try again.")


def changed(law: Law, changes: Mapping[str, float | str]) -> Law:
    """`law` with `changes`, by their names in `Law`.

    Raises:
        InvalidValue: an unknown name, or a law that contradicts itself.
    """
    if unknown := sorted(set(changes) - set(Law.names())):
        raise InvalidValue(f"{unknown[0]!r} is not a constant. There are: {', '.join(map(camel, Law.names()))}.")
    return law.with_changes(**changes)
