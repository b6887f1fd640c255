//! Modules use only modules of lower layers: `cli -> app -> APIs -> service -> store -> platform`. Every module may use
//! `domain`. [`LAYERS`] lists the modules that each module may use. Public items of the service layer do not name row
//! types of the store.

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

use regex::Regex;

use super::{imports, rust_text};

/// The modules of the crate's root, each with the modules that it may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("platform", &["domain"]),
    ("store", &["domain", "platform"]),
    ("contract", &["domain"]),
    ("generated", &["domain", "contract"]),
    ("config", &["domain", "platform"]),
    ("service", &["domain", "platform", "store"]),
    ("api", &["domain", "platform", "contract", "service"]),
    ("bot", &["domain", "platform", "contract", "generated", "api", "service"]),
    ("events", &["domain", "platform", "service"]),
    ("admin", &["domain", "platform", "contract", "generated", "api", "service"]),
    ("pages", &["domain", "platform", "contract", "api", "service"]),
    ("assistant", &["domain", "platform", "contract", "generated", "api", "service"]),
    (
        "app",
        &[
            "domain",
            "platform",
            "store",
            "contract",
            "generated",
            "config",
            "api",
            "service",
            "bot",
            "admin",
            "events",
            "pages",
            "assistant",
        ],
    ),
    ("cli", &["domain", "platform", "store", "contract", "generated", "config", "app"]),
];

#[test]
fn no_module_uses_a_higher_layer() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (module, allowed) in LAYERS {
        let mut files = files(&source, module);
        if *module == "generated" {
            // `src/generated.rs` declares the modules with `#[path]`
            let folder = source.with_file_name("generated");
            let servers = ["bot", "admin", "assistant"].map(|name| folder.join(format!("{name}_server.rs")));
            files.extend(servers);
        }
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            // the tests of a module may use more modules than the module itself
            let text = rust_text::without_tests(&text);
            checked += 1;
            if leaves_module(file.strip_prefix(&source).unwrap_or(&file), &text) {
                wrong.push(format!("{} leaves its module with `super`", file.display()));
            }
            for used in used_modules(&text) {
                let known = LAYERS.iter().any(|(name, _)| *name == used);
                if known && used != *module && !allowed.contains(&used.as_str()) {
                    wrong.push(format!("{} uses {used}", file.display()));
                }
            }
        }
    }
    assert!(checked > 50, "only {checked} files were found");
    assert!(wrong.is_empty(), "modules use only modules of lower layers:\n{}", wrong.join("\n"));
}

/// Returns whether a path of `super`s in a file leads out of the file's top-level module. [`used_modules`] reads only
/// paths that begin with `crate`, so it does not find the modules to which such a path leads. `file` is the path of the
/// file below `src`.
fn leaves_module(file: &Path, text: &str) -> bool {
    let depth = file.with_extension("").iter().filter(|part| *part != "mod").count();
    let code = rust_text::code(text);
    static SUPERS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bsuper(?:::super)*\b").expect("valid"));
    let in_code = SUPERS.find_iter(&code).map(|path| path.as_str().matches("super").count());
    // a `use` tree such as `super::{super::super::store::User}` divides the `super`s of a path
    let in_uses = imports::used_paths(&code).into_iter();
    let in_uses = in_uses.map(|path| path.iter().filter(|segment| *segment == "super").count());
    in_code.chain(in_uses).any(|supers| supers >= depth)
}

/// Table modules use the engine of the store, and the engine uses no table module.
#[test]
fn the_engine_of_the_store_uses_no_table_module() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let engine = files(&source, "store/engine");
    assert!(engine.len() > 30, "only {} files were found", engine.len());
    for file in engine {
        let text = fs::read_to_string(&file).unwrap();
        let text = rust_text::without_tests(&text);
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        // macros of the engine name the engine's types by `$crate::store::…`, where they are re-exported
        for line in code.filter(|line| !line.contains("$crate::")) {
            // the pattern does not match `pub(in crate::store)`, which uses nothing: it has no `::` after `store`
            let used = line.split("crate::store::").skip(1).find(|rest| !rest.starts_with("engine"));
            assert!(
                used.is_none(),
                "the engine uses no table module: {} uses {}",
                file.display(),
                used.unwrap()
            );
        }
    }
}

