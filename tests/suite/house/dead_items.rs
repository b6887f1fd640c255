//! Finds public items that nothing uses. The compiler does not report such items: the tests are a separate crate, which
//! could use every public item.

use std::{collections::HashMap, fs, path::Path};

/// Keywords that declare an item.
const KEYWORDS: [&str; 7] = ["fn", "const", "static", "struct", "enum", "trait", "type"];

/// Adds the path and the text of every Rust file and template below a folder, except in `target`.
fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let is_read = path.extension().is_some_and(|it| it == "rs" || it == "html");
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, found);
        } else if is_read {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns the lines of a file without comments and re-exports, because neither a comment nor a re-export uses the item
/// that it names.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let mut in_export = false;
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).filter(move |line| {
        let is_export = in_export || line.trim_start().starts_with("pub use ");
        in_export = is_export && !line.contains(';');
        !is_export
    })
}

/// Returns the name of the public item that a line declares, if it declares one.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mut words = words(line.strip_prefix("pub")?).skip_while(|word| {
        matches!(*word, "crate" | "super" | "in" | "async" | "unsafe" | "service")
            || *word == "const" && line.contains(" fn ")
    });
    words.next().filter(|word| KEYWORDS.contains(word)).and_then(|_| words.next())
}

/// Returns the public items that are declared in a file accepted by `is_source`, and whose name occurs only once in
/// `files`.
fn unused(files: &[(String, String)], is_source: impl Fn(&str) -> bool) -> Vec<String> {
    let mut counts = HashMap::<&str, usize>::new();
    for (_, text) in files {
        code(text).flat_map(words).for_each(|word| *counts.entry(word).or_default() += 1);
    }
    let sources = files.iter().filter(|(path, _)| is_source(path));
    let items =
        sources.flat_map(|(path, text)| code(text).filter_map(declared).map(move |name| (path, name)));
    items.filter(|(_, name)| counts[name] < 2).map(|(path, name)| format!("{path}: {name}")).collect()
}

#[test]
fn every_public_item_is_named_somewhere_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "clients", "generated", "templates", "tests/suite", "benches", "fuzz/fuzz_targets"]
    {
        collect(&root.join(folder), &mut files);
    }
    let source = root.join("src").display().to_string();
    let found = unused(&files, |path| path.starts_with(&source));
    assert!(files.len() > 500, "only {} files were found", files.len());
    assert!(found.is_empty(), "nothing uses:\n{}", found.join("\n"));
}

/// A function or SQL statement of a table module, which is a module in `src/store/tables`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TableItem<'a> {
    file: &'a str,
    module: &'a str,
    name: &'a str,
}

/// An occurrence of a name in a file. `module` is the segment of the path before the name, or `None` if the name has no
/// path. If the segment is an alias, `module` is the module for which the alias stands.
#[derive(Debug, PartialEq)]
struct Mention<'a> {
    file: &'a str,
    module: Option<&'a str>,
}

/// Returns the text of a module without its tests.
fn production(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

/// Returns the public async functions and the statements that a table module declares.
fn table_items<'a>(file: &'a str, text: &'a str) -> Vec<TableItem<'a>> {
    let is_statement = |line: &str| {
        let types = [": Query", ": LockingQuery", ": Command"];
        line.starts_with("    ") && line.contains(" =") && types.iter().any(|kind| line.contains(kind))
    };
    let module = file.trim_end_matches("/mod.rs").trim_end_matches(".rs").rsplit('/').next().unwrap_or(file);
    let lines = code(production(text)).filter(|line| line.starts_with("pub async fn ") || is_statement(line));
    let names = lines.filter_map(|line| words(line).find(|word| !matches!(*word, "pub" | "async" | "fn")));
    names.map(|name| TableItem { file, module, name }).collect()
}

/// Adds the occurrences of all names in a file to `found`. The keys of `found` are the names. A name after a dot is a
/// method or a field and does not count.
fn mention<'a>(file: &'a str, text: &'a str, found: &mut HashMap<&'a str, Vec<Mention<'a>>>) {
    for line in code(production(text)) {
        for name in words(line) {
            let before = &line[..name.as_ptr().addr() - line.as_ptr().addr()];
            // finds the path in `users::by_id` and in `use users::{by_id, User}`
            let path = before.strip_suffix("::").or_else(|| Some(before.rsplit_once("::{")?.0));
            let module = path.and_then(|path| words(path).last()).map(|path| {
                // finds the module of an alias, as in `use store::drafts as rows` and `use store::drafts::{self as
                // rows}`
                let before = text.split_once(&format!(" as {path}")).map(|(before, _)| before);
                before.and_then(|before| words(before).filter(|it| *it != "self").last()).unwrap_or(path)
            });
            if !before.ends_with('.') {
                found.entry(name).or_default().push(Mention { file, module });
            }
        }
    }
}

