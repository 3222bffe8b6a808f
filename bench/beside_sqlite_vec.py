"""Run by bench_beside in a Python that has mcp-memory-service: stores the texts, asks the queries, prints how long."""

import asyncio
import json
import sys
from importlib.metadata import version
from pathlib import Path
from time import perf_counter


async def main(asked: Path, folder: str) -> None:
    """The last line of stdout is the answer."""
    from mcp_memory_service.models.memory import Memory
    from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
    from mcp_memory_service.utils.hashing import generate_content_hash

    given = json.loads(asked.read_text(encoding="utf-8"))
    storage = SqliteVecMemoryStorage(str(Path(folder) / "memories.db"))
    await storage.initialize()
    texts, limit = given["texts"], given["limit"]
    for first in range(0, len(texts), 1_000):
        batch = [
            Memory(content=text, content_hash=generate_content_hash(text)) for text in texts[first : first + 1_000]
        ]
        await storage.store_batch(batch)
    took = {}
    for leg, ask in (("by words and meaning", storage.retrieve_hybrid), ("by meaning", storage.retrieve)):
        milliseconds = []
        for turn in range(2):  # the first one warms up
            for query in given["queries"]:
                began = perf_counter()
                hits = await ask(query, limit)
                if turn:
                    milliseconds.append(1_000 * (perf_counter() - began))
                assert len(hits) == limit, f"{leg}: {len(hits)} hits for {query!r}"
        took[leg] = milliseconds
    print(json.dumps({"version": version("mcp-memory-service"), "took": took}))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
