//! A small model of JSON types: enough to say what a document looks like, once, for every printer.

/// What a value looks like.
#[derive(Debug, Clone)]
pub(crate) enum Type {
    /// Anything.
    Any,
    /// The payload of a success: anything, and a type parameter where a language has those.
    Data,
    /// A payload that is an object.
    DataObject,
    Null,
    Flag,
    /// Exactly this boolean.
    Exactly(bool),
    /// A string: at least so long, of this format or pattern.
    Text {
        min: usize,
        format: Option<&'static str>,
        pattern: Option<&'static str>,
    },
    Integer {
        min: Option<i64>,
        max: Option<i64>,
    },
    Number,
    /// One of these strings.
    Words(Vec<String>),
    /// One of these integers.
    Numbers(Vec<i64>),
    List {
        of: Box<Self>,
        min: usize,
        max: Option<usize>,
    },
    /// Exactly these elements, or these first and then any number of others.
    Tuple(Vec<Self>, Option<Box<Self>>),
    Map(Box<Self>),
    Object(Object),
    /// An object whose tag decides what else it has.
    Tagged(Box<Tagged>),
    /// Any of these.
    Union(Vec<Self>),
    /// A detail of a fault, in the shape its row gives it. Encoders write what the fault has.
    Detail(Box<Self>),
    /// A definition, by name.
    Ref(String),
}

/// An object of named fields.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    pub(crate) fields: Vec<Field>,
    pub(crate) rest: Rest,
    /// A definition whose fields this one has too.
    pub(crate) extends: Option<String>,
    /// Required fields are what a row promises, not what every document has.
    pub(crate) sparse: bool,
}

/// What else an object may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing, by the letter of its format.
    Closed,
    /// Nothing today; readers ignore what they do not know.
    Extensible,
    /// Whatever the server puts there.
    Free,
}

#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) of: Type,
    pub(crate) required: bool,
    pub(crate) about: String,
}

/// An object with a tag. Fields that depend on the tag stand in `general` in their widest form and in the variants
/// in their exact one.
#[derive(Debug, Clone)]
pub(crate) struct Tagged {
    pub(crate) tag: Field,
    /// Tags that are none of the variants: a server's own, or a stranger's.
    pub(crate) own: Option<Type>,
    /// What stands before a server's own code in its tag.
    pub(crate) prefix: &'static str,
    pub(crate) base: Vec<Field>,
    pub(crate) general: Vec<Field>,
    pub(crate) variants: Vec<Variant>,
    pub(crate) rest: Rest,
}

#[derive(Debug, Clone)]
pub(crate) struct Variant {
    pub(crate) tag: String,
    pub(crate) fields: Vec<Field>,
    /// Keys inside a field that a fault has if it keeps the promise of its row.
    pub(crate) promised: Vec<(&'static str, Vec<String>)>,
}

impl Tagged {
    /// What a variant has besides the base: its own fields, and the general form of the others.
    pub(crate) fn fields_of(&self, variant: &Variant) -> Vec<Field> {
        let mut fields = variant.fields.clone();
        for general in &self.general {
            if fields.iter().all(|field| field.name != general.name) {
                fields.push(general.clone());
            }
        }
        fields
    }
}

/// A type with a name.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) of: Type,
}

impl Type {
    pub(crate) fn object(rest: Rest, fields: Vec<Field>) -> Self {
        Self::Object(Object {
            fields,
            rest,
            extends: None,
            sparse: false,
        })
    }

    /// The types this one is made of, one level down.
    pub(crate) fn parts(&self) -> Vec<&Self> {
        match self {
            Self::Any
            | Self::Data
            | Self::DataObject
            | Self::Null
            | Self::Flag
            | Self::Exactly(_)
            | Self::Text { .. }
            | Self::Integer { .. }
            | Self::Number
            | Self::Words(_)
            | Self::Numbers(_)
            | Self::Ref(_) => Vec::new(),
            Self::List { of, .. } | Self::Map(of) | Self::Detail(of) => vec![of],
            Self::Tuple(first, rest) => first.iter().chain(rest.as_deref()).collect(),
            Self::Object(object) => object.fields.iter().map(|field| &field.of).collect(),
            Self::Tagged(tagged) => {
                let variants = tagged.variants.iter().flat_map(|variant| &variant.fields);
                let all = tagged.base.iter().chain(&tagged.general).chain(variants);
                let own = tagged.own.as_ref();
                all.map(|field| &field.of)
                    .chain([&tagged.tag.of])
                    .chain(own)
                    .collect()
            }
            Self::Union(of) => of.iter().collect(),
        }
    }

