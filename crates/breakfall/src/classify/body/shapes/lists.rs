//! Several errors in one body: GraphQL, JSON:API, `FastAPI`, and lists and maps of whatever kind under `errors`.

use serde_json::{Map, Value};

use super::plain::{name, status, wait};
use super::violations::{
    ITEM_WORDS, MOST, field_violations, is_short, item, item_violations, objects, of_field,
};
use super::{BodyExample, BodyShape, first_text, owned, text};
use crate::classify::body::{BodyReading, code_of};
use crate::details::Details;
use crate::violation::Violation;

/// GraphQL: the answer is 200 and the errors stand beside the data.
pub(super) const GRAPHQL: BodyShape = BodyShape {
    name: "graphql",
    read: graphql,
    examples: &[
        BodyExample {
            body: r#"{"data":null,"errors":[{"message":"Not signed in","path":["viewer"],"extensions":{"code":"UNAUTHENTICATED"}}]}"#,
            message: "Not signed in",
            name: "UNAUTHENTICATED",
            code: "AUTHENTICATION_REQUIRED",
            violations: &[],
        },
        BodyExample {
            body: r#"{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","path":["repository"],"locations":[{"line":1,"column":3}],"message":"Could not resolve to a Repository"}]}"#,
            message: "Could not resolve to a Repository",
            name: "NOT_FOUND",
            code: "NOT_FOUND_RESOURCE",
            violations: &[],
        },
        BodyExample {
            body: r#"{"errors":[{"message":"Throttled","extensions":{"code":"THROTTLED"}},{"message":"Throttled"}]}"#,
            message: "Throttled",
            name: "THROTTLED",
            code: "RATE_LIMIT_EXCEEDED",
            violations: &[],
        },
    ],
};

fn graphql(map: &Map<String, Value>) -> Option<BodyReading> {
    let errors = objects(map.get("errors")?)?;
    let is_one = map.contains_key("data")
        || errors
            .iter()
            .any(|error| error.contains_key("extensions") || error.contains_key("locations"));
    if !is_one || errors.iter().any(|error| text(error, "message").is_none()) {
        return None;
    }
    let nothing = Map::new();
    let extensions = errors
        .iter()
        .find_map(|error| error.get("extensions")?.as_object())
        .unwrap_or(&nothing);
    let path = errors.iter().find_map(|error| error.get("path"));
    let mut details = Details::default();
    details.insert_some("path", path.filter(|path| is_short(path)).cloned());
    Some(BodyReading {
        message: joined(errors.iter().filter_map(|error| text(error, "message"))),
        name: name(extensions).or_else(|| errors.iter().find_map(|error| name(error))),
        wait: wait(extensions),
        status: extensions
            .get("http")
            .and_then(Value::as_object)
            .and_then(status),
        details,
        ..BodyReading::default()
    })
}

/// JSON:API: objects with title, detail and the place in the request they are about.
pub(super) const JSON_API: BodyShape = BodyShape {
    name: "json-api",
    read: json_api,
    examples: &[
        BodyExample {
            body: r#"{"errors":[{"status":"422","code":"required","source":{"pointer":"/data/attributes/email"},"title":"Invalid Attribute","detail":"Email must be given."}]}"#,
            message: "Email must be given.",
            name: "",
            code: "VALIDATION_MISSING_PARAM",
            violations: &["/data/attributes/email"],
        },
        BodyExample {
            body: r#"{"errors":[{"status":"409","code":"CONFLICT","title":"Order is being changed"}]}"#,
            message: "Order is being changed",
            name: "CONFLICT",
            code: "CONFLICT_INVALID_STATE",
            violations: &[],
        },
    ],
};

fn json_api(map: &Map<String, Value>) -> Option<BodyReading> {
    let errors = objects(map.get("errors")?)?;
    let told = |error: &Map<String, Value>| owned(first_text(error, &["detail", "title"]));
    let is_one =
        |error: &&Map<String, Value>| told(error).is_some() && text(error, "message").is_none();
    if !errors.iter().all(is_one) {
        return None;
    }
    let place = |error: &Map<String, Value>| {
        let source = error.get("source")?.as_object()?;
        let at = match text(source, "pointer") {
            Some(pointer) => Violation::at(pointer),
            None => Violation::of_field(text(source, "parameter")?),
        };
        let at = at.message(told(error)?);
        Some(match text(error, "code") {
            Some(word) => at.keyword(word),
            None => at,
        })
    };
    let violations: Vec<_> = errors.iter().filter_map(|error| place(error)).collect();
    let sentences: Vec<_> = errors.iter().filter_map(|error| told(error)).collect();
    let mut unplaced = errors.iter().filter(|_| violations.is_empty());
    Some(BodyReading {
        message: joined(sentences.iter().map(String::as_str)),
        name: unplaced.find_map(|error| name(error)),
        code: code_of(&violations),
        status: errors.first().and_then(|error| status(error)),
        violations,
        ..BodyReading::default()
    })
}

/// `FastAPI`: a list under `detail`, each with a place, words and a type.
pub(super) const FASTAPI: BodyShape = BodyShape {
    name: "fastapi",
    read: fastapi,
    examples: &[
        BodyExample {
            body: r#"{"detail":[{"type":"missing","loc":["body","user","email"],"msg":"Field required","input":{"name":"x"}}]}"#,
            message: "",
            name: "",
            code: "VALIDATION_MISSING_PARAM",
            violations: &["/user/email"],
        },
        BodyExample {
            body: r#"{"detail":[{"loc":["query","limit"],"msg":"value is not a valid integer","type":"type_error.integer"},
                {"loc":["body","tags",0],"msg":"Input should be 'a' or 'b'","type":"enum","input":"c"}]}"#,
            message: "",
            name: "",
            code: "VALIDATION_INVALID_VALUE",
            violations: &["/limit", "/tags/0"],
        },
    ],
};

