//! Converts an OpenAPI 3.0.3 document to OpenAPI 3.1, which has `webhooks` and the schemas of JSON Schema 2020-12.
//!
//! The conversion visits only members that contain objects of the specification. Examples and the members `x-…` (except
//! `x-webhooks`) can contain any JSON, so they are copied unchanged. The migration guide of the OpenAPI Initiative
//! lists the replacements: <https://learn.openapis.org/upgrading/v3.0-to-v3.1>.

use super::ordered::Ordered;

/// The version of the converted document.
const VERSION: &str = "3.1.1";

/// The kind of an object in a document. A variant without a comment has the name that the OpenAPI specification gives
/// the object.
#[derive(Clone, Copy)]
enum ObjectKind {
    /// The whole document.
    Document,
    Components,
    Paths,
    PathItem,
    Operation,
    Callback,
    Responses,
    /// A request body or a response.
    Body,
    /// A parameter or a header.
    Parameter,
    MediaType,
    Encoding,
    Schema,
}

/// How a member contains objects.
enum Contains {
    One(ObjectKind),
    List(ObjectKind),
    /// An object, such as the value of `properties`, that maps names to objects. The names are not keywords.
    Map(ObjectKind),
}

/// Returns which objects a member contains; `None` if it contains no object that the conversion visits.
fn contents(kind: ObjectKind, member: &str) -> Option<Contains> {
    use Contains::{List, Map, One};
    use ObjectKind::{
        Body, Callback, Components, Document, Encoding, MediaType, Operation, Parameter, PathItem, Paths,
        Responses, Schema,
    };
    Some(match (kind, member) {
        // the members `x-…` of these objects are extensions and contain no objects of the specification
        (Paths | Callback | Responses, member) if member.starts_with("x-") => return None,
        (Document, "paths") => One(Paths),
        (Document, "x-webhooks") => Map(PathItem),
        (Document, "components") => One(Components),
        (Components, "schemas") | (Schema, "properties") => Map(Schema),
        (Components, "responses" | "requestBodies") => Map(Body),
        (Operation, "responses") => One(Responses),
        (Components, "parameters" | "headers") | (Body | Encoding, "headers") => Map(Parameter),
        (Components | Operation, "callbacks") => Map(Callback),
        (Paths | Callback, _) => One(PathItem),
        (PathItem | Operation, "parameters") => List(Parameter),
        (PathItem, "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace") => {
            One(Operation)
        }
        (Responses, _) | (Operation, "requestBody") => One(Body),
        (Body | Parameter, "content") => Map(MediaType),
        (MediaType, "encoding") => Map(Encoding),
        (Parameter | MediaType, "schema") | (Schema, "items" | "not" | "additionalProperties") => One(Schema),
        (Schema, "allOf" | "anyOf" | "oneOf") => List(Schema),
        _ => return None,
    })
}

/// Returns the OpenAPI 3.1 form of an OpenAPI 3.0.3 document.
pub(super) fn to_3_1(document: &Ordered) -> Ordered {
    object(ObjectKind::Document, document)
}

/// Converts an object and the objects that it contains.
fn object(kind: ObjectKind, node: &Ordered) -> Ordered {
    let Ordered::Object(members) = node else { return node.clone() };
    let inner = |(name, value): &(String, Ordered)| {
        let value = match contents(kind, name) {
            Some(Contains::One(kind)) => object(kind, value),
            Some(Contains::List(kind)) => list(value, |item| object(kind, item)),
            Some(Contains::Map(kind)) => map(value, |item| object(kind, item)),
            None => value.clone(),
        };
        (name.clone(), value)
    };
    let members = members.iter().map(inner);
    match kind {
        ObjectKind::Document => Ordered::Object(members.map(document_member).collect()),
        ObjectKind::Schema => schema(node, members),
        _ => Ordered::Object(members.collect()),
    }
}

fn list(value: &Ordered, convert: impl Fn(&Ordered) -> Ordered) -> Ordered {
    match value {
        Ordered::List(items) => Ordered::List(items.iter().map(convert).collect()),
        other => other.clone(),
    }
}

