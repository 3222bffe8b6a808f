"""What machines ask: is the process alive, can it work, and what are its numbers.

They are answered without a session, as no probe can log in: they say how many memories there are and never which.
The guard's look at Host and Origin stays in front of them.
"""

from collections.abc import Callable, Sequence

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from brainbridge.connection import Connection
from brainbridge.domain.errors import (
    AuthenticationFailed,
    BrainbridgeError,
    DatabaseUnreachable,
    Refused,
    SchemaTooNew,
    UnknownBrain,
)
from brainbridge.web.metrics import registry

# Why a brain cannot be worked with, without addresses and names of users.
REASONS: Sequence[tuple[type[BrainbridgeError], str]] = (
    (DatabaseUnreachable, "the database does not answer"),
    (AuthenticationFailed, "the database refuses the credentials"),
    (UnknownBrain, "the brain is not registered"),
    (SchemaTooNew, "the database was prepared by a newer brainbridge"),
    (Refused, "the database was prepared by an older brainbridge, and no command has brought it up yet"),
)


def probe_routes(connection: Connection) -> Sequence[Route]:
    """/healthz, /readyz and /metrics of one brain."""
    collected = registry(connection)

    async def alive(_: Request) -> Response:
        """The process answers; neither the database nor a thread is asked for."""
        return PlainTextResponse("ok\n")

    def ready(_: Request) -> Response:
        """The database answers and its schema is ours."""
        try:
            with connection.brain() as brain:
                current = brain.schema_is_current()
        except BrainbridgeError as error:
            reason = next((said for kind, said in REASONS if isinstance(error, kind)), "the brain cannot be opened")
            return PlainTextResponse(f"not ready: {reason}\n", status_code=503)
        if not current:
            return PlainTextResponse("not ready: the database has another schema\n", status_code=503)
        return PlainTextResponse("ok\n")

    def metrics(request: Request) -> Response:
        """The numbers, as Prometheus reads them."""
        encode, content_type = _encoder(request.headers.get("accept", ""))
        return Response(encode(collected), headers={"Content-Type": content_type})

    return [Route("/healthz", alive), Route("/readyz", ready), Route("/metrics", metrics)]


def _encoder(accept: str) -> tuple[Callable[[CollectorRegistry], bytes], str]:
    """The format that is asked for; the plain one if it is asked for in a version that is none."""
    try:
        encode, content_type = choose_encoder(accept)
        encode(CollectorRegistry())  # it, too, reads the version
    except (TypeError, ValueError):
        return choose_encoder("")
    return encode, content_type
