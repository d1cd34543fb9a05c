"""What the drivers of both official Python clients have in common: the steps of a job, what is heard meanwhile, and the
answers to whatever a server may ask.
"""

import asyncio

from mcp import types

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


under_way = set()


async def begin(client, step):
    call = asyncio.create_task(client.call_tool(step["tool"], step["arguments"]))
    under_way.add(call)
    call.add_done_callback(lambda call: call.cancelled() or call.exception())
    # It is on its way before anything else is.
    await asyncio.sleep(0)
    return {}


def steps(address=str, **more):
    """What can be done, by name. `address` is what the client takes a URI as."""
    return {
        "tools": lambda client, step: client.list_tools(),
        "call": lambda client, step: client.call_tool(
            step["tool"], step["arguments"], progress_callback=progress if step["progress"] else None
        ),
        "begin": begin,
        "resources": lambda client, step: client.list_resources(),
        "templates": lambda client, step: client.list_resource_templates(),
        "read": lambda client, step: client.read_resource(address(step["uri"])),
        "prompts": lambda client, step: client.list_prompts(),
        "prompt": lambda client, step: client.get_prompt(step["name"], step["arguments"]),
        "complete": lambda client, step: client.complete(
            types.PromptReference(type="ref/prompt", name=step["prompt"]),
            {"name": step["argument"], "value": step["value"]},
        ),
        "subscribe": lambda client, step: client.subscribe_resource(address(step["uri"])),
        "unsubscribe": lambda client, step: client.unsubscribe_resource(address(step["uri"])),
        "level": lambda client, step: client.set_logging_level(step["level"]),
        "ping": lambda client, step: client.send_ping(),
        "hear": hear,
        **more,
    }


async def perform(client, step, steps, failure):
    """The reply to one step. `failure` is what the client raises for an error of the server."""
    try:
        return {"result": plain(await steps[step["do"]](client, step))}
    except failure as error:
        return {"error": plain(error.error)}
    except (RuntimeError, ValueError) as error:
        return {"refused": f"{type(error).__name__}: {error}"}


async def sample(_context, _params):
    content = types.TextContent(type="text", text="hello")
    message = {"role": "assistant", "content": content, "model": "tests", "stopReason": "endTurn"}
    return types.CreateMessageResult.model_validate(message)


async def elicit(_context, params):
    return types.ElicitResult(action="accept", content=filled(plain(params).get("requestedSchema", {})))


async def roots(_context):
    return types.ListRootsResult(roots=[])


# What a client can be asked, and that it hears what it is told.
ABLE = {"sampling_callback": sample, "elicitation_callback": elicit, "list_roots_callback": roots, "message_handler": note}