    /// The names of the definitions this type refers to, in order.
    pub(crate) fn refs(&self) -> Vec<&str> {
        let mut names = Vec::new();
        if let Self::Ref(name) = self {
            names.push(name.as_str());
        }
        if let Self::Object(object) = self {
            names.extend(object.extends.as_deref());
        }
        names.extend(self.parts().into_iter().flat_map(Self::refs));
        names
    }
}

impl Definition {
    pub(crate) fn new(name: impl Into<String>, about: impl Into<String>, of: Type) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
            of,
        }
    }
}

/// Fields as a table: whether they are always there, name, type, what they say.
macro_rules! fields {
    ($($force:ident $name:literal: $of:expr, $about:expr;)*) => {
        vec![$($crate::generated::model::$force($name, $of, $about),)*]
    };
}

/// Definitions as a table: name, type, what they are.
macro_rules! define {
    ($($name:literal: $of:expr, $about:expr;)*) => {
        vec![$($crate::generated::model::Definition::new($name, $about, $of),)*]
    };
}

pub(crate) use {define, fields};

/// A field that is always there.
pub(crate) fn need(name: &str, of: Type, about: &str) -> Field {
    field(name, of, true, about)
}

/// A field that may be there.
pub(crate) fn may(name: &str, of: Type, about: &str) -> Field {
    field(name, of, false, about)
}

fn field(name: &str, of: Type, required: bool, about: &str) -> Field {
    Field {
        name: name.to_owned(),
        of,
        required,
        about: about.to_owned(),
    }
}

/// A definition, by name.
pub(crate) fn of(name: &str) -> Type {
    Type::Ref(name.to_owned())
}

/// Any of some definitions.
pub(crate) fn any_of<const N: usize>(names: [&str; N]) -> Type {
    Type::Union(names.map(of).into())
}

pub(crate) fn text() -> Type {
    Type::Text {
        min: 0,
        format: None,
        pattern: None,
    }
}

/// A string that is not empty.
pub(crate) fn said() -> Type {
    Type::Text {
        min: 1,
        format: None,
        pattern: None,
    }
}

pub(crate) fn timestamp() -> Type {
    Type::Text {
        min: 0,
        format: Some("date-time"),
        pattern: None,
    }
}

pub(crate) fn pattern(pattern: &'static str) -> Type {
    Type::Text {
        min: 0,
        format: None,
        pattern: Some(pattern),
    }
}

pub(crate) fn at_least(min: i64) -> Type {
    Type::Integer {
        min: Some(min),
        max: None,
    }
}

pub(crate) fn http_status() -> Type {
    Type::Integer {
        min: Some(100),
        max: Some(599),
    }
}

/// Exactly this string.
pub(crate) fn word(word: &str) -> Type {
    Type::Words(vec![word.to_owned()])
}

pub(crate) fn words<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Type {
    Type::Words(words.into_iter().map(Into::into).collect())
}

/// Exactly this boolean.
pub(crate) fn flag(flag: bool) -> Type {
    Type::Exactly(flag)
}

pub(crate) fn list(of: Type) -> Type {
    Type::List {
        of: Box::new(of),
        min: 0,
        max: None,
    }
}

/// A list with something in it.
pub(crate) fn some(of: Type) -> Type {
    Type::List {
        of: Box::new(of),
        min: 1,
        max: None,
    }
}

pub(crate) fn map(of: Type) -> Type {
    Type::Map(Box::new(of))
}

/// A value that stands among the details of a fault.
pub(crate) fn detail(of: Type) -> Type {
    Type::Detail(Box::new(of))
}

/// An object that has these keys and no others, by the letter of its format.
pub(crate) fn closed(fields: Vec<Field>) -> Type {
    Type::object(Rest::Closed, fields)
}

/// An object that has these keys today.
pub(crate) fn open(fields: Vec<Field>) -> Type {
    Type::object(Rest::Extensible, fields)
}

/// An object that has these keys and whatever the server puts there.
pub(crate) fn free(fields: Vec<Field>) -> Type {
    Type::object(Rest::Free, fields)
}

pub(crate) fn tagged(tagged: Tagged) -> Type {
    Type::Tagged(Box::new(tagged))
}

/// `VALIDATION_MISSING_PARAM` → `ValidationMissingParam`.
pub(crate) fn pascal(name: &str) -> String {
    let mut pascal = String::with_capacity(name.len());
    for word in name.split('_') {
        let (first, rest) = word.split_at(word.len().min(1));
        pascal.push_str(first);
        pascal.push_str(&rest.to_ascii_lowercase());
    }
    pascal
}
