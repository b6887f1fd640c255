//! Removes the name prefix of an OpenAPI document. If a document has the member `x-name-prefix: admin`, its operations
//! have the prefix `admin` and its schemas have the prefix `Admin`, so that names are unique over all documents. The
//! names in Rust omit the prefix, because the Rust module already identifies the document.

use std::collections::BTreeMap;

use heck::ToPascalCase;
use serde_yaml::Value;

/// For each name in Rust, the name in the OpenAPI document. A name that has no prefix in the document is the same in
/// Rust.
#[derive(Default)]
pub struct DocumentNames(BTreeMap<String, String>);

impl DocumentNames {
    /// Returns the name that the document has for `name`, a name in Rust.
    pub fn of(&self, name: &str) -> String {
        self.0.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }
}

const SCHEMAS: &str = "#/components/schemas/";

/// Removes the prefix from every name of a schema, every reference to a schema, and every operationId.
///
/// # Errors
/// - If the name of a schema is not a string.
/// - If two schemas have the same name without the prefix.
/// - If two different operationIds are the same without the prefix.
pub fn strip(document: &mut Value) -> Result<DocumentNames, String> {
    let Some(prefix) = document.get("x-name-prefix").and_then(Value::as_str).map(str::to_owned) else {
        return Ok(DocumentNames::default());
    };
    let type_prefix = prefix.to_pascal_case();
    let mut document_names = DocumentNames::default();
    if let Some(Value::Mapping(schemas)) = document.get_mut("components").and_then(|c| c.get_mut("schemas")) {
        let mut kept = serde_yaml::Mapping::new();
        for (name, schema) in std::mem::take(schemas) {
            let name = name.as_str().ok_or("the name of a schema must be a string")?.to_owned();
            let short = without_prefix(&name, &type_prefix).to_owned();
            if kept.insert(short.as_str().into(), schema).is_some() {
                return Err(format!("two schemas are {short} without the prefix {type_prefix}"));
            }
            document_names.0.insert(short, name);
        }
        *schemas = kept;
    }
    walk(document, &prefix, &type_prefix, &mut document_names)?;
    Ok(document_names)
}

fn walk(
    node: &mut Value,
    prefix: &str,
    type_prefix: &str,
    document_names: &mut DocumentNames,
) -> Result<(), String> {
    match node {
        Value::Mapping(members) => {
            for (name, value) in members {
                if let (Some("operationId"), Some(id)) = (name.as_str(), value.as_str()) {
                    let short = lower_first(without_prefix(id, prefix));
                    let known = document_names.0.insert(short.clone(), id.to_owned());
                    if let Some(other) = known.filter(|other| other != id) {
                        return Err(format!("{other} and {id} are both {short} without the prefix {prefix}"));
                    }
                    *value = short.into();
                } else {
                    walk(value, prefix, type_prefix, document_names)?;
                }
            }
        }
        Value::Sequence(items) => {
            for item in items {
                walk(item, prefix, type_prefix, document_names)?;
            }
        }
        Value::String(text) => {
            if let Some(name) = text.strip_prefix(SCHEMAS) {
                *text = format!("{SCHEMAS}{}", without_prefix(name, type_prefix));
            }
        }
        _ => {}
    }
    Ok(())
}

/// Returns the name without the prefix, such as `User` for `AdminUser`. `Administrator` stays unchanged, because no
/// upper-case letter follows `Admin`.
fn without_prefix<'a>(name: &'a str, prefix: &str) -> &'a str {
    name.strip_prefix(prefix).filter(|rest| rest.starts_with(char::is_uppercase)).unwrap_or(name)
}

fn lower_first(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripped(paths: &str) -> Result<DocumentNames, String> {
        let text = format!("{{x-name-prefix: admin, paths: {paths}}}");
        strip(&mut serde_yaml::from_str(&text).expect("YAML"))
    }

    #[test]
    fn document_names_have_the_operation_ids_with_the_prefix() {
        let paths = "{/a: {get: {operationId: adminGetUser}}, /b: {get: {operationId: administrate}}}";
        let document_names = stripped(paths).expect("operationIds with different names in Rust are accepted");
        assert_eq!(
            [document_names.of("getUser"), document_names.of("administrate")],
            ["adminGetUser", "administrate"]
        );
    }

    #[test]
    fn operations_with_the_same_name_in_rust_are_rejected() {
        let paths = "{/a: {get: {operationId: adminGetUser}}, /b: {get: {operationId: getUser}}}";
        let rejected = stripped(paths).err().expect("operationIds with the same name in Rust are rejected");
        assert_eq!(rejected, "adminGetUser and getUser are both getUser without the prefix admin");
    }
}
