//! Emits the client half through progenitor, from a copy of the document lowered to what it takes.

use openapiv3::{OpenAPI, Operation, PathItem, ReferenceOr};
use proc_macro2::TokenStream;
use serde_json::Value;

/// The client of the document.
pub fn emit(document: &OpenAPI) -> TokenStream {
    let mut settings = progenitor::GenerationSettings::new();
    settings.with_derive("PartialEq");
    progenitor::Generator::new(&settings)
        .generate_tokens(&lower(document))
        .expect("progenitor takes the lowered document")
}

/// progenitor panics on a body of several media types: each further one becomes its own operation,
/// `<operationId>Json` or `<operationId>Form`, under the same path (a fragment is never sent). Any media type
/// becomes plain bytes.
fn lower(document: &OpenAPI) -> OpenAPI {
    let mut value = serde_json::to_value(document).expect("a document is JSON");
    plain_times(&mut value);
    let mut document: OpenAPI = serde_json::from_value(value).expect("it was a document before");
    let mut twins = Vec::new();
    for (path, item) in &mut document.paths.paths {
        let ReferenceOr::Item(item) = item else { continue };
        for op in methods(item) {
            bytes(op);
            if let Some(twin) = split(op) {
                let item = PathItem { post: Some(twin.1), ..PathItem::default() };
                twins.push((format!("{path}#{}", twin.0), ReferenceOr::Item(item)));
            }
        }
    }
    document.paths.paths.extend(twins);
    document
}

/// Times stay texts: progenitor would use chrono, and the server has another library for time.
fn plain_times(node: &mut Value) {
    match node {
        Value::Object(members) => {
            if members.get("format").is_some_and(|format| format == "date-time") {
                members.remove("format");
            }
            members.values_mut().for_each(plain_times);
        }
        Value::Array(items) => items.iter_mut().for_each(plain_times),
        _ => {}
    }
}

fn methods(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete].into_iter().flatten()
}

fn bytes(op: &mut Operation) {
    if let Some(ReferenceOr::Item(body)) = &mut op.request_body
        && let Some(any) = body.content.shift_remove("*/*")
    {
        body.content.insert("application/octet-stream".into(), any);
    }
}

/// Leaves an operation its first media type and gives the second to a twin.
fn split(op: &mut Operation) -> Option<(&'static str, Operation)> {
    let Some(ReferenceOr::Item(body)) = &mut op.request_body else { return None };
    if body.content.len() < 2 {
        return None;
    }
    let (media, value) = body.content.split_off(1).into_iter().next()?;
    let suffix = if media == "application/json" { "Json" } else { "Form" };
    let mut twin = op.clone();
    twin.operation_id = twin.operation_id.map(|id| id + suffix);
    if let Some(ReferenceOr::Item(body)) = &mut twin.request_body {
        body.content = [(media, value)].into_iter().collect();
    }
    Some((suffix, twin))
}
