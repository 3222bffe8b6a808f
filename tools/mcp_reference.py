"""What the MCP server offers: for the reference, and for the snapshot that makes a changed word a reviewed diff."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import anyio
from mcp import Client
from pydantic import BaseModel

from brainbridge.app import Brain
from brainbridge.connection import Connection
from brainbridge.domain.errors import DatabaseUnreachable
from brainbridge.mcp.server import make_server

BRAIN = "milo"
Table = Callable[[tuple[str, ...], Sequence[tuple[str, ...]]], str]

_LIMITS = {
    "minLength": "at least {:,} character",
    "maxLength": "at most {:,} characters",
    "minimum": "from {:,}",
    "exclusiveMinimum": "above {:,}",
    "maximum": "to {:,}",
}


async def offered(client: Client) -> dict[str, Any]:
    """All that an agent is told before it calls anything, as it goes over the wire."""
    tools, prompts = await client.list_tools(), await client.list_prompts()
    resources = await client.list_resource_templates()
    return {
        "instructions": client.instructions,
        "tools": [_plain(tool) for tool in tools.tools],
        "resourceTemplates": [_plain(resource) for resource in resources.resource_templates],
        "prompts": [_plain(prompt) for prompt in prompts.prompts],
    }


def schema_text() -> str:
    """The same as JSON, for the brain BRAIN."""
    return json.dumps(_schema(), indent=2, ensure_ascii=False) + "\n"


def tool_sections(table: Table) -> str:
    """A section for every tool: what agents read of it, its arguments, the keys of its answer."""
    return "\n\n".join(_section(tool, table) for tool in _schema()["tools"])


@cache
def _schema() -> Mapping[str, Any]:
    def no_database() -> Brain:
        raise DatabaseUnreachable("what is offered needs no database")

    async def ask() -> dict[str, Any]:
        async with Client(make_server(Connection(BRAIN, no_database))) as client:
            return await offered(client)

    return anyio.run(ask)


def _plain(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


def _section(tool: Mapping[str, Any], table: Table) -> str:
    takes, hints = tool["inputSchema"], tool["annotations"]
    needed = takes.get("required", ())
    rows = [
        (
            f"`{name}`",
            _kind(schema),
            "needed" if name in needed else f"`{json.dumps(schema['default'])}`",
            schema.get("description", "–"),
        )
        for name, schema in takes["properties"].items()
    ]
    kind = "only reads" if hints["readOnlyHint"] else "may remove" if hints["destructiveHint"] else "adds"
    told = "\n".join(f"> {line}".rstrip() for line in tool["description"].splitlines())
    arguments = table(("argument", "kind", "default", "what it is"), rows) if rows else "It takes no arguments."
    keys = ", ".join(f"`{name}`" for name in tool["outputSchema"]["properties"])
    return f"## {tool['name']}\n\n{told}\n\n{arguments}\n\nIt answers with {keys}. Clients are told that it {kind}."


def _kind(schema: Mapping[str, Any]) -> str:
    """The kind of an argument, with its limits or its words."""
    if words := schema.get("enum"):
        return " ".join(f"`{word}`" for word in words if word is not None)
    known = next(kind for kind in schema.get("anyOf", [schema]) if kind["type"] != "null")
    limits = [form.format(known[key]) for key, form in _LIMITS.items() if key in known]
    return ", ".join(["text" if known["type"] == "string" else known["type"], *limits])
