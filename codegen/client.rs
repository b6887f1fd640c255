//! Generates the client of a document with progenitor. Features that progenitor does not support are first removed from
//! a copy of the document, or replaced in it.

use std::collections::BTreeSet;

use openapiv3::{OpenAPI, Operation, PathItem, ReferenceOr, Schema, SchemaKind, Type};
use proc_macro2::TokenStream;
use serde_json::{Value, json};

/// Generates the client of a document.
pub fn emit(document: &OpenAPI) -> TokenStream {
    let mut settings = progenitor::GenerationSettings::new();
    settings.with_derive("PartialEq");
    progenitor::Generator::new(&settings)
        .generate_tokens(&lower(document))
        .expect("progenitor supports the changed document")
}

/// Returns a copy of the document that progenitor supports. [`plain_schemas`] changes the schemas. [`all_media_types`]
/// adds the media types of `x-also-accepts`. The other changes are:
///
/// - A body has only one media type, because progenitor panics on several. The second media type of a POST becomes a
///   separate operation, `<operationId>Json` or `<operationId>Form`. Its path is the path of the POST with a fragment
///   (`#Json` or `#Form`), which clients never send.
/// - The `default` response is removed, because progenitor would treat it as a possible success. Without it, every
///   unlisted status is an unexpected response.
///
/// # Panics
/// On a second media type of an operation that is not a POST, and on a third media type of any operation.
fn lower(document: &OpenAPI) -> OpenAPI {
    let mut value = serde_json::to_value(document).expect("a document is JSON");
    plain_schemas(&mut value);
    let mut document: OpenAPI = serde_json::from_value(value).expect("the changed JSON is still a document");
    let with_lists = schemas_with_lists(&document);
    let mut second_items = Vec::new();
    for (path, item) in &mut document.paths.paths {
        let ReferenceOr::Item(item) = item else { continue };
        for op in methods(item) {
            all_media_types(op, &with_lists);
            op.responses.default = None;
        }
        if let Some((suffix, post)) = item.post.as_mut().and_then(split) {
            let item = PathItem { post: Some(post), ..PathItem::default() };
            second_items.push((format!("{path}#{suffix}"), ReferenceOr::Item(item)));
        }
        for op in methods(item) {
            let count = media_types(op);
            assert!(count < 2, "{}: only a POST may have a second media type", id(op));
        }
    }
    document.paths.paths.extend(second_items);
    document
}

/// Removes the format `date-time`, so that timestamps are strings in the client. With the format, progenitor would use
/// chrono, which the server does not use. Gives integers without a format the format `int64`.
fn plain_schemas(node: &mut Value) {
    match node {
        Value::Object(members) => {
            if members.get("format").is_some_and(|format| format == "date-time") {
                members.remove("format");
            }
            if members.get("type").is_some_and(|kind| kind == "integer") {
                members.entry("format").or_insert_with(|| "int64".into());
            }
            // converts `anyOf` of a reference and null to a form that typify, progenitor's schema library, supports
            if let Some(Value::Array(parts)) = members.get("anyOf")
                && let [target, null] = parts.as_slice()
                && null["enum"] == json!([Value::Null])
            {
                let target = json!([target]);
                members.remove("anyOf");
                members.insert("allOf".into(), target);
                members.insert("nullable".into(), true.into());
            }
            members.values_mut().for_each(plain_schemas);
        }
        Value::Array(items) => items.iter_mut().for_each(plain_schemas),
        _ => {}
    }
}

fn methods(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete].into_iter().flatten()
}

/// Returns references to the object schemas that have a property of the type array.
fn schemas_with_lists(document: &OpenAPI) -> BTreeSet<String> {
    let has_list = |schema: &ReferenceOr<Schema>| {
        let ReferenceOr::Item(Schema { schema_kind: SchemaKind::Type(Type::Object(object)), .. }) = schema
        else {
            return false;
        };
        object.properties.values().any(|member| match member {
            ReferenceOr::Item(member) => matches!(member.schema_kind, SchemaKind::Type(Type::Array(_))),
            ReferenceOr::Reference { .. } => false,
        })
    };
    let schemas = document.components.iter().flat_map(|components| &components.schemas);
    schemas
        .filter(|(_, schema)| has_list(schema))
        .map(|(name, _)| format!("#/components/schemas/{name}"))
        .collect()
}

/// Adds the media types in `x-also-accepts` to the body, with the schema of its first media type. Forms are not added
/// if the schema has an array: progenitor's clients encode forms with serde_urlencoded, which rejects arrays.
fn all_media_types(op: &mut Operation, with_lists: &BTreeSet<String>) {
    let Some(ReferenceOr::Item(body)) = &mut op.request_body else { return };
    let also = body.extensions.get("x-also-accepts").and_then(Value::as_array).cloned();
    let first = body.content.values().next().cloned();
    let has_list = first.as_ref().is_some_and(|media| {
        matches!(&media.schema, Some(ReferenceOr::Reference { reference }) if with_lists.contains(reference))
    });
    for name in also.iter().flatten().filter_map(Value::as_str).filter(|name| *name != "*/*") {
        if !(has_list && name == "application/x-www-form-urlencoded") {
            body.content.extend(first.clone().map(|media| (name.to_owned(), media)));
        }
    }
    // sorts JSON before forms, whatever their order in the document
    body.content.sort_keys();
}

fn id(op: &Operation) -> &str {
    op.operation_id.as_deref().unwrap_or("an operation without an id")
}

/// Returns the number of media types of the body.
fn media_types(op: &Operation) -> usize {
    match &op.request_body {
        Some(ReferenceOr::Item(body)) => body.content.len(),
        _ => 0,
    }
}

/// Removes the second media type of an operation. Returns a copy of the operation with only the second media type, and
/// the suffix that the id of the copy has. Returns `None` if there are fewer than two media types.
///
/// # Panics
/// If there are more than two media types.
fn split(op: &mut Operation) -> Option<(&'static str, Operation)> {
    let count = media_types(op);
    assert!(count <= 2, "{}: the body has {count} media types, and the client supports two", id(op));
    if count < 2 {
        return None;
    }
    let Some(ReferenceOr::Item(body)) = &mut op.request_body else { return None };
    let (media, value) = body.content.split_off(1).into_iter().next()?;
    let suffix = if media == "application/json" { "Json" } else { "Form" };
    let mut second = op.clone();
    second.operation_id = second.operation_id.map(|id| id + suffix);
    if let Some(ReferenceOr::Item(body)) = &mut second.request_body {
        body.content = [(media, value)].into_iter().collect();
    }
    Some((suffix, second))
}
