"""Drives a server with version 2 of the official Python client, which knows both eras.

Reads a job from stdin, {"command": [...], "era": "legacy" | "modern", "calls": [{"tool", "arguments"}]}, and writes what
the client made of it to stdout, {"protocol", "tools": [...], "replies": [{"result"} | {"error"}], "progress": [...]}: a
reply is what a program built on this client gets to see. A command that is an address is that of a server over HTTP.

A job may have "steps" instead of calls, each {"do": ..., and what that needs}: then there are replies only, one for each
step, and the client can answer whatever a server may ask it. {"refused"} is a reply the client made up itself.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.client.subscriptions import ResourceUpdated, ToolsListChanged

from driving import ABLE, heard, perform, plain, seen, steps

MODERN = "2026-07-28"

streams = AsyncExitStack()


async def listen(client, step):
    stream = client.listen(tools_list_changed=True, resource_subscriptions=[step["uri"]])
    stream = await streams.enter_async_context(stream)
    asyncio.create_task(follow(stream))
    return stream.honored


async def follow(stream):
    async for event in stream:
        match event:
            case ResourceUpdated(uri=uri):
                heard.append({"method": "notifications/resources/updated", "params": {"uri": uri}})
            case ToolsListChanged():
                heard.append({"method": "notifications/tools/list_changed"})


STEPS = steps(listen=listen)


async def main():
    job = json.load(sys.stdin)
    command, *arguments = job["command"]
    if command.startswith("http"):
        server = command
    else:
        server = stdio_client(StdioServerParameters(command=command, args=arguments))
    mode = {"legacy": "legacy", "modern": MODERN}[job["era"]]
    wanted = job.get("steps")
    able = {} if wanted is None else {**ABLE, "cache": None, "read_timeout_seconds": 60}
    async with Client(server, mode=mode, **able) as client, streams:
        if wanted is None:
            tools = plain(await client.list_tools())["tools"]
            wanted = [{"do": "call", "progress": False, **call} for call in job["calls"]]
        else:
            tools = []
        replies = [await perform(client, step, STEPS, MCPError) for step in wanted]
        protocol = client.protocol_version
    json.dump({"protocol": protocol, "tools": tools, "replies": replies, "progress": seen}, sys.stdout)


asyncio.run(main())