fn map(value: &Ordered, convert: impl Fn(&Ordered) -> Ordered) -> Ordered {
    match value {
        Ordered::Object(members) => {
            Ordered::Object(members.iter().map(|(name, value)| (name.clone(), convert(value))).collect())
        }
        other => other.clone(),
    }
}

fn document_member((name, value): (String, Ordered)) -> (String, Ordered) {
    match name.as_str() {
        "openapi" => (name, text(VERSION)),
        "x-webhooks" => ("webhooks".to_owned(), value),
        _ => (name, value),
    }
}

/// Converts the keywords of a schema. `members` are the members of `source` with their subschemas already converted.
fn schema(source: &Ordered, members: impl Iterator<Item = (String, Ordered)>) -> Ordered {
    let is_true = |name: &str| source.get(name) == Some(&Ordered::Bool(true));
    let is_binary = source.get("format").and_then(Ordered::as_str) == Some("binary");
    let (is_nullable, has_type) = (is_true("nullable"), source.get("type").is_some());
    let is_null = is_nullable && has_type && source.get("enum") == Some(&Ordered::List(vec![Ordered::Null]));
    let converted = members.filter_map(|(name, value)| {
        let (name, value) = match (name.as_str(), value) {
            ("nullable", _) | ("exclusiveMinimum" | "exclusiveMaximum", Ordered::Bool(_)) => return None,
            ("minimum", bound) if is_true("exclusiveMinimum") => ("exclusiveMinimum", bound),
            ("maximum", bound) if is_true("exclusiveMaximum") => ("exclusiveMaximum", bound),
            ("example", example) => ("examples", Ordered::List(vec![example])),
            // binary content is not a JSON string, so its schema has no type
            ("type", _) if is_binary => return None,
            ("format", _) if is_binary => ("contentMediaType", text("application/octet-stream")),
            ("format", format) if format.as_str() == Some("byte") => ("contentEncoding", text("base64")),
            ("type", _) if is_null => ("type", text("null")),
            ("enum", _) if is_null => return None,
            ("type", type_) if is_nullable => ("type", Ordered::List(vec![type_, text("null")])),
            ("enum", Ordered::List(values)) => enumeration(values, is_nullable),
            (name, value) => (name, value),
        };
        Some((name.to_owned(), value))
    });
    let converted = converted.collect();
    if is_nullable && !has_type { or_null(converted) } else { Ordered::Object(converted) }
}

/// Returns the keyword for the allowed values: `const` for a single value, and `enum` for several. For a nullable
/// schema, adds null to the values, because [`Contract`](super::Contract) accepts null for a nullable schema even if
/// its `enum` does not list null.
fn enumeration(mut values: Vec<Ordered>, is_nullable: bool) -> (&'static str, Ordered) {
    if is_nullable && !values.contains(&Ordered::Null) {
        values.push(Ordered::Null);
    }
    match values.as_slice() {
        [value] => ("const", value.clone()),
        _ => ("enum", Ordered::List(values)),
    }
}

/// Returns a schema that also accepts null. Used for a nullable schema without a type, for example a reference or a
/// composition of schemas. The annotations of the nullable schema, such as its description, become members of the
/// returned schema.
fn or_null(members: Vec<(String, Ordered)>) -> Ordered {
    let is_annotation = |name: &str| {
        matches!(
            name,
            "title" | "description" | "default" | "deprecated" | "readOnly" | "writeOnly" | "examples"
        ) || name == "externalDocs"
            || name.starts_with("x-")
    };
    let (mut outer, inner): (Vec<_>, Vec<_>) = members.into_iter().partition(|(name, _)| is_annotation(name));
    let schema = match inner.as_slice() {
        // a schema that has only annotations accepts null already
        [] => return Ordered::Object(outer),
        [(name, Ordered::List(schemas))] if name == "allOf" && schemas.len() == 1 => schemas[0].clone(),
        _ => Ordered::Object(inner),
    };
    let null = Ordered::Object(vec![("type".to_owned(), text("null"))]);
    outer.push(("anyOf".to_owned(), Ordered::List(vec![schema, null])));
    Ordered::Object(outer)
}

fn text(text: &str) -> Ordered {
    Ordered::Text(text.to_owned())
}