fn files(source: &Path, module: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let single = source.join(format!("{module}.rs"));
    if single.is_file() {
        found.push(single);
    }
    let mut folders = vec![source.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
                found.push(path);
            }
        }
    }
    // only the path below `src` counts, because the repository itself may be in a folder named `tests`
    let inside = |path: &Path| path.strip_prefix(source).unwrap().to_owned();
    found.retain(|path| !inside(path).components().any(|part| part.as_os_str() == "tests"));
    found
}

/// Returns the segment after `crate::` of each path that begins with `crate::`, in `use` lines and elsewhere.
fn used_modules(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let word = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let code = || text.lines().filter(|line| !line.trim_start().starts_with("//"));
    for line in code() {
        for (at, _) in line.match_indices("crate::") {
            let rest = &line[at + "crate::".len()..];
            if !rest.starts_with('{') {
                found.push(word(rest));
            }
        }
    }
    // `use crate::{ … }` may extend over several lines; each name in the outermost braces is a module
    let code: String = code().collect::<Vec<_>>().join("\n");
    for (at, _) in code.match_indices("crate::{") {
        let mut depth = 0;
        let mut segment = String::new();
        let mut fresh = true;
        for c in code[at + "crate::".len()..].chars() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 1 && c == ',' || depth == 0 {
                found.push(std::mem::take(&mut segment));
                fresh = true;
            } else if depth == 1 && fresh && (c.is_ascii_alphanumeric() || c == '_') {
                segment.push(c);
            } else if depth == 1 && !segment.is_empty() {
                fresh = false;
            }
            if depth == 0 {
                break;
            }
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// The types of the store that the service layer may expose: errors, operations, and the database with its encryption.
const SHOWN: [&str; 7] = ["Error", "Result", "StoreError", "Op", "Sql", "Db", "Encryption"];
/// The only line of the service layer that may re-export items of the store.
const RE_EXPORT: &str = "pub use crate::store::{Error, Result};";

#[test]
fn the_service_layer_returns_no_rows() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let rows = declared_types(&files(&source, "store"));
    assert!(rows.len() > 100, "only {} types of the store were found", rows.len());
    let files = files(&source, "service");
    assert!(files.len() > 50, "only {} files were found", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        wrong.extend(leaks(&text, &rows).into_iter().map(|leak| format!("{}: {leak}", file.display())));
    }
    assert!(
        wrong.is_empty(),
        "public items of the service layer must not name types of the store:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn apis_do_not_use_the_database() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let modules = ["api", "bot", "admin", "assistant", "events", "pages"];
    let files: Vec<_> = modules.iter().flat_map(|module| files(&source, module)).collect();
    assert!(files.len() > 100, "only {} files were found", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!words(&text).any(|word| word == "db"), "no API uses the database: {}", file.display());
    }
}

/// Returns the types that files of the store declare for other modules, without those of [`SHOWN`]. A file of the
/// service layer can reach such a type without a path through `store`: for example by `use super::User`, if the parent
/// module imports the type.
fn declared_types(files: &[std::path::PathBuf]) -> BTreeSet<String> {
    static TYPE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bpub(?:\([^)]*\))? (?:struct|enum|trait|type) (\w+)").expect("valid"));
    let mut found = BTreeSet::new();
    for file in files {
        let text = rust_text::without_tests(&rust_text::code(&fs::read_to_string(file).unwrap()));
        found.extend(TYPE.captures_iter(&text).map(|declared| declared[1].to_owned()));
    }
    found.retain(|name| !SHOWN.contains(&name.as_str()));
    found
}

