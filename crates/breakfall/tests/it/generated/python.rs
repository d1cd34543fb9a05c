//! `schemas/breakfall.py`: the documents of every dialect as Python types.

use std::fmt::Write as _;

use super::dialects::definitions;
use super::model::{Definition, Field, Object, Tagged, Type, pascal};

const FILE: &str = "schemas/breakfall.py";

fn file() -> String {
    let mut printer = Printer {
        out: String::new(),
        names: Vec::new(),
    };
    for definition in &definitions() {
        printer.definition(definition);
    }
    let mut names = printer.names;
    names.sort_unstable();
    let mut all = String::from("__all__ = [\n");
    for name in names {
        writeln!(all, "    {},", quoted(&name)).expect(INFALLIBLE);
    }
    format!("{HEAD}\n{all}]\n{}", printer.out)
}

const HEAD: &str = r#""""Types of the documents Breakfall writes, one set per dialect, and of the vocabularies in them.

Generated from the catalogue and the dialects; `./check bless` rewrites it.

A comparison of `error["code"]` narrows the rest of the object. The unions know the built-in codes only: an object with a
server's own code is the `Own...` class beside the union. Details have the shapes their rows give them; a key that a row
requires (it says so) may still be missing where a fault was made from the failure of another server.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict, get_args
"#;

/// How a field is written that is not always there: marked, or not at all where no field is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Total {
    Yes,
    No,
}

struct Printer {
    out: String,
    names: Vec<String>,
}

impl Printer {
    fn definition(&mut self, definition: &Definition) {
        let Definition { name, about, of } = definition;
        if let Type::Object(object) = of {
            self.object(name, about, object);
        } else if let Type::Tagged(tagged) = of {
            self.tagged(name, about, tagged);
        } else if let Type::Words(words) = of {
            let values = words.iter().map(|word| quoted(word));
            self.vocabulary(name, about, &values.collect::<Vec<_>>());
        } else if let Type::Numbers(numbers) = of {
            let values = numbers.iter().map(ToString::to_string);
            self.vocabulary(name, about, &values.collect::<Vec<_>>());
        } else {
            let printed = self.print(of, name);
            self.alias(name, about, &printed);
        }
    }

    /// A closed list of values, as a type and as a tuple to loop over.
    fn vocabulary(&mut self, name: &str, about: &str, values: &[String]) {
        let mut text = format!("{name}: TypeAlias = Literal[\n");
        for value in values {
            writeln!(text, "    {value},").expect(INFALLIBLE);
        }
        let list = format!("ALL_{}", snake(name).to_ascii_uppercase());
        write!(
            text,
            "]\n{}\n\n{list}: Final[tuple[{name}, ...]] = get_args({name})\n",
            doc(about, "")
        )
        .expect(INFALLIBLE);
        self.declare(name, &text);
        self.names.push(list);
    }

    fn alias(&mut self, name: &str, about: &str, printed: &str) {
        self.declare(
            name,
            &format!(
                "{name}: TypeAlias = {}\n{}\n",
                quoted(printed),
                doc(about, "")
            ),
        );
    }

    fn declare(&mut self, name: &str, text: &str) {
        write!(self.out, "\n\n{text}").expect(INFALLIBLE);
        self.names.push(name.to_owned());
    }

    fn object(&mut self, name: &str, about: &str, object: &Object) {
        let total = if object.sparse { Total::No } else { Total::Yes };
        self.class(
            name,
            about,
            object.extends.as_deref(),
            &object.fields,
            total,
        );
    }

    /// A class where all keys are names, otherwise a call that says the same.
    fn class(
        &mut self,
        name: &str,
        about: &str,
        base: Option<&str>,
        fields: &[Field],
        total: Total,
    ) {
        let lines: Vec<(String, String, String)> = fields
            .iter()
            .map(|field| {
                let printed = self.print(&field.of, &format!("{name}{}", joined(&field.name)));
                let about = match (total, field.required) {
                    (Total::No, true) => format!("Required by the row. {}", field.about),
                    (Total::No | Total::Yes, _) => field.about.clone(),
                };
                let optional = total == Total::Yes && !field.required;
                let printed = if optional {
                    format!("NotRequired[{printed}]")
                } else {
                    printed
                };
                (field.name.clone(), printed, about)
            })
            .collect();
        let total = match total {
            Total::Yes => "",
            Total::No => ", total=False",
        };
        let mut text = String::new();
        if lines.iter().all(|(key, ..)| is_name(key)) {
            write!(
                text,
                "class {name}({}{total}):\n{}\n",
                base.unwrap_or("TypedDict"),
                doc(about, "    ")
            )
            .expect(INFALLIBLE);
            for (key, printed, about) in lines {
                let gap = if about.is_empty() { "" } else { "\n" };
                writeln!(text, "{gap}    {key}: {printed}").expect(INFALLIBLE);
                if !about.is_empty() {
                    writeln!(text, "{}", doc(&about, "    ")).expect(INFALLIBLE);
                }
            }
        } else {
            assert!(base.is_none(), "{name}: a call has no base class");
            write!(text, "{name} = TypedDict(\n    {},\n    {{\n", quoted(name)).expect(INFALLIBLE);
            for (key, printed, about) in lines {
                write!(
                    text,
                    "        # {about}\n        {}: {},\n",
                    quoted(&key),
                    quoted(&printed)
                )
                .expect(INFALLIBLE);
            }
            write!(
                text,
                "    }}{},\n)\n{}\n",
                total.replace(", ", ",\n    "),
                doc(about, "")
            )
            .expect(INFALLIBLE);
        }
        self.declare(name, &text);
    }

