//! Compiles the schemas of an OpenAPI document when the process starts. Each named schema becomes a tree. A reference
//! (`$ref`) in a tree becomes the index of the tree to which it refers.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::Pattern;
use crate::domain::refusal::Code;

/// The compiled schemas of an OpenAPI document, by name.
#[derive(Debug)]
pub struct Contract {
    nodes: Vec<Schema>,
    names: HashMap<String, usize>,
}

/// A compiled schema, with which [`Contract::check`] validates values.
#[derive(Debug)]
pub struct Schema {
    pub(super) kind: SchemaKind,
    pub(super) nullable: bool,
    /// The error code of a violation in the value (`x-invalid-code`). If the violation is inside an inner schema that
    /// has its own code, the code of the inner schema takes precedence. The code of a violation of `max_bytes` is
    /// always `invalid_request`.
    pub(super) code: Option<Code>,
    /// The error code if a member that the schema does not define contains U+0000 (`x-unknown-member-code`). If this is
    /// `None`, the error has `code`.
    pub(super) unknown_code: Option<Code>,
    /// Names of members that are not checked at all (`x-ignored-members`). The operation ignores them, whatever their
    /// value or type (B-234). So they may contain U+0000, which D-025 forbids in all other members.
    pub(super) ignored: Vec<String>,
    /// Maximum size of the value in bytes of compact JSON (`x-max-bytes`).
    pub(super) max_bytes: Option<usize>,
}

#[derive(Debug)]
pub(super) enum SchemaKind {
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
        members: Vec<SchemaMember>,
    },
    Union {
        tag: String,
        variants: Vec<(String, usize)>,
    },
}

#[derive(Debug)]
pub(super) struct SchemaMember {
    pub(super) name: String,
    /// An alternative name (`x-alias`).
    pub(super) alias: Option<String>,
    pub(super) required: bool,
    pub(super) schema: Schema,
}

impl Contract {
    /// Compiles the schemas of a document. The keys of `schemas` are the names of the schemas.
    ///
    /// # Panics
    /// If a schema is invalid. A server process calls this function for the schemas of its routes before it listens, so
    /// no server runs with an invalid schema.
    #[must_use]
    pub fn compile(schemas: &Map<String, Value>) -> Self {
        let names: HashMap<_, _> = schemas.keys().cloned().zip(0..).collect();
        let compiler = Compiler { names: &names };
        let nodes = schemas.values().map(|schema| compiler.schema(schema)).collect();
        Self { nodes, names }
    }

    /// Returns a named schema.
    ///
    /// # Panics
    /// If there is no schema with this name. Generated code calls this only with names from its own document.
    #[must_use]
    pub fn schema(&self, name: &str) -> &Schema {
        &self.nodes[self.names[name]]
    }

    pub(super) fn node(&self, position: usize) -> &Schema {
        &self.nodes[position]
    }
}

struct Compiler<'a> {
    names: &'a HashMap<String, usize>,
}

impl Compiler<'_> {
    fn schema(&self, source: &Value) -> Schema {
        let source = source.as_object().expect("a schema is an object");
        let target = or_null(source);
        Schema {
            kind: self.kind(target.unwrap_or(source)),
            nullable: target.is_some() || source.get("nullable").is_some_and(|v| v == true),
            code: code(source, "x-invalid-code"),
            unknown_code: code(source, "x-unknown-member-code"),
            ignored: texts(source, "x-ignored-members"),
            max_bytes: size(source, "x-max-bytes"),
        }
    }

    fn kind(&self, source: &Map<String, Value>) -> SchemaKind {
        if let Some(target) = source.get("$ref") {
            return SchemaKind::Ref(self.target(target));
        }
        if let Some(parts) = source.get("allOf").and_then(Value::as_array) {
            assert_eq!(parts.len(), 1, "allOf wraps one reference");
            return self.kind(parts[0].as_object().expect("a schema is an object"));
        }
        if let Some(tag) = source.get("discriminator") {
            let mapping = tag["mapping"].as_object().expect("a discriminator has a mapping");
            let variants =
                mapping.iter().map(|(value, target)| (value.clone(), self.target(target))).collect();
            let tag = tag["propertyName"].as_str().expect("a discriminator names a property");
            return SchemaKind::Union { tag: tag.to_owned(), variants };
        }
        match source.get("type").and_then(Value::as_str) {
            Some("object") => self.object(source),
            Some("array") => SchemaKind::List {
                items: Box::new(self.schema(&source["items"])),
                least: size(source, "minItems"),
                most: size(source, "maxItems"),
                most_code: code(source, "x-max-items-code"),
                unique: source.get("uniqueItems").is_some_and(|v| v == true),
            },
            Some("string") => text(source),
            Some("boolean") => {
                SchemaKind::Boolean { only: source.get("enum").and_then(|values| values[0].as_bool()) }
            }
            Some("integer") => {
                let bound = |name| source.get(name).and_then(Value::as_i64);
                SchemaKind::Integer { minimum: bound("minimum"), maximum: bound("maximum") }
            }
            None => SchemaKind::Any,
            #[expect(clippy::panic, reason = "the documents are part of the program: a test compiles them")]
            Some(other) => panic!("schemas of type {other} are not supported"),
        }
    }

    fn object(&self, source: &Map<String, Value>) -> SchemaKind {
        let required = source.get("required").and_then(Value::as_array);
        let required: Vec<_> = required.into_iter().flatten().filter_map(Value::as_str).collect();
        let members = source.get("properties").and_then(Value::as_object).into_iter().flatten();
        let members = members.map(|(name, schema)| SchemaMember {
            name: name.clone(),
            alias: schema.get("x-alias").and_then(Value::as_str).map(str::to_owned),
            required: required.contains(&name.as_str()),
            schema: self.schema(schema),
        });
        SchemaKind::Object { members: members.collect() }
    }

    fn target(&self, reference: &Value) -> usize {
        let name =
            reference.as_str().and_then(|r| r.rsplit('/').next()).expect("a reference names its target");
        self.names[name]
    }
}

/// Returns the inner schema of a schema of the form `anyOf: [schema, null]`. Returns `None` for a schema of any other
/// form.
fn or_null(source: &Map<String, Value>) -> Option<&Map<String, Value>> {
    match source.get("anyOf").and_then(Value::as_array)?.as_slice() {
        [target, null] if null["enum"] == json!([Value::Null]) => target.as_object(),
        _ => None,
    }
}

fn text(source: &Map<String, Value>) -> SchemaKind {
    if let Some(values) = source.get("enum").and_then(Value::as_array) {
        return SchemaKind::OneOf(values.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    }
    let pattern = source.get("pattern").and_then(Value::as_str);
    SchemaKind::Text {
        least: size(source, "minLength"),
        most: size(source, "maxLength"),
        pattern: pattern.map(Pattern::read),
        date_time: source.get("format").is_some_and(|f| f == "date-time"),
    }
}

fn size(source: &Map<String, Value>, name: &str) -> Option<usize> {
    source.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok())
}

fn texts(source: &Map<String, Value>, name: &str) -> Vec<String> {
    let texts = source.get(name).and_then(Value::as_array).into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn code(source: &Map<String, Value>, name: &str) -> Option<Code> {
    let text = source.get(name).and_then(Value::as_str)?;
    Some(Code::parse(text).expect("the document names only known error codes"))
}
