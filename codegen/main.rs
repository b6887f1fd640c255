//! Generates the code in `generated/` from the documents in `openapi/`.
//!
//! `cargo run -p switchboard-codegen` rewrites stale files. With `--check` it changes no file, and fails if a file is
//! stale. If the generator's input or output has changed and `CI` is not set, `build.rs` runs the generator.
//!
//! - [`model`]: the parts of a document that [`server`] needs. [`read`] and [`schema`] parse a document into the model.
//! - [`server`]: generates types, routes and handler traits for the server. The generated code uses `src/contract`.
//! - [`client`]: generates the client, with progenitor.
//! - [`presentation`]: extracts the parts of a document that poem-openapi cannot derive from the routes.
//! - [`prefix`]: removes the prefix that makes names unique over all documents.

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::print_stdout,
    clippy::match_bool,
    clippy::single_match_else,
    clippy::cast_precision_loss,
    reason = "a generator prints and panics; a test reads the variable `BLESS`; other lints are for the server"
)]

mod client;
mod model;
mod prefix;
mod presentation;
mod read;
mod schema;
mod server;

use std::{collections::HashSet, env, fs, path::Path, process::ExitCode};

use openapiv3::{OpenAPI, ReferenceOr, SecurityScheme};
use serde_yaml::Value;

type Extensions = indexmap::IndexMap<String, serde_json::Value>;

