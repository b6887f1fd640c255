//! OpenAPI documents in, Rust text out; used by `build.rs` alone. Nothing here writes a file.
//!
//! - [`model`]: what the server half needs to know of a document; [`read`]: a document read into it.
//! - [`server`]: the server half (types, routes, handler traits), which stands on `src/contract`.
//! - [`client`]: the client half, by progenitor.

mod client;
mod model;
mod read;
mod schema;
mod server;

use std::{fs, path::Path};

use serde_yaml::Value;

/// Generates every document of `dir`: (file name in `generated/`, its text).
pub fn run(dir: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<_> = fs::read_dir(dir)
        .expect("openapi/ is readable")
        .map(|entry| entry.expect("openapi/ is readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| document(path)).collect()
}

fn document(path: &Path) -> [(String, String); 3] {
    let fail = |e: &dyn std::fmt::Display| -> ! { panic!("{}: {e}", path.display()) };
    let stem = path.file_stem().expect("it has an extension").to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap_or_else(|e| fail(&e));
    let mut source: Value = serde_yaml::from_str(&text).unwrap_or_else(|e| fail(&e));
    tidy(&mut source);
    let mut document: openapiv3::OpenAPI =
        serde_yaml::from_value(source.clone()).unwrap_or_else(|e| fail(&e));
    leave_out(&mut document);
    let api = read::api(&document).unwrap_or_else(|e| fail(&e));
    // straight from YAML, so that members keep the order they were written in
    let pretty = serde_json::to_string_pretty(&source).unwrap_or_else(|e| fail(&e)) + "\n";
    [
        (format!("{stem}.json"), pretty),
        (format!("{stem}_server.rs"), print(&stem, server::emit(&stem, &api))),
        (format!("{stem}_client.rs"), print(&stem, client::emit(&document))),
    ]
}

/// Operations under `x-outside: true` are documented here and served by routes written by hand: pages, say. A security
/// scheme under it is used by such operations only.
fn leave_out(document: &mut openapiv3::OpenAPI) {
    let outside = |operation: &openapiv3::Operation| {
        operation.extensions.get("x-outside").and_then(serde_json::Value::as_bool).unwrap_or(false)
    };
    for item in document.paths.paths.values_mut() {
        let openapiv3::ReferenceOr::Item(item) = item else { continue };
        for operation in [&mut item.get, &mut item.post, &mut item.delete] {
            if operation.as_ref().is_some_and(outside) {
                *operation = None;
            }
        }
    }
    document.paths.paths.retain(|_, item| item.as_item().is_none_or(|item| item.iter().next().is_some()));
    if let Some(components) = &mut document.components {
        components.security_schemes.retain(|_, scheme| {
            let openapiv3::ReferenceOr::Item(openapiv3::SecurityScheme::HTTP { extensions, .. }) = scheme
            else {
                return true;
            };
            !extensions.contains_key("x-outside")
        });
    }
}

/// YAML block texts end in a newline, which no reader of a description needs; names are made texts.
fn tidy(node: &mut Value) {
    match node {
        Value::Mapping(members) => {
            *members = std::mem::take(members).into_iter().map(|(name, value)| (key(name), value)).collect();
            for (name, value) in members {
                match (name.as_str(), value) {
                    (Some("description" | "summary"), Value::String(text)) => *text = text.trim().to_owned(),
                    (_, value) => tidy(value),
                }
            }
        }
        Value::Sequence(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Names are texts; YAML reads an unquoted `200` or `True` as something else.
fn key(name: Value) -> Value {
    match name {
        Value::Number(number) => Value::String(number.to_string()),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        name => name,
    }
}

fn print(stem: &str, tokens: proc_macro2::TokenStream) -> String {
    let file = syn::parse2(tokens).expect("the generator emits Rust");
    let code = prettyplease::unparse(&file);
    format!("// @generated from openapi/{stem}.yaml by build.rs. Do not edit.\n\n{code}")
}