fn fastapi(map: &Map<String, Value>) -> Option<BodyReading> {
    let errors = objects(map.get("detail")?)?;
    if !errors.iter().all(|error| error.contains_key("loc")) {
        return None;
    }
    let violations: Vec<_> = errors.iter().filter_map(|error| item(error)).collect();
    Some(BodyReading {
        code: code_of(&violations),
        violations,
        ..BodyReading::default()
    })
}

/// Fields and their complaints under `errors`, as Rails, Laravel and ASP.NET write them.
pub(super) const FIELDS: BodyShape = BodyShape {
    name: "errors-by-field",
    read: fields,
    examples: &[
        BodyExample {
            body: r#"{"message":"The given data was invalid.","errors":{"email":["The email field is required."],"age":["too low","odd"]}}"#,
            message: "The given data was invalid.",
            name: "",
            code: "",
            violations: &["/age", "/age", "/email"],
        },
        BodyExample {
            body: r#"{"errors":{"name":"can't be blank"}}"#,
            message: "",
            name: "",
            code: "",
            violations: &["/name"],
        },
    ],
};

fn fields(map: &Map<String, Value>) -> Option<BodyReading> {
    let violations = field_violations(map.get("errors")?)?;
    Some(BodyReading {
        message: owned(first_text(map, ABOVE)),
        name: name(map),
        violations,
        ..BodyReading::default()
    })
}

/// A list under `errors`, of sentences or of objects of no particular kind.
pub(super) const ERRORS: BodyShape = BodyShape {
    name: "errors",
    read: errors,
    examples: &[
        BodyExample {
            body: r#"{"errors":["Name is taken","Name is too long"]}"#,
            message: "Name is taken; Name is too long",
            name: "",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing_field"}]}"#,
            message: "Validation Failed",
            name: "",
            code: "VALIDATION_MISSING_PARAM",
            violations: &["/title"],
        },
        BodyExample {
            body: r#"{"errors":[{"code":88,"message":"Rate limit exceeded"}]}"#,
            message: "Rate limit exceeded",
            name: "88",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"[{"errorCode":"INVALID_SESSION_ID","message":"Session expired or invalid"}]"#,
            message: "Session expired or invalid",
            name: "INVALID_SESSION_ID",
            code: "",
            violations: &[],
        },
        BodyExample {
            body: r#"[{"code":"invalid_type","expected":"string","received":"undefined","path":["user","name"],"message":"Required"}]"#,
            message: "Required",
            name: "",
            code: "VALIDATION_MISSING_PARAM",
            violations: &["/user/name"],
        },
        BodyExample {
            body: r#"{"errors":[{"type":"field","msg":"Invalid value","path":"email","location":"body","value":"x"}]}"#,
            message: "Invalid value",
            name: "",
            code: "",
            violations: &["/email"],
        },
    ],
};

fn errors(map: &Map<String, Value>) -> Option<BodyReading> {
    several(map.get("errors")?, map)
}

/// A list of errors, and what stands around it.
pub(super) fn several(list: &Value, map: &Map<String, Value>) -> Option<BodyReading> {
    let items = list.as_array().filter(|items| !items.is_empty())?;
    let violations = item_violations(list).unwrap_or_default();
    let words = items.iter().take(MOST).filter_map(|item| match item {
        Value::String(text) => Some(text.as_str()),
        Value::Object(item) => first_text(item, ITEM_WORDS),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    });
    let message = owned(first_text(map, ABOVE)).or_else(|| joined(words));
    let first = items.iter().find_map(Value::as_object);
    let name = name(map).or_else(|| first.filter(|_| violations.is_empty()).and_then(name));
    if message.is_none() && name.is_none() && violations.is_empty() {
        return None;
    }
    Some(BodyReading {
        message,
        name,
        code: code_of(&violations),
        violations,
        wait: wait(map),
        ..BodyReading::default()
    })
}

/// Nothing but fields and their complaints, as Django's framework for APIs writes them.
pub(super) const FIELD_MAP: BodyShape = BodyShape {
    name: "fields",
    read: field_map,
    examples: &[BodyExample {
        body: r#"{"email":["This field is required."],"age":["A valid integer is required."]}"#,
        message: "",
        name: "",
        code: "",
        violations: &["/age", "/email"],
    }],
};

fn field_map(map: &Map<String, Value>) -> Option<BodyReading> {
    // A complaint is a sentence; a list of single words is data.
    let is_sentence = |item: &Value| item.as_str().is_some_and(|text| text.trim().contains(' '));
    let complaints = |value: &Value| {
        let list = value.as_array().filter(|list| !list.is_empty());
        list.is_some_and(|list| list.iter().all(is_sentence))
    };
    if map.is_empty() || !map.values().all(complaints) {
        return None;
    }
    let violations = map.iter().take(MOST);
    Some(BodyReading {
        violations: violations
            .flat_map(|(field, said)| of_field(field, said))
            .collect(),
        ..BodyReading::default()
    })
}

/// Words above a list of errors.
const ABOVE: &[&str] = &["message", "error_description", "detail", "error", "title"];

/// Some sentences as one, each once.
fn joined<'a>(sentences: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut kept: Vec<&str> = Vec::new();
    for sentence in sentences.map(str::trim) {
        if kept.len() == 3 {
            break;
        }
        if !sentence.is_empty() && !kept.contains(&sentence) {
            kept.push(sentence);
        }
    }
    (!kept.is_empty()).then(|| kept.join("; "))
}
