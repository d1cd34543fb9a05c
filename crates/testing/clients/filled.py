"""The form of a server, filled in: the same words in every client, so that their reports can be compared."""

BY_TYPE = {"string": "text", "integer": 1, "number": 1.5, "boolean": True}


def filled(schema):
    properties = schema.get("properties", {})
    return {name: value(properties[name]) for name in schema.get("required", []) if name in properties}


def value(schema):
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if "oneOf" in schema:
        return schema["oneOf"][0]["const"]
    return BY_TYPE.get(schema.get("type"), [])
