//! The name of a public type means one thing in the whole crate. If a name had two meanings, readers would open the
//! wrong file.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::LazyLock,
};

use regex::Regex;

use super::rust_text;

/// The only name that several modules may declare. In each of them it is an alias for results with the module's own
/// error, as in `std::io` and `std::fmt`.
const ALIAS: &str = "Result";

/// Adds the names of the public types below a folder, with the files that declare them. Tests are left out.
fn collect(folder: &Path, found: &mut BTreeMap<String, BTreeSet<String>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            for name in declared(&fs::read_to_string(&path).unwrap()) {
                found.entry(name).or_default().insert(path.display().to_string());
            }
        }
    }
}

/// Returns the names of the public types that a file declares. `pub(super)` and other restricted forms of `pub` count
/// as public.
fn declared(text: &str) -> Vec<String> {
    static TYPE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^\s*pub(?:\([^)]*\))? (?:struct|enum|trait|type) (\w+)").expect("valid")
    });
    let code = rust_text::without_tests(&rust_text::code(text));
    TYPE.captures_iter(&code).map(|found| found[1].to_owned()).collect()
}

#[test]
fn the_name_of_a_public_type_has_one_meaning() {
    let mut found = BTreeMap::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 700, "only {} types were found", found.len());
    found.retain(|name, files| files.len() > 1 && name != ALIAS);
    assert!(found.is_empty(), "qualify these names, such as `AddressError` and `RedirectError`: {found:#?}");
}

#[test]
fn public_types_are_found_in_every_form() {
    let text = "pub struct A;\npub(super) enum B {}\n    pub(in crate::x) trait C {}\npub type D = u8;\nstruct E;\n\
                // pub struct F;\npub fn g() {}\n\n#[cfg(test)]\nmod tests {\n    pub struct H;\n}\n";
    assert_eq!(declared(text), ["A", "B", "C", "D"]);
}
