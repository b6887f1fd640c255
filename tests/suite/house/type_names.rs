//! The name of a type means one thing in the whole crate, also if the type is private. If a name had two meanings,
//! readers would open the wrong file.
//!
//! Types inside functions, associated types and the types of tests may repeat a name, because they have no reader
//! outside of their function, implementation or test. The generated types are left out: their names come from the
//! OpenAPI documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::Regex;

use super::rust_text;

/// The only name that several modules may declare. In each of them it is an alias for results with the module's own
/// error, as in `std::io` and `std::fmt`.
const ALIAS: &str = "Result";

/// Macros that declare a type whose name is the first argument.
const DECLARING: [&str; 5] = ["coded", "extractor", "section", "text_type", "view"];

/// Macros that declare several types. A call of such a macro has a line for each type.
const DECLARING_MANY: [&str; 2] = ["ids", "subjects"];

/// Other macros that declare types. [`declared`] needs no pattern for calls of these macros. A call of `table!`
/// contains `pub struct` and the name of the type. `found!` declares private types of one file. Only generated code,
/// which is left out, calls the other three macros.
const OTHER_DECLARING: [&str; 5] = ["table", "found", "constant", "enumeration", "error_codes"];

/// Adds the names that `names` returns for each file below a folder, with the files. Tests are left out.
fn collect(
    folder: &Path,
    names: &impl Fn(&str) -> Vec<String>,
    found: &mut BTreeMap<String, BTreeSet<String>>,
) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                collect(&path, names, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            for name in names(&fs::read_to_string(&path).unwrap()) {
                found.entry(name).or_default().insert(path.display().to_string());
            }
        }
    }
}

/// Returns the names of the types that a file declares: public types, private types outside of functions, and types
/// that macros declare.
fn declared(text: &str) -> Vec<String> {
    static TYPE: LazyLock<Regex> = LazyLock::new(|| {
        let keyword = "(?:struct|enum|trait|type|union)";
        let written = format!(r"^\s*pub(?:\([^)]*\))? {keyword} (\w+)|^{keyword} (\w+)");
        let by_macro = format!(r"^(?:{})! \{{\s*(?:#\[[^\]]*\]\s*)*(\w+)", DECLARING.join("|"));
        Regex::new(&format!("(?m){written}|{by_macro}")).expect("valid")
    });
    static MANY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(&format!(r"(?ms)^(?:{})! \{{(.*?)^\}}", DECLARING_MANY.join("|"))).expect("valid")
    });
    static LINE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^ {4}(\w+)(?: =|,)").expect("valid"));
    let code = rust_text::without_tests(&rust_text::code(text));
    let names = TYPE.captures_iter(&code).filter_map(|found| found.iter().skip(1).flatten().next());
    let mut found: Vec<_> = names.map(|name| name.as_str().to_owned()).collect();
    for many in MANY.captures_iter(&code) {
        found.extend(LINE.captures_iter(&many[1]).map(|line| line[1].to_owned()));
    }
    found
}

/// Returns the names of those macros in a file that declare a type and take the name of the type as an argument.
fn declaring_macros(text: &str) -> Vec<String> {
    static MACRO: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?ms)^macro_rules! (\w+) \{(.*?)^\}\n").expect("valid"));
    static TYPE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b(?:struct|enum|trait) \$\w+\s*[{(<;]").expect("valid"));
    let code = rust_text::without_tests(&rust_text::code(text));
    let found = MACRO.captures_iter(&code).filter(|found| TYPE.is_match(&found[2]));
    found.map(|found| found[1].to_owned()).collect()
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn the_name_of_a_type_has_one_meaning() {
    let mut found = BTreeMap::new();
    collect(&source(), &declared, &mut found);
    assert!(found.len() > 1_300, "only {} types were found", found.len());
    found.retain(|name, files| files.len() > 1 && name != ALIAS);
    assert!(found.is_empty(), "qualify these names, as in `AddressError` and `RedirectError`: {found:#?}");
}

#[test]
fn every_macro_that_declares_types_is_in_a_list() {
    let mut found = BTreeMap::new();
    collect(&source(), &declaring_macros, &mut found);
    let found: Vec<_> = found.keys().map(String::as_str).collect();
    let mut known = [DECLARING.as_slice(), DECLARING_MANY.as_slice(), OTHER_DECLARING.as_slice()].concat();
    known.sort_unstable();
    assert_eq!(found, known, "the lists of macros name exactly the macros that declare types");
}

#[test]
fn types_are_found_in_every_form() {
    let text = "pub struct A;\npub(super) enum B {}\n    pub(in crate::x) trait C {}\npub type D = u8;\nstruct E;\n\
                // pub struct F;\npub fn g() {\n    struct Local;\n}\nview! {\n    /// Doc.\n    #[derive(Debug)]\n    \
                H of Row {\n    }\n}\nids! {\n    /// Doc.\n    I = \"i_\";\n    J = \"j_\";\n}\n\
                impl X for E {\n    type Out = ();\n}\n\n#[cfg(test)]\nmod tests {\n    pub struct K;\n}\n";
    assert_eq!(declared(text), ["A", "B", "C", "D", "E", "H", "I", "J"]);
}

#[test]
fn macros_that_declare_types_are_found() {
    let text = "macro_rules! a {\n    ($name:ident) => {\n        pub struct $name {\n        }\n    };\n}\n\
                macro_rules! b {\n    ($name:ident) => {\n        struct B;\n    };\n}\n";
    assert_eq!(declaring_macros(text), ["a"]);
}
