"""Drives a server with version 1 of the official Python client, which knows the legacy era only.

The job and the report are those of drive-v2.py.
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from datetime import timedelta

from anyio import BrokenResourceError
from mcp import ClientSession, McpError, StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl

from driving import ABLE, perform, plain, seen, steps

STEPS = steps(address=AnyUrl)


@asynccontextmanager
async def streams(command):
    if command[0].startswith("http"):
        async with streamable_http_client(command[0]) as (incoming, outgoing, _):
            yield incoming, outgoing
    else:
        async with stdio_client(StdioServerParameters(command=command[0], args=command[1:])) as both:
            yield both


async def main():
    job = json.load(sys.stdin)
    if job["era"] != "legacy":
        raise SystemExit(f"this client cannot speak the {job['era']} era")
    wanted = job.get("steps")
    able = {} if wanted is None else {**ABLE, "read_timeout_seconds": timedelta(seconds=60)}
    report = None
    try:
        async with streams(job["command"]) as both, ClientSession(*both, **able) as client:
            agreed = await client.initialize()
            if wanted is None:
                tools = plain(await client.list_tools())["tools"]
                wanted = [{"do": "call", "progress": False, **call} for call in job["calls"]]
            else:
                tools = []
            replies = [await perform(client, step, STEPS, McpError) for step in wanted]
            report = {"protocol": agreed.protocolVersion, "tools": tools, "replies": replies, "progress": seen}
    except Exception as error:
        # Whatever comes while this client leaves breaks its reader; everything was answered by then.
        if report is None or not is_broken(error):
            raise
    json.dump(report, sys.stdout)


def is_broken(error):
    parts = getattr(error, "exceptions", None)
    return all(map(is_broken, parts)) if parts else isinstance(error, BrokenResourceError)


asyncio.run(main())
