"""Drives a server with version 1 of the official Python client, which knows the legacy era only.

The job and the report are those of drive-v2.py.
"""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from datetime import timedelta

from mcp import ClientSession, McpError, StdioServerParameters, stdio_client, types
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl

from filled import filled


def plain(model):
    if isinstance(model, dict):
        return model
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


seen = []


async def progress(done, _total, _message):
    seen.append(done)


heard = []


async def note(message):
    if not isinstance(message, Exception) and (said := plain(message)).get("method"):
        heard.append(said)


async def hear(_client, step):
    for _ in range(2000):
        for note in heard:
            if note["method"] == step["method"]:
                heard.remove(note)
                return note.get("params", {})
        await asyncio.sleep(0.01)
    raise RuntimeError(f"{step['method']} was not heard")


STEPS = {
    "tools": lambda client, step: client.list_tools(),
    "call": lambda client, step: client.call_tool(
        step["tool"], step["arguments"], progress_callback=progress if step["progress"] else None
    ),
    "resources": lambda client, step: client.list_resources(),
    "templates": lambda client, step: client.list_resource_templates(),
    "read": lambda client, step: client.read_resource(AnyUrl(step["uri"])),
    "prompts": lambda client, step: client.list_prompts(),
    "prompt": lambda client, step: client.get_prompt(step["name"], step["arguments"]),
    "complete": lambda client, step: client.complete(
        types.PromptReference(type="ref/prompt", name=step["prompt"]), {"name": step["argument"], "value": step["value"]}
    ),
    "subscribe": lambda client, step: client.subscribe_resource(AnyUrl(step["uri"])),
    "unsubscribe": lambda client, step: client.unsubscribe_resource(AnyUrl(step["uri"])),
    "level": lambda client, step: client.set_logging_level(step["level"]),
    "ping": lambda client, step: client.send_ping(),
    "hear": hear,
}


async def perform(client, step):
    try:
        return {"result": plain(await STEPS[step["do"]](client, step))}
    except McpError as error:
        return {"error": plain(error.error)}
    except (RuntimeError, ValueError) as error:
        return {"refused": f"{type(error).__name__}: {error}"}


async def sample(_context, _params):
    content = types.TextContent(type="text", text="hello")
    return types.CreateMessageResult(role="assistant", content=content, model="tests", stopReason="endTurn")


async def elicit(_context, params):
    return types.ElicitResult(action="accept", content=filled(params.requestedSchema))


async def roots(_context):
    return types.ListRootsResult(roots=[])


ANSWERS = {"sampling_callback": sample, "elicitation_callback": elicit, "list_roots_callback": roots}


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
    steps = job.get("steps")
    able = {} if steps is None else {**ANSWERS, "message_handler": note, "read_timeout_seconds": timedelta(seconds=60)}
    async with streams(job["command"]) as both, ClientSession(*both, **able) as client:
        agreed = await client.initialize()
        if steps is None:
            tools = plain(await client.list_tools())["tools"]
            steps = [{"do": "call", "progress": False, **call} for call in job["calls"]]
        else:
            tools = []
        replies = [await perform(client, step) for step in steps]
    report = {"protocol": agreed.protocolVersion, "tools": tools, "replies": replies, "progress": seen}
    json.dump(report, sys.stdout)


asyncio.run(main())