/// Returns `text` with `pub` before each method and associated type of a public trait, because these are public without
/// `pub`.
fn with_public_methods(text: &str) -> String {
    static TRAIT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^pub trait [^{;]*\{").expect("valid"));
    static METHOD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^(\s+)((?:async |const )?fn |type )").expect("valid"));
    let mut found = String::new();
    let mut rest = text;
    while let Some(head) = TRAIT.find(rest) {
        // rustfmt puts the bracket that closes an item of a file at the beginning of a line
        let end = rest[head.end()..].find("\n}").map_or(rest.len(), |end| head.end() + end);
        found.push_str(&rest[..head.end()]);
        found.push_str(&METHOD.replace_all(&rest[head.end()..end], "${1}pub ${2}"));
        rest = &rest[end..];
    }
    found + rest
}

/// Returns the first line of each public function, field, enum, alias and re-export that names a type of the store.
/// `rows` are the types that the store declares.
fn leaks(text: &str, rows: &BTreeSet<String>) -> Vec<String> {
    let text = with_public_methods(&rust_text::without_tests(&rust_text::code(text)));
    let text = text.as_str();
    let (types, modules) = (store_types(text), store_modules(text));
    let is_row = |name: &str| name.starts_with(char::is_uppercase) && !SHOWN.contains(&name);
    // a path such as `users::User` leads to a row type if `users` is a module of the store
    let is_path_to_row = |path: &str| {
        let mut segments = path.split("::");
        segments.next().is_some_and(|first| modules.contains(&first)) && segments.any(is_row)
    };
    let names_row = |item: &str| {
        let mut paths = item.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        words(item).any(|word| types.contains(&word) || rows.contains(word)) || paths.any(is_path_to_row)
    };
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("pub ") {
        let from_line = rest[..at].rfind('\n').map_or(0, |line| line + 1);
        let is_item = rest[from_line..at].chars().all(char::is_whitespace);
        rest = &rest[at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let is_type = ["struct ", "enum ", "trait "].iter().any(|word| line.contains(word));
        // a signature or the head of a type ends at `{` or `;`; every other item, and every field, ends at `,` or `;`
        let ends = if is_type || line.contains("fn ") { ['{', ';'] } else { [',', ';'] };
        let (item, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        let is_declaration = !is_type || item.contains("(pub ");
        let exports_store = item.starts_with("pub use crate::store") && !rest.starts_with(RE_EXPORT);
        let leaks = exports_store || !item.starts_with("pub use ") && names_row(item);
        let is_enum_of_rows = item.starts_with("pub enum ") && names_row(&fields_of_variants(after));
        if is_item && (is_declaration && leaks || is_enum_of_rows) {
            found.push(item.lines().next().unwrap_or_default().to_owned());
        }
        rest = after;
    }
    found
}

/// Returns the fields of an enum's variants, without the names of the variants. `text` begins with the enum's body.
fn fields_of_variants(text: &str) -> String {
    let mut depth = 0;
    let body = text.chars().map_while(|c| {
        let is_within = depth > 1;
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ => {}
        }
        (depth > 0).then_some(if is_within { c } else { ' ' })
    });
    body.collect()
}

/// Returns the names of the modules that a file imports from the store.
fn store_modules(text: &str) -> Vec<&str> {
    let is_import = |at: usize| text[..at].rfind("use ") > text[..at].rfind(';');
    let imported = store_names(text).into_iter().filter(|(at, _)| is_import(*at)).map(|(_, name)| name);
    imported.filter(|name| name.starts_with(char::is_lowercase) && !["self", "as"].contains(name)).collect()
}

/// Returns the types that a file names in paths that begin with `store::`, without those of [`SHOWN`].
fn store_types(text: &str) -> Vec<&str> {
    let names = store_names(text).into_iter().map(|(_, name)| name);
    names.filter(|name| name.starts_with(char::is_uppercase) && !SHOWN.contains(name)).collect()
}

/// Returns the names in paths that begin with `store::`, each with the position at which its path begins.
fn store_names(text: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    for (at, path) in text.match_indices("store::") {
        let rest = &text[at + path.len()..];
        let mut depth = 0;
        let end = rest.find(|c| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth <= 0 && matches!(c, ';' | ',' | '}' | '\n' | '(' | ')' | '>')
        });
        names.extend(words(&rest[..end.unwrap_or(rest.len())]).map(|name| (at, name)));
    }
    names
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[test]
fn leaks_are_found_in_every_form() {
    let uses = "use crate::{\n    domain::ids::UserId,\n    store::{\n        Result, accounts,\n        \
                users::{self, User},\n    },\n    service::World,\n};\n";
    let rows = BTreeSet::from(["Message".to_owned()]);
    let found = |item: &str| !leaks(&format!("{uses}{item}"), &rows).is_empty();
    for leak in [
        "impl World {\n    pub async fn person(\n        &self,\n    ) -> Result<Page<User>> {\n    }\n}",
        "pub struct Shown {\n    pub user: User,\n}",
        "pub struct Shown(pub User);",
        "pub struct Shown {\n    pub users: Vec<User>,\n}",
        "pub type Shown = User;",
        "pub use crate::store::users::User;",
        "pub use crate::store::{Error, Op, Result};",
        "impl World {\n    pub async fn person(&self) -> Result<users::User> {\n    }\n}",
        "pub struct Shown {\n    pub user: Option<accounts::Account>,\n}",
        "pub enum Shown {\n    Nobody,\n    One(User),\n}",
        "pub enum Shown {\n    Some { users: Vec<users::User> },\n}",
        "pub trait Shows {\n    const NAME: &str;\n\n    fn user(&self) -> User;\n}",
        "pub trait Shows {\n    async fn user(&self, row: &users::User);\n}",
        "use super::Message;\n\npub fn shown(message: &Message) {\n}",
    ] {
        assert!(found(leak), "this leak must be found: {leak}");
    }
    for kept in [
        "impl World {\n    pub async fn person(&self, id: UserId) -> Result<VisibleUser> {\n    }\n}",
        "pub(super) fn own(user: &User) {\n}",
        "pub struct Own {\n    user: User,\n}",
        "pub struct Own(pub(super) User);",
        "pub struct Shown {\n    pub id: UserId,\n}\n\nfn shown(user: User) {}",
        "pub enum Shown {\n    /// A row (`User`).\n    User(UserId),\n    Users { ids: Vec<UserId> },\n}\n\nfn shown(user: User) {}",
        "pub(super) enum Own {\n    User(User),\n}",
        "impl World {\n    pub async fn people(&self) -> Result<super::users::Shown> {\n    }\n}",
        RE_EXPORT,
        "pub trait Shows {\n    fn id(&self) -> UserId;\n}\n\nfn shown(user: User) {\n}",
        "trait Own {\n    fn user(&self) -> User;\n}",
    ] {
        assert!(!found(kept), "this item leaks nothing and must be accepted: {kept}");
    }
}

#[test]
fn used_modules_are_found_in_every_form() {
    let text =
        "use crate::domain::ids;\nuse crate::{\n    bot::{a, b},\n    store,\n};\nlet x = crate::app::y();";
    let mut found = used_modules(text);
    found.sort();
    assert_eq!(found, ["app", "bot", "domain", "store"]);
}

#[test]
fn paths_out_of_a_module_are_found() {
    let leaves = |file: &str, text: &str| leaves_module(Path::new(file), text);
    assert!(leaves("service/people/own.rs", "use super::super::super::store::User;"));
    assert!(leaves("service/people/mod.rs", "fn f() -> super::super::store::User {}"));
    assert!(leaves("service/mod.rs", "use super::store;"));
    assert!(leaves("service/people/own.rs", "use super::{super::super::store::User, X};"));
    assert!(leaves(
        "service/people/own.rs",
        "pub(super) use super::{\n    X,\n    super::{Y, super::store},\n};"
    ));
    assert!(!leaves("service/people/own.rs", "use super::{super::paging, X};"));
    assert!(!leaves("service/people/own.rs", "use super::super::paging;\n// super::super::super::store"));
    assert!(!leaves("service/paging.rs", "use super::World;\nfn f() -> super::World {}"));
}