    /// A base, a class for each variant, and their union.
    fn tagged(&mut self, name: &str, about: &str, tagged: &Tagged) {
        let base = format!("{name}Base");
        let words = format!("What every {name} has.");
        self.class(&base, &words, None, &tagged.base, Total::Yes);
        let mut union = self.variants(name, tagged, &base);
        if !tagged.tag.required {
            let class = format!("Plain{name}");
            let words = format!("A {name} without a {}.", tagged.tag.name);
            self.class(&class, &words, Some(&base), &tagged.general, Total::Yes);
            union.push(class);
        }
        if let Some(own) = &tagged.own {
            let class = format!("Own{name}");
            let words = format!("A {name} that is not built in.");
            let mut fields = vec![tag(tagged, own.clone())];
            fields.extend(tagged.general.clone());
            self.class(&class, &words, Some(&base), &fields, Total::Yes);
        }
        self.alias(name, about, &union.join(" | "));
    }

    /// The classes of the variants. They say which values they have; the words on the fields are in the `Own` class.
    fn variants(&mut self, name: &str, tagged: &Tagged, base: &str) -> Vec<String> {
        let mut classes = Vec::new();
        for variant in &tagged.variants {
            let code = variant.tag.strip_prefix(tagged.prefix);
            let code = code.unwrap_or(&variant.tag);
            let class = format!("{name}{}", pascal(code));
            let mut fields = vec![tag(tagged, Type::Words(vec![variant.tag.clone()]))];
            fields.extend(tagged.fields_of(variant));
            for field in &mut fields {
                field.about.clear();
            }
            let words = format!("`{code}`.");
            self.class(&class, &words, Some(base), &fields, Total::Yes);
            classes.push(class);
        }
        classes
    }

    /// Prints a type; an object inside it becomes a class of its own, named for where it stands.
    fn print(&mut self, of: &Type, place: &str) -> String {
        match of {
            Type::Any | Type::Data => "Any".into(),
            Type::DataObject => "dict[str, Any]".into(),
            Type::Null => "None".into(),
            Type::Flag => "bool".into(),
            Type::Exactly(true) => "Literal[True]".into(),
            Type::Exactly(false) => "Literal[False]".into(),
            Type::Text { .. } => "str".into(),
            Type::Integer { .. } => "int".into(),
            Type::Number => "float".into(),
            Type::Words(words) => literal(words.iter().map(|word| quoted(word))),
            Type::Numbers(numbers) => literal(numbers.iter().map(ToString::to_string)),
            Type::List { of, .. } => format!("list[{}]", self.print(of, place)),
            // Parsed JSON has lists where a format has a fixed number of things.
            Type::Tuple(first, rest) => {
                let mut parts: Vec<String> = Vec::new();
                for of in first.iter().chain(rest.as_deref()) {
                    let printed = self.print(of, &format!("{place}Item"));
                    if !parts.contains(&printed) {
                        parts.push(printed);
                    }
                }
                format!("list[{}]", parts.join(" | "))
            }
            Type::Map(of) => format!("dict[str, {}]", self.print(of, place)),
            Type::Object(object) => {
                self.object(place, &format!("Part of a document: `{place}`."), object);
                place.to_owned()
            }
            Type::Tagged(_) => unreachable!("tagged objects are definitions"),
            Type::Union(of) => {
                let mut parts = Vec::new();
                for (at, of) in of.iter().enumerate() {
                    parts.push(self.print(of, &format!("{place}{}", at + 1)));
                }
                parts.join(" | ")
            }
            Type::Detail(of) => self.print(of, place),
            Type::Ref(name) => name.clone(),
        }
    }
}

/// The tag of a tagged object, with the values it has in one class.
fn tag(tagged: &Tagged, of: Type) -> Field {
    Field {
        of,
        required: true,
        ..tagged.tag.clone()
    }
}

fn literal(values: impl Iterator<Item = String>) -> String {
    format!("Literal[{}]", values.collect::<Vec<_>>().join(", "))
}

fn quoted(word: &str) -> String {
    // The strings of JSON are strings of Python.
    serde_json::Value::from(word).to_string()
}

fn doc(about: &str, indent: &str) -> String {
    format!("{indent}\"\"\"{about}\"\"\"")
}

fn is_name(key: &str) -> bool {
    key.bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_uppercase() || b == b'_')
        && !KEYWORDS.contains(&key)
}

/// The words of Python that a key of ours could be.
const KEYWORDS: &[&str] = &[
    "class", "from", "global", "import", "in", "is", "pass", "return",
];

/// `dev.breakfall/error` → `DevBreakfallError`.
fn joined(key: &str) -> String {
    let words = key.split(|c: char| !c.is_ascii_alphanumeric());
    let mut joined = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        let (first, rest) = word.split_at(1);
        joined.push_str(&first.to_ascii_uppercase());
        joined.push_str(rest);
    }
    joined
}

/// `RetryPolicy` → `retry_policy`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (at, c) in name.char_indices() {
        if at > 0 && c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

const INFALLIBLE: &str = "writing to a string cannot fail";

#[test]
fn the_python_types_are_fresh() {
    super::assert_fresh(FILE, &file());
}
