"""A small server on FastMCP, with a bit of everything the framework does on the wire."""

import asyncio
import os
import sys
from typing import Any

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError

mcp = FastMCP("breakfall-fixture", instructions="Numbers and notes.")


@mcp.tool
def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


@mcp.tool
def divide(a: float, b: float) -> float:
    """Divides, and fails as Python does."""
    return a / b


@mcp.tool
def refuse(reason: str) -> str:
    """Fails with words of its own."""
    raise ToolError(f"refused: {reason}")


@mcp.tool
def connect(order: int) -> str:
    """Crashes with what nobody should see."""
    raise ConnectionError(f"postgresql://app:hunter2-is-no-password@db.internal/orders: order {order}: see /srv/app/private/db.key")


@mcp.tool
def pretend(order: int) -> str:
    """Fails, and calls it a success."""
    return f"MCP error -32603: order {order} does not exist"


@mcp.tool
async def hang(order: int) -> str:
    """Never comes to an end."""
    await asyncio.Event().wait()
    return f"order {order}"


@mcp.tool
def die(order: int) -> str:
    """Takes the server with it."""
    os._exit(3)


@mcp.tool
def nested(depth: int) -> dict[str, Any]:
    """Data in data, and numbers that are hard to keep."""
    inner: Any = {"tiny": 1e-300, "huge": 12345678901234567890, "one": 1.0, "text": "ä\u2028𝄞\u0000"}
    for _ in range(depth):
        inner = {"inner": inner}
    return inner


@mcp.tool
async def steps(count: int, context: Context) -> str:
    """Reports progress and logs on the way."""
    for step in range(count):
        await context.report_progress(step + 1, count, f"step {step + 1}")
        await context.info(f"step {step + 1}")
    return "done"


@mcp.resource("note://first", mime_type="text/plain")
def first() -> str:
    """The first note."""
    return "hello"


@mcp.resource("note://{name}")
def note(name: str) -> str:
    """Any note."""
    if name == "missing":
        raise FileNotFoundError("/srv/notes/missing")
    return f"note {name}"


@mcp.prompt
def greet(name: str) -> str:
    """Greets somebody."""
    return f"Say hello to {name}."


if "streamableHttp" in sys.argv:
    mcp.run(transport="http", host="127.0.0.1", port=int(os.environ["PORT"]), show_banner=False)
else:
    mcp.run(transport="stdio", show_banner=False)
