//! The document's schemas as a tree, compiled once: references are positions.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Pattern;
use crate::domain::refusal::Code;

/// The schemas of one document.
#[derive(Debug)]
pub struct Contract {
    nodes: Vec<Schema>,
    names: HashMap<String, usize>,
}

/// One schema, ready to check values: see [`Contract::check`].
#[derive(Debug)]
pub struct Schema {
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    /// The code of any violation inside (`x-invalid-code`).
    pub(super) code: Option<Code>,
    /// Bytes of the compact JSON (`x-max-bytes`).
    pub(super) max_bytes: Option<usize>,
}

#[derive(Debug)]
pub(super) enum Kind {
    Any,
    Ref(usize),
    Boolean {
        only: Option<bool>,
    },
    Text {
        least: Option<usize>,
        most: Option<usize>,
        pattern: Option<Pattern>,
        date_time: bool,
    },
    OneOf(Vec<String>),
    Integer {
        minimum: Option<i64>,
        maximum: Option<i64>,
    },
    List {
        items: Box<Schema>,
        least: Option<usize>,
        most: Option<usize>,
        most_code: Option<Code>,
        unique: bool,
    },
    Object {
        members: Vec<Member>,
    },
    Union {
        tag: String,
        variants: Vec<(String, usize)>,
    },
}

#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    /// Another accepted name (`x-alias`).
    pub(super) alias: Option<String>,
    pub(super) required: bool,
    pub(super) schema: Schema,
}

impl Contract {
    /// Compiles a document.
    ///
    /// # Panics
    /// When it is not one: it is part of the program, and every process compiles it before it listens.
    #[must_use]
    pub fn compile(document: &str) -> Self {
        // only what is needed of it: a whole document as a tree takes megabytes
        let Document { components: Components { schemas } } =
            serde_json::from_str(document).expect("the document is JSON and has schemas");
        let names: HashMap<_, _> = schemas.keys().cloned().zip(0..).collect();
        let compiler = Compiler { names: &names };
        let nodes = schemas.values().map(|schema| compiler.schema(schema)).collect();
        Self { nodes, names }
    }

    /// A named schema.
    ///
    /// # Panics
    /// When there is none of that name: generated code asks for the names of its own document.
    #[must_use]
    pub fn schema(&self, name: &str) -> &Schema {
        &self.nodes[self.names[name]]
    }

    pub(super) fn node(&self, position: usize) -> &Schema {
        &self.nodes[position]
    }
}

/// What is read of a document.
#[derive(Deserialize)]
struct Document {
    components: Components,
}

#[derive(Deserialize)]
struct Components {
    schemas: Map<String, Value>,
}

struct Compiler<'a> {
    names: &'a HashMap<String, usize>,
}

impl Compiler<'_> {
    fn schema(&self, source: &Value) -> Schema {
        let source = source.as_object().expect("a schema is an object");
        Schema {
            kind: self.kind(source),
            nullable: source.get("nullable").is_some_and(|v| v == true),
            code: code(source, "x-invalid-code"),
            max_bytes: size(source, "x-max-bytes"),
        }
    }

    fn kind(&self, source: &Map<String, Value>) -> Kind {
        if let Some(target) = source.get("$ref") {
            return Kind::Ref(self.target(target));
        }
        if let Some(parts) = source.get("allOf").and_then(Value::as_array) {
            assert_eq!(parts.len(), 1, "allOf wraps one reference");
            return self.kind(parts[0].as_object().expect("a schema is an object"));
        }
        if let Some(tag) = source.get("discriminator") {
            let mapping = tag["mapping"].as_object().expect("a union maps its variants");
            let variants =
                mapping.iter().map(|(value, target)| (value.clone(), self.target(target))).collect();
            let tag = tag["propertyName"].as_str().expect("a discriminator names a property");
            return Kind::Union { tag: tag.to_owned(), variants };
        }
        match source.get("type").and_then(Value::as_str) {
            Some("object") => self.object(source),
            Some("array") => Kind::List {
                items: Box::new(self.schema(&source["items"])),
                least: size(source, "minItems"),
                most: size(source, "maxItems"),
                most_code: code(source, "x-max-items-code"),
                unique: source.get("uniqueItems").is_some_and(|v| v == true),
            },
            Some("string") => text(source),
            Some("boolean") => {
                Kind::Boolean { only: source.get("enum").and_then(|values| values[0].as_bool()) }
            }
            Some("integer") => {
                let bound = |name| source.get(name).and_then(Value::as_i64);
                Kind::Integer { minimum: bound("minimum"), maximum: bound("maximum") }
            }
            None => Kind::Any,
            #[expect(clippy::panic, reason = "the documents are part of the program: a test compiles them")]
            Some(other) => panic!("schemas of type {other} are not supported"),
        }
    }

    fn object(&self, source: &Map<String, Value>) -> Kind {
        let required = source.get("required").and_then(Value::as_array);
        let required: Vec<_> = required.into_iter().flatten().filter_map(Value::as_str).collect();
        let members = source.get("properties").and_then(Value::as_object).into_iter().flatten();
        let members = members.map(|(name, schema)| Member {
            name: name.clone(),
            alias: schema.get("x-alias").and_then(Value::as_str).map(str::to_owned),
            required: required.contains(&name.as_str()),
            schema: self.schema(schema),
        });
        Kind::Object { members: members.collect() }
    }

    fn target(&self, reference: &Value) -> usize {
        let name =
            reference.as_str().and_then(|r| r.rsplit('/').next()).expect("a reference names its target");
        self.names[name]
    }
}

fn text(source: &Map<String, Value>) -> Kind {
    if let Some(values) = source.get("enum").and_then(Value::as_array) {
        return Kind::OneOf(values.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    }
    let pattern = source.get("pattern").and_then(Value::as_str);
    Kind::Text {
        least: size(source, "minLength"),
        most: size(source, "maxLength"),
        pattern: pattern.map(Pattern::read),
        date_time: source.get("format").is_some_and(|f| f == "date-time"),
    }
}

fn size(source: &Map<String, Value>, name: &str) -> Option<usize> {
    source.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok())
}

fn code(source: &Map<String, Value>, name: &str) -> Option<Code> {
    let text = source.get(name).and_then(Value::as_str)?;
    Some(Code::parse(text).expect("a code of the document is a code"))
}
