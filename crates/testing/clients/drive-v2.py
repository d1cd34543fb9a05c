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

from mcp import Client, MCPError, StdioServerParameters, stdio_client, types
from mcp.client.subscriptions import ResourceUpdated, ToolsListChanged

from filled import filled

MODERN = "2026-07-28"


def plain(model):
    if isinstance(model, dict):
        return model
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def call(client, wanted):
    try:
        return {"result": plain(await client.call_tool(wanted["tool"], wanted["arguments"]))}
    except MCPError as error:
        return {"error": plain(error.error)}


seen = []


async def progress(done, _total, _message):
    seen.append(done)


heard = []


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
    "read": lambda client, step: client.read_resource(step["uri"]),
    "prompts": lambda client, step: client.list_prompts(),
    "prompt": lambda client, step: client.get_prompt(step["name"], step["arguments"]),
    "complete": lambda client, step: client.complete(
        types.PromptReference(name=step["prompt"]), {"name": step["argument"], "value": step["value"]}
    ),
    "subscribe": lambda client, step: client.subscribe_resource(step["uri"]),
    "unsubscribe": lambda client, step: client.unsubscribe_resource(step["uri"]),
    "level": lambda client, step: client.set_logging_level(step["level"]),
    "ping": lambda client, step: client.send_ping(),
    "hear": hear,
    "listen": listen,
}


async def perform(client, step):
    try:
        return {"result": plain(await STEPS[step["do"]](client, step))}
    except MCPError as error:
        return {"error": plain(error.error)}
    except (RuntimeError, ValueError) as error:
        return {"refused": f"{type(error).__name__}: {error}"}


async def sample(_context, _params):
    content = types.TextContent(type="text", text="hello")
    return types.CreateMessageResult(role="assistant", content=content, model="tests", stop_reason="endTurn")


async def elicit(_context, params):
    return types.ElicitResult(action="accept", content=filled(params.requested_schema))


async def roots(_context):
    return types.ListRootsResult(roots=[])


ANSWERS = {"sampling_callback": sample, "elicitation_callback": elicit, "list_roots_callback": roots}


async def main():
    job = json.load(sys.stdin)
    command, *arguments = job["command"]
    if command.startswith("http"):
        server = command
    else:
        server = stdio_client(StdioServerParameters(command=command, args=arguments))
    mode = {"legacy": "legacy", "modern": MODERN}[job["era"]]
    steps = job.get("steps")
    able = {} if steps is None else {**ANSWERS, "message_handler": note, "cache": None, "read_timeout_seconds": 60}
    async with Client(server, mode=mode, **able) as client, streams:
        if steps is None:
            tools = plain(await client.list_tools())["tools"]
            replies = [await call(client, wanted) for wanted in job["calls"]]
        else:
            tools, replies = [], [await perform(client, step) for step in steps]
        protocol = client.protocol_version
    json.dump({"protocol": protocol, "tools": tools, "replies": replies, "progress": seen}, sys.stdout)


asyncio.run(main())
