"""A server for the tests of `call`: a tool for every way a call can end. Its first argument says how it behaves before."""

import json
import os
import sys

TOOLS = [
    {
        "name": "echo",
        "description": "Says its arguments.\n\nThis part is for those who use it.",
        "inputSchema": {
            "type": "object",
            "required": ["text"],
            "properties": {
                "text": {"type": "string", "description": "what to say"},
                "times": {"type": "integer", "default": 1},
                "tone": {"enum": ["high", "low"]},
            },
        },
    },
    {"name": "environment", "inputSchema": {"type": "object"}},
]
NAMES = """bad_shape blank busy confirm deny_rpc dies disguised elicits half image input_required large logs mistake partial records refuses
    silent structured url warned waits words""".split()
TOOLS += [{"name": name, "inputSchema": {"type": "object"}} for name in NAMES]


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def meta(error):
    return text(error["message"], isError=True, _meta={"dev.breakfall/error": error})


def call(id, params, line):
    name, arguments = params["name"], params.get("arguments")
    if name == "echo":
        if "text" not in arguments:
            return text("MCP error -32602: Input validation error: text: Field required", isError=True)
        if not isinstance(arguments.get("text"), str):
            return meta({
                "code": "VALIDATION_INVALID_TYPE", "message": "Parameter 'text' expected 'string', got 'number'",
                "corrective_params": {"text": "it's\n$5"}, "correlation_id": "req-1",
            })
        # To the letter: from the line, not from what it was parsed to.
        return text(line[line.index('"arguments":') + 12:line.index(',"_meta"')])
    if name == "environment":
        return text(f"{os.environ.get('GREETING')} in {os.getcwd()}")
    if name == "words":
        return text("Traceback (most recent call last):\n  File \"x.py\"\nValueError: no such colour", isError=True)
    if name == "mistake":
        return meta({
            "code": "ORDER_NOT_FOUND", "category": "not_found", "message": "There is no order '7'",
            "remediation": "List the orders.", "fallback_tool": "list_orders", "correlation_id": "req-2",
        })
    if name == "busy":
        return meta({"code": "RATE_LIMIT_EXCEEDED", "message": "Too many calls", "retry": {"policy": "after", "after_ms": 3000}})
    if name == "confirm":
        return meta({"code": "CONFIRMATION_REQUIRED", "message": "This deletes everything"})
    if name == "elicits":
        say({"jsonrpc": "2.0", "id": "q", "method": "ping"})
        assert json.loads(sys.stdin.readline())["result"] == {}
        say({"jsonrpc": "2.0", "id": "r", "method": "roots/list"})
        assert json.loads(sys.stdin.readline())["error"]["code"] == -32601
        schema = {"type": "object", "properties": {"order": {"type": "integer"}, "why": {"type": "string"}}, "required": ["order"]}
        question = {"message": "Which order?", "requestedSchema": schema}
        say({"jsonrpc": "2.0", "id": "e", "method": "elicitation/create", "params": question})
        return text(f"You said: {json.loads(sys.stdin.readline())['result']}")
    if name == "input_required":
        question = {"method": "elicitation/create", "params": {"message": "How many?"}}
        return {"resultType": "input_required", "inputRequests": {"a": question}}
    if name == "logs":
        token = params["_meta"]["progressToken"]
        for step in (1, 2):
            progress = {"progressToken": token, "progress": step, "total": 2, "message": "half\x1b[2J" if step == 1 else "all"}
            say({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress})
        say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "warning", "logger": "disk", "data": "full"}})
        print("on stderr", file=sys.stderr, flush=True)
        return text("done")
    if name == "dies":
        sys.exit(3)
    if name == "silent":
        return None
    if name == "waits":
        print("waiting", file=sys.stderr, flush=True)
        note = json.loads(sys.stdin.readline())
        print(note["method"], note["params"]["requestId"] == id, file=sys.stderr, flush=True)
        return None
    if name == "records":
        open(arguments["file"], "w").close()
        return text("recorded")
    return {
        "bad_shape": {"content": "all good"},
        "blank": {"content": []},
        "disguised": text("Error: Unknown tool: fly"),
        "half": text("cut \ud83d"),
        "image": {"content": [{"type": "image", "mimeType": "image/png", "data": "QUJD" * 4000}]},
        "large": {"content": [], "structuredContent": {"z": 12345678901234567890123, "a": [1.5, {}]}},
        "partial": text(json.dumps({
            "success": False, "partial": True, "results": [
                {"index": 0, "success": True, "data": 1},
                {"index": 1, "success": False, "error": {"code": "NOT_FOUND_RESOURCE", "message": "no"}}],
            "summary": {"total": 2, "succeeded": 1, "failed": 1}})),
        "structured": {"content": [], "structuredContent": {"z": 1, "a": [True]}},
        "warned": text("cut", _meta={"dev.breakfall/success": {"warnings": [{"message": "There is more"}]}}),
    }[name]


def answer(line):
    request = json.loads(line)
    method, params, id = request["method"], request.get("params", {}), request.get("id")
    if id is None:
        return
    error = None
    result = {}
    if method == "initialize":
        if how in ("refuses", "modern"):
            error = {"code": -32601 if how == "modern" else -32603, "message": "Not with me"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    elif method == "server/discover":
        if how == "refuses":
            error = {"code": -32601, "message": "Method not found"}
        result = {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}}
    elif how == "modern" and params["_meta"]["io.modelcontextprotocol/protocolVersion"] != "2026-07-28":
        error = {"code": -32602, "message": "No version"}
    elif method == "tools/list":
        if how == "endless":
            result = {"tools": [], "nextCursor": "on and on"}
        elif how == "pages":
            result = {"tools": TOOLS[1:]} if params.get("cursor") == "two" else {"tools": TOOLS[:1], "nextCursor": "two"}
        elif how == "half":
            result = {"tools": [{**tool, "description": "Cut: \ud83d"} for tool in TOOLS]}
        elif how == "listless":
            error = {"code": -32601, "message": "Method not found"}
        else:
            result = {"tools": TOOLS}
    elif params["name"] == "deny_rpc":
        error = {"code": -32603, "message": "The wheel came off\nand rolled away", "data": {"wheel": 3}}
    elif params["name"] == "url":
        page = {"message": "Log in at", "url": "https://example.test/login", "elicitationId": "1"}
        error = {"code": -32042, "message": "URL", "data": {"elicitations": [page]}}
    else:
        result = call(id, params, line)
    if result is not None or error is not None:
        say({"jsonrpc": "2.0", "id": id, **({"error": error} if error else {"result": result})})


how = sys.argv[1] if len(sys.argv) > 1 else ""
if how == "breaks":
    print("no such module: shop", file=sys.stderr)
    sys.exit(4)
if how == "banner":
    print("Welcome!", flush=True)
for line in sys.stdin:
    if how != "mute":
        answer(line)