fn main() -> ExitCode {
    let is_check = env::args().skip(1).any(|argument| argument == "--check");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("codegen/ is inside the repository");
    let folder = root.join("generated");
    fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("cannot create {}: {e}", folder.display()));
    let mut is_stale = false;
    for (file, text) in generate(&root.join("openapi")) {
        let path = folder.join(&file);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        is_stale = true;
        if is_check {
            println!(
                "generated/{file} is stale: run `cargo run -p switchboard-codegen` and commit the result"
            );
        } else {
            fs::write(&path, text).unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
            println!("rewrote generated/{file}");
        }
    }
    if is_check && is_stale { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Generates the code for every document in `dir`. Returns pairs of a file name in `generated/` and the contents.
fn generate(dir: &Path) -> Vec<(String, String)> {
    let mut paths: Vec<_> = fs::read_dir(dir)
        .expect("openapi/ is readable")
        .map(|entry| entry.expect("openapi/ is readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| document(path)).collect()
}

fn document(path: &Path) -> [(String, String); 4] {
    let stem = path.file_stem().expect("a path with an extension has a stem").to_string_lossy();
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    files(&stem, &text)
}

/// Generates the files of the document `{stem}.yaml`, whose contents are `text`. Returns pairs as [`generate`] does.
fn files(stem: &str, text: &str) -> [(String, String); 4] {
    let fail = |e: &dyn std::fmt::Display| -> ! { panic!("openapi/{stem}.yaml: {e}") };
    let mut source: Value = serde_yaml::from_str(text).unwrap_or_else(|e| fail(&e));
    normalize(&mut source);
    let mut plain = source.clone();
    let document_names = prefix::strip(&mut plain).unwrap_or_else(|e| fail(&e));
    let mut document: OpenAPI = serde_yaml::from_value(plain).unwrap_or_else(|e| fail(&e));
    remove_outside(&mut document);
    let api = read::api(&document, &document_names).unwrap_or_else(|e| fail(&e));
    // generated from the YAML and not from the parsed document, so that members keep their order
    let pretty = serde_json::to_string_pretty(&source).unwrap_or_else(|e| fail(&e)) + "\n";
    [
        (format!("{stem}.json"), pretty),
        (format!("{stem}.presentation.json"), presentation::emit(&source)),
        (format!("{stem}_server.rs"), print(stem, server::emit(stem, &api))),
        (format!("{stem}_client.rs"), print(stem, client::emit(&document))),
    ]
}

/// Removes everything that has `x-outside: true`:
///
/// - GET, POST and DELETE operations that are documented, but served by routes that are not generated, such as pages;
/// - schemas that only these operations use;
/// - security schemes of alternative credentials, such as the session cookie, and the requirements that name them.
///
/// # Panics
/// If an operation with a method other than GET, POST and DELETE has `x-outside: true`.
fn remove_outside(document: &mut OpenAPI) {
    let outside = |extensions: &Extensions| {
        extensions.get("x-outside").and_then(serde_json::Value::as_bool).unwrap_or(false)
    };
    for (path, item) in &mut document.paths.paths {
        let ReferenceOr::Item(item) = item else { continue };
        for operation in [&mut item.get, &mut item.post, &mut item.delete] {
            if operation.as_ref().is_some_and(|operation| outside(&operation.extensions)) {
                *operation = None;
            }
        }
        for (method, operation) in item.iter() {
            let is_outside = outside(&operation.extensions);
            assert!(!is_outside, "{method} {path}: x-outside is for GET, POST and DELETE");
        }
    }
    document.paths.paths.retain(|_, item| item.as_item().is_none_or(|item| item.iter().next().is_some()));
    let Some(components) = &mut document.components else { return };
    components
        .schemas
        .retain(|_, schema| schema.as_item().is_none_or(|schema| !outside(&schema.schema_data.extensions)));
    let mut left = HashSet::new();
    components.security_schemes.retain(|name, scheme| {
        let ReferenceOr::Item(
            SecurityScheme::HTTP { extensions, .. } | SecurityScheme::APIKey { extensions, .. },
        ) = scheme
        else {
            return true;
        };
        let keep = !outside(extensions);
        if !keep {
            left.insert(name.clone());
        }
        keep
    });
    let items = document.paths.paths.values_mut().filter_map(|item| match item {
        ReferenceOr::Item(item) => Some(item),
        ReferenceOr::Reference { .. } => None,
    });
    let operations = items.flat_map(|item| {
        [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete]
            .into_iter()
            .flatten()
    });
    let securities = operations.filter_map(|operation| operation.security.as_mut());
    for security in securities.chain(&mut document.security) {
        security.retain(|alternative| alternative.keys().all(|name| !left.contains(name)));
    }
}

/// Removes white space at both ends of descriptions and summaries, because YAML block scalars end with a newline.
/// Converts keys to strings.
fn normalize(node: &mut Value) {
    match node {
        Value::Mapping(members) => {
            *members = std::mem::take(members).into_iter().map(|(name, value)| (key(name), value)).collect();
            for (name, value) in members {
                match (name.as_str(), value) {
                    (Some("description" | "summary"), Value::String(text)) => *text = text.trim().to_owned(),
                    (_, value) => normalize(value),
                }
            }
        }
        Value::Sequence(items) => items.iter_mut().for_each(normalize),
        _ => {}
    }
}

/// Converts a key to a string, because YAML parses an unquoted `200` as a number and an unquoted `True` as a boolean.
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
    format!("// @generated from openapi/{stem}.yaml by codegen/. Do not edit.\n\n{code}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a text with the committed file `golden/{file}`. With `BLESS=1` it writes the file first.
    fn assert_golden(file: &str, text: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(file);
        if env::var_os("BLESS").is_some() {
            fs::write(&path, text).expect("golden/ is writable");
        }
        let known = fs::read_to_string(&path).unwrap_or_default();
        assert!(known == text, "golden/{file} differs: run the test with BLESS=1 and review the change");
    }

    #[test]
    fn a_small_document_becomes_the_golden_files() {
        let [_, presentation, server, _] = files("tiny", include_str!("golden/tiny.yaml"));
        for (file, text) in [presentation, server] {
            assert_golden(&file, &text);
        }
    }

    const ANY_BODY: &str = "{schema: {$ref: \"#/components/schemas/Thing\"}, example: {kind: small}}";

    /// Returns `golden/tiny.yaml` with the media types `names` added to the body of its operation, after JSON.
    fn with_media_types(names: &[&str]) -> String {
        let first = format!("          application/json: {ANY_BODY}\n      responses:");
        let more: Vec<_> = names.iter().map(|name| format!("          {name}: {ANY_BODY}\n")).collect();
        let text = include_str!("golden/tiny.yaml");
        assert!(text.contains(&first), "the request has a JSON body");
        text.replace(&first, &first.replace("      responses:", &(more.concat() + "      responses:")))
    }

    #[test]
    #[should_panic(expected = "updateThing: only a POST may have a second media type")]
    fn a_second_media_type_of_a_patch_is_rejected() {
        let _ = files("tiny", &with_media_types(&["application/x-www-form-urlencoded"]));
    }

    #[test]
    #[should_panic(expected = "updateThing: the body has 3 media types")]
    fn a_third_media_type_is_rejected() {
        let text = with_media_types(&["application/x-www-form-urlencoded", "text/plain"]);
        let _ = files("tiny", &text.replace("    patch:", "    post:"));
    }

    #[test]
    fn a_second_media_type_of_a_post_becomes_a_second_operation_of_the_client() {
        let text = with_media_types(&["application/x-www-form-urlencoded"]);
        let [.., client] = files("tiny", &text.replace("    patch:", "    post:"));
        assert!(client.1.contains("fn update_thing_form"), "{}", client.1);
    }

    #[test]
    #[should_panic(expected = "patch /things/{id}: x-outside is for GET, POST and DELETE")]
    fn a_patch_with_x_outside_is_rejected() {
        let text = include_str!("golden/tiny.yaml");
        let _ = files(
            "tiny",
            &text.replace("      x-limit: edit\n", "      x-limit: edit\n      x-outside: true\n"),
        );
    }

    #[test]
    #[should_panic(expected = "updateThing: an error has the schema Thing, others have Problem")]
    fn a_second_error_schema_is_rejected() {
        let first = "        \"404\": {$ref: \"#/components/responses/NotFound\"}\n";
        let text = include_str!("golden/tiny.yaml");
        assert!(text.contains(first), "the operation has an error");
        let content = "{application/json: {schema: {$ref: \"#/components/schemas/Thing\"}, examples: {taken: {value: {kind: small}}}}}";
        let second = format!("        \"409\": {{description: It is taken., content: {content}}}\n");
        let _ = files("tiny", &text.replace(first, &format!("{first}{second}")));
    }

    #[test]
    #[should_panic(expected = "updateThing: an operation must have at most one security scheme")]
    fn a_second_security_scheme_is_rejected() {
        let token = "    token: {type: http, scheme: bearer, description: A token.}\n";
        let text = include_str!("golden/tiny.yaml");
        assert!(text.contains(token), "the document has a security scheme");
        let text = text.replace(token, &format!("{token}{}", token.replace("token:", "other:")));
        let _ = files("tiny", &text.replace("[{token: []}]", "[{token: []}, {other: []}]"));
    }

    #[test]
    #[should_panic(expected = "no x-limit")]
    fn an_operation_without_a_limit_is_rejected() {
        let text = include_str!("golden/tiny.yaml").replace("      x-limit: edit\n", "");
        let _ = files("tiny", &text);
    }
}
