//! `schemas/breakfall.d.ts`: the documents of every dialect as TypeScript types.

use std::fmt::Write as _;

use super::dialects::definitions;
use super::model::{Definition, Field, Object, Rest, Tagged, Type};

const FILE: &str = "schemas/breakfall.d.ts";

fn file() -> String {
    let all = definitions();
    let mut printer = Printer {
        all: &all,
        out: String::from(HEAD),
    };
    for definition in &all {
        printer.definition(definition);
    }
    printer.out
}

const HEAD: &str = "\
// Types of the documents Breakfall writes, one set per dialect, and of the vocabularies in them.
// Generated from the catalogue and the dialects; `./check bless` rewrites it.
//
// `Data` is the payload of a success. `Own` is a union of a server's own codes: without it, only the built-in ones are known
// and a `switch` over `code` narrows the rest of the object. Details have the shapes their rows give them; a key that a row
// requires may still be missing where a fault was made from the failure of another server, hence `Partial`.

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** Any JSON object. */
export type JsonObject = { [key: string]: JsonValue };
";

struct Printer<'a> {
    all: &'a [Definition],
    out: String,
}

impl Printer<'_> {
    fn definition(&mut self, definition: &Definition) {
        let Definition { name, about, of } = definition;
        let parameters = self.parameters(of);
        if let Type::Object(object) = of {
            let extends = object.extends.as_ref();
            let extends = extends.map(|base| format!(" extends {base}"));
            let extends = extends.unwrap_or_default();
            let body = self.members(object, "");
            self.declare(
                about,
                &format!("interface {name}{parameters}{extends} {body}"),
            );
        } else if let Type::Tagged(tagged) = of {
            self.tagged(definition, tagged, &parameters);
        } else {
            let each = self.alternatives(of, "  ").join("\n  | ");
            self.declare(about, &format!("type {name}{parameters} =\n  | {each};"));
        }
    }

    fn declare(&mut self, about: &str, text: &str) {
        writeln!(self.out, "\n/** {about} */\nexport {text}").expect(INFALLIBLE);
    }

    /// The fields all variants share, then what each variant has of its own, then the union of both.
    fn tagged(&mut self, definition: &Definition, tagged: &Tagged, parameters: &str) {
        let name = &definition.name;
        let tag = &tagged.tag.name;
        let base = self.braces(&tagged.base, "", Rest::Closed);
        self.declare(
            &format!("What every {name} has."),
            &format!("interface {name}Base {base}"),
        );
        let mut table = String::from("{\n");
        for variant in &tagged.variants {
            let fields = self.inline(&tagged.fields_of(variant));
            writeln!(table, "  {}: {fields};", quoted(&variant.tag)).expect(INFALLIBLE);
        }
        table.push('}');
        self.declare(
            &format!("What a {name} has besides, by `{tag}`."),
            &format!("interface {name}Variants {table}"),
        );
        let general = self.inline(&tagged.general);
        let mut union = format!(
            "\n  | {{ [Tag in keyof {name}Variants]: {name}Base & {{ {tag}: Tag }} & {name}Variants[Tag] }}[keyof {name}Variants]"
        );
        if tagged.own.is_some() {
            let own = match tagged.prefix {
                "" => "Own".to_owned(),
                prefix => format!("`{prefix}${{Own}}`"),
            };
            write!(union, "\n  | ([Own] extends [never] ? never : {name}Base & {{ {tag}: {own} }} & {general})").expect(INFALLIBLE);
        }
        if !tagged.tag.required {
            write!(
                union,
                "\n  | ({name}Base & {{ {tag}?: never }} & {general})"
            )
            .expect(INFALLIBLE);
        }
        self.declare(
            &definition.about,
            &format!("type {name}{parameters} ={union};"),
        );
    }

    fn print(&self, of: &Type, indent: &str) -> String {
        match of {
            Type::Any => "JsonValue".into(),
            Type::Data | Type::DataObject => "Data".into(),
            Type::Null => "null".into(),
            Type::Flag => "boolean".into(),
            Type::Exactly(flag) => flag.to_string(),
            Type::Text { .. } => "string".into(),
            Type::Integer { .. } | Type::Number => "number".into(),
            Type::Words(_) | Type::Numbers(_) | Type::Union(_) => {
                self.alternatives(of, indent).join(" | ")
            }
            Type::List { of, .. } => format!("Array<{}>", self.print(of, indent)),
            Type::Tuple(first, rest) => {
                let mut parts: Vec<String> =
                    first.iter().map(|of| self.print(of, indent)).collect();
                parts.extend(
                    rest.iter()
                        .map(|of| format!("...Array<{}>", self.print(of, indent))),
                );
                format!("[{}]", parts.join(", "))
            }
            Type::Map(of) => format!("{{ [key: string]: {} }}", self.print(of, indent)),
            Type::Object(object) => self.members(object, indent),
            Type::Tagged(_) => unreachable!("tagged objects are definitions"),
            Type::Detail(of) => self.print(of, indent),
            Type::Ref(name) => self.reference(name),
        }
    }

    fn alternatives(&self, of: &Type, indent: &str) -> Vec<String> {
        if let Type::Words(words) = of {
            words.iter().map(|word| quoted(word)).collect()
        } else if let Type::Numbers(numbers) = of {
            numbers.iter().map(ToString::to_string).collect()
        } else if let Type::Union(of) = of {
            of.iter().map(|of| self.print(of, indent)).collect()
        } else {
            vec![self.print(of, indent)]
        }
    }

    fn members(&self, object: &Object, indent: &str) -> String {
        self.braces(&object.fields, indent, object.rest)
    }

    fn braces(&self, fields: &[Field], indent: &str, rest: Rest) -> String {
        let inner = format!("{indent}  ");
        let mut text = String::from("{\n");
        for field in fields {
            let mark = if field.required { "" } else { "?" };
            let of = self.print(&field.of, &inner);
            write!(
                text,
                "{inner}/** {} */\n{inner}{}{mark}: {of};\n",
                field.about,
                key(&field.name)
            )
            .expect(INFALLIBLE);
        }
        if rest == Rest::Free {
            writeln!(text, "{inner}[key: string]: unknown;").expect(INFALLIBLE);
        }
        text.push_str(indent);
        text.push('}');
        text
    }

    /// Fields on one line, for tables.
    fn inline(&self, fields: &[Field]) -> String {
        let fields = fields.iter().map(|field| {
            let mark = if field.required { "" } else { "?" };
            format!("{}{mark}: {}", key(&field.name), self.print(&field.of, ""))
        });
        let fields: Vec<String> = fields.collect();
        if fields.is_empty() {
            return "{}".into();
        }
        format!("{{ {} }}", fields.join("; "))
    }

    fn reference(&self, name: &str) -> String {
        let of = &self.definition_of(name).of;
        let uses = [("Data", self.uses_data(of)), ("Own", self.uses_own(of))];
        let given: Vec<&str> = uses
            .iter()
            .filter(|(_, uses)| *uses)
            .map(|(parameter, _)| *parameter)
            .collect();
        let given = if given.is_empty() {
            String::new()
        } else {
            format!("<{}>", given.join(", "))
        };
        let sparse = matches!(of, Type::Object(object) if object.sparse);
        if sparse {
            return format!("Partial<{name}{given}>");
        }
        format!("{name}{given}")
    }

    fn parameters(&self, of: &Type) -> String {
        let mut parameters = Vec::new();
        if self.any(of, &|of| matches!(of, Type::DataObject)) {
            parameters.push("Data extends object = JsonObject");
        } else if self.uses_data(of) {
            parameters.push("Data = JsonValue");
        }
        if self.uses_own(of) {
            parameters.push("Own extends string = never");
        }
        if parameters.is_empty() {
            return String::new();
        }
        format!("<{}>", parameters.join(", "))
    }

    fn uses_data(&self, of: &Type) -> bool {
        self.any(of, &|of| matches!(of, Type::Data | Type::DataObject))
    }

    fn uses_own(&self, of: &Type) -> bool {
        self.any(
            of,
            &|of| matches!(of, Type::Tagged(tagged) if tagged.own.is_some()),
        )
    }

    /// Whether a type or one it is made of is of a kind.
    fn any(&self, of: &Type, is: &dyn Fn(&Type) -> bool) -> bool {
        let through = of
            .refs()
            .into_iter()
            .any(|name| self.any(&self.definition_of(name).of, is));
        through || is(of) || of.parts().into_iter().any(|part| self.any(part, is))
    }

    fn definition_of(&self, name: &str) -> &Definition {
        let mut all = self.all.iter();
        all.find(|definition| definition.name == name)
            .expect("every reference leads to a definition")
    }
}

fn quoted(word: &str) -> String {
    serde_json::Value::from(word).to_string()
}

fn key(name: &str) -> String {
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain { name.to_owned() } else { quoted(name) }
}

const INFALLIBLE: &str = "writing to a string cannot fail";

#[test]
fn the_typescript_types_are_fresh() {
    super::assert_fresh(FILE, &file());
}
