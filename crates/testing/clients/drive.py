"""Drives a server with the official Python client.

Reads a job from stdin, {"command": [...], "era": "legacy" | "modern", "calls": [{"tool", "arguments"}]}, and writes what
the client made of it to stdout, {"protocol", "tools": [...], "replies": [{"result"} | {"error"}]}: a reply is what a
program built on this client gets to see.
"""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters, stdio_client

MODERN = "2026-07-28"


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def call(client, wanted):
    try:
        return {"result": plain(await client.call_tool(wanted["tool"], wanted["arguments"]))}
    except MCPError as error:
        return {"error": plain(error.error)}


async def main():
    job = json.load(sys.stdin)
    command, *arguments = job["command"]
    server = stdio_client(StdioServerParameters(command=command, args=arguments))
    mode = {"legacy": "legacy", "modern": MODERN}[job["era"]]
    async with Client(server, mode=mode) as client:
        tools = plain(await client.list_tools())["tools"]
        replies = [await call(client, wanted) for wanted in job["calls"]]
        protocol = client.protocol_version
    json.dump({"protocol": protocol, "tools": tools, "replies": replies}, sys.stdout)


asyncio.run(main())