/// Returns the unused items of the table modules. An item is used if its own module names the item outside of the
/// declaration, or if a path ends with the item's name. If two table modules declare the same name, a path through one
/// module does not use the item of the other module.
fn unused_items(files: &[(String, String)], is_table: impl Fn(&str) -> bool) -> Vec<String> {
    let tables = files.iter().filter(|(file, _)| is_table(file));
    let items: Vec<_> = tables.flat_map(|(file, text)| table_items(file, text)).collect();
    let mut found = HashMap::new();
    files.iter().for_each(|(file, text)| mention(file, text, &mut found));
    let is_used = |item: &TableItem<'_>| {
        let is_others = |module: &str| {
            let has_it = |it: &TableItem<'_>| it.name == item.name && it.module == module;
            module != item.module && items.iter().any(has_it)
        };
        let own = found[item.name].iter().filter(|it| it.module.is_none() && it.file == item.file).count();
        own > 1 || found[item.name].iter().any(|it| it.module.is_some_and(|module| !is_others(module)))
    };
    items.iter().filter(|item| !is_used(item)).map(|it| format!("{}::{}", it.module, it.name)).collect()
}

/// The compiler reports no unused statement, because the macro `statements!` declares a static `ALL` that contains
/// every statement of the module.
#[test]
fn every_statement_and_function_of_the_tables_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files);
    files.retain(|(path, _)| !path.contains("/tests/") && !path.ends_with("/tests.rs"));
    let tables = root.join("src/store/tables").display().to_string();
    let items: usize = files.iter().map(|(file, text)| table_items(file, text).len()).sum();
    assert!(items > 500, "only {items} items were found");
    let unused = unused_items(&files, |file| file.starts_with(&tables));
    assert!(unused.is_empty(), "the server does not use:\n{}", unused.join("\n"));
}

#[test]
fn a_table_item_counts_as_used_if_its_module_or_a_path_names_it() {
    let users = "    BY_ID: Query = \"SELECT\";\npub async fn by_id<C: ReadSql>() { c.opt(&BY_ID) }
#[cfg(test)]\nmod tests {\nby_id();";
    let unused = |other: &str| {
        let file = |name: &str, text: &str| (format!("tables/{name}.rs"), text.to_owned());
        let files =
            [file("users", users), file("apps", "pub async fn by_id() { by_id() }"), file("x", other)];
        unused_items(&files, |_| true)
    };
    for used in ["users::by_id(c)", "use users::{User, by_id};", "use tables::users as rows;\nrows::by_id(c)"]
    {
        assert_eq!(unused(used), [""; 0], "{used}");
    }
    for other in ["apps::by_id(c)", "user.by_id()", "by_id()", "users::by_ids(c)", "// users::by_id(c)"] {
        assert_eq!(unused(other), ["users::by_id"], "{other}");
    }
    for alias in ["use tables::apps as rows;", "use tables::apps::{self as rows};"] {
        assert_eq!(unused(&format!("{alias}\nrows::by_id(c)")), ["users::by_id"], "{alias}");
    }
}

#[test]
fn a_mention_in_a_comment_or_a_re_export_does_not_count_as_a_use() {
    let file = |text: &str| vec![("a.rs".to_owned(), text.to_owned())];
    let found = |text: &str| unused(&file(text), |_| true);
    assert_eq!(
        found("pub const fn lost() {}\n// lost\n/// [`lost`]\npub use a::{\n    lost,\n};"),
        ["a.rs: lost"]
    );
    assert_eq!(found("pub(crate) struct Lost;"), ["a.rs: Lost"]);
    assert_eq!(found("pub async fn used() {}\nfn other() { used() }\npub use a::x;\nlet y = x;"), [""; 0]);
    assert_eq!(found("pub field: u8,\nfn private() {}"), [""; 0]);
}

/// The compiler does not report a setting that nothing reads, because the fields of the configuration are public.
#[test]
fn every_setting_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let settings = fs::read_to_string(root.join("config/mod.rs")).unwrap();
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.retain(|(path, _)| !path.ends_with("config/check.rs") && !path.ends_with("config/tests.rs"));
    let declared = code(&settings).filter_map(|line| line.strip_prefix("        ")?.split_once(": "));
    let names: Vec<_> = declared.filter(|(_, rest)| rest.contains(" = ")).map(|(name, _)| name).collect();
    assert!(names.len() > 50, "only {} settings were found", names.len());
    for name in names {
        let is_read = files.iter().any(|(_, text)| {
            code(text).any(|line| line.split('.').skip(1).any(|part| words(part).next() == Some(name)))
        });
        assert!(is_read, "no code reads the setting {name}");
    }
}
