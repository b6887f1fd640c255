//! Reads which files of a source tree import which other files of the tree. In Rust, imports are `use` lines and paths.
//! In scripts, imports are `import` and `export` lines.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::Regex;

use super::rust_text;

/// The files that each file imports. `a/b.rs` and `a/b/mod.rs` both have the name `a/b`.
pub type Imports = BTreeMap<String, BTreeSet<String>>;

/// Maximum number of re-exports that are followed one after another from a path.
const RE_EXPORTS: usize = 8;

/// Returns the paths of the Rust files below a folder, except the folders `tests` and the files `tests.rs`.
pub fn rust_paths(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_rust = || path.extension().is_some_and(|extension| extension == "rs");
            if path.is_dir() {
                folders.extend((!path.ends_with("tests")).then_some(path));
            } else if is_rust() && !path.ends_with("tests.rs") {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the texts of the files of [`rust_paths`], by the names that [`Imports`] describes.
pub fn rust_files(folder: &Path) -> BTreeMap<String, String> {
    let files = rust_paths(folder).into_iter().map(|path| {
        let name = path.strip_prefix(folder).unwrap().with_extension("");
        let name = name.to_str().unwrap().trim_end_matches("/mod").to_owned();
        (name, fs::read_to_string(&path).unwrap())
    });
    files.collect()
}

/// Captures `pub` and the tree of a `use` line.
static USE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);").expect("valid"));

/// Returns the paths of the `use` lines of Rust code. The code must have no comments and no literals.
pub fn used_paths(code: &str) -> Vec<Vec<String>> {
    USE.captures_iter(code).flat_map(|line| expanded(&line[2])).map(|(path, _)| path).collect()
}

/// A path that a `use` line imports.
#[derive(Clone)]
struct Use {
    path: Vec<String>,
    /// The name that the path has in the file; `*` for all names of a module.
    name: String,
    /// Whether other files may use the name.
    is_public: bool,
}

/// A Rust file without comments, literals and unit tests.
struct File {
    uses: Vec<Use>,
    /// The code without the `use` lines.
    code: String,
    /// The items that the file declares.
    items: HashSet<String>,
    /// The identifiers in `code`, except the names in `mod` lines.
    words: HashSet<String>,
}

impl File {
    fn of(text: &str) -> Self {
        static ITEM: LazyLock<Regex> = LazyLock::new(|| {
            let keywords = "const fn|async fn|fn|struct|enum|trait|type|const|static|mod|macro_rules!";
            Regex::new(&format!(r"\b(?:{keywords})\s+(\w+)")).expect("valid")
        });
        static MODULE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bmod\s+\w+\s*;").expect("valid"));
        let text = rust_text::without_tests(&rust_text::code(text));
        let of_line = |line: regex::Captures<'_>| -> Vec<Use> {
            let is_public = line.get(1).is_some();
            let paths = expanded(&line[2]).into_iter();
            paths.map(|(path, name)| Use { path, name, is_public }).collect()
        };
        let uses = USE.captures_iter(&text).flat_map(of_line).collect();
        let code = USE.replace_all(&text, "").into_owned();
        let items = ITEM.captures_iter(&code).map(|item| item[1].to_owned()).collect();
        let words = rust_text::names(&MODULE.replace_all(&code, "")).map(str::to_owned).collect();
        Self { uses, code, items, words }
    }

    /// Returns the paths that the file uses: those of `use` lines, and those in its code. A re-export of a submodule's
    /// item is not included, unless the file itself uses the item.
    fn paths(&self) -> Vec<Vec<String>> {
        static PATH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[a-z_]\w*(?:::\w+)+").expect("valid"));
        let is_outer = |path: &[String]| ["crate", "super"].contains(&path[0].as_str());
        let is_used =
            |used: &&Use| !used.is_public || is_outer(&used.path) || self.words.contains(&used.name);
        let of_lines = self.uses.iter().filter(is_used).map(|used| used.path.clone());
        let in_code = PATH.find_iter(&self.code).map(|path| segments(path.as_str()));
        let is_known = |path: &Vec<String>| self.uses.iter().any(|used| used.name == path[0]);
        of_lines.chain(in_code.filter(|path| !is_known(path))).collect()
    }
}

fn segments(path: &str) -> Vec<String> {
    let segments = path.split("::").map(str::trim).filter(|segment| !segment.is_empty());
    segments.map(str::to_owned).collect()
}

/// Returns the paths of a `use` tree, each with its name in the file: for `a::{b, c as d}` these are `a::b` with the
/// name `b`, and `a::c` with the name `d`.
fn expanded(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    let Some((before, rest)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path = segments(path);
        let name =
            if name.is_empty() { path.last().cloned().unwrap_or_default() } else { name.trim().to_owned() };
        return vec![(path, name)];
    };
    let before = segments(before);
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let mut depth = 0;
    let parts = inner.split(|c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.trim().is_empty()).flat_map(expanded);
    let parts = parts.map(|(path, name)| {
        if path == ["self"] {
            let own = before.last().cloned().unwrap_or_default();
            return (before.clone(), if name == "self" { own } else { name });
        }
        ([before.clone(), path].concat(), name)
    });
    parts.collect()
}

/// The Rust files of a tree by their names.
struct Tree(HashMap<String, File>);

impl Tree {
    /// Returns the file to which a path in `file` leads. Follows up to `re_exports` re-exports. Returns `None` if the
    /// path leads out of the tree.
    fn resolved(&self, file: &str, path: &[String], re_exports: usize) -> Option<String> {
        let mut base: Vec<&str> = if ROOTS.contains(&file) { Vec::new() } else { file.split('/').collect() };
        let mut path = path.iter().map(String::as_str).peekable();
        match path.peek().copied()? {
            "crate" => {
                base.clear();
                path.next();
            }
            "self" => {
                path.next();
            }
            "super" => {
                while path.next_if_eq(&"super").is_some() {
                    base.pop();
                }
            }
            first => {
                base.push(first);
                self.0.get(&base.join("/"))?;
                base.pop();
            }
        }
        base.extend(path.filter(|segment| *segment != "self"));
        let is_file = |length: &usize| self.0.contains_key(&base[..*length].join("/"));
        let length = (1..=base.len()).rev().find(is_file)?;
        let (name, rest) = (base[..length].join("/"), &base[length..]);
        let (Some(&first), Some(left)) = (rest.first(), re_exports.checked_sub(1)) else { return Some(name) };
        let found = &self.0[&name];
        if found.items.contains(first) {
            return Some(name);
        }
        if let Some(used) = found.uses.iter().find(|used| used.name == first) {
            let rest = rest[1..].iter().map(|&segment| segment.to_owned());
            let path: Vec<String> = used.path.iter().cloned().chain(rest).collect();
            return self.resolved(&name, &path, left);
        }
        let all = found.uses.iter().filter(|used| used.name == "*");
        let mut all = all.filter_map(|used| self.resolved(&name, &used.path[..used.path.len() - 1], left));
        all.find(|other| self.0[other].items.contains(first)).or(Some(name))
    }
}

/// The root files of crates. Their modules are at the top of the tree, not in a folder `lib` or `main`.
const ROOTS: [&str; 2] = ["lib", "main"];

/// Returns the imports between Rust files. Imports of a crate's root by other files, and imports in a crate's root, are
/// not included.
pub fn of_rust(files: &BTreeMap<String, String>) -> Imports {
    let tree = Tree(files.iter().map(|(name, text)| (name.clone(), File::of(text))).collect());
    let of = |name: &String| {
        let paths = tree.0[name].paths().into_iter();
        let found = paths.filter_map(|path| tree.resolved(name, &path, RE_EXPORTS));
        (name.clone(), found.filter(|other| other != name && !ROOTS.contains(&other.as_str())).collect())
    };
    files.keys().filter(|name| !ROOTS.contains(&name.as_str())).map(of).collect()
}

/// Returns the imports between scripts. The name of a script has no extension.
pub fn of_scripts(files: &BTreeMap<String, String>) -> Imports {
    static IMPORT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)^\s*(?:import|export)\b[^;'"]*['"]\./(\w+)\.js['"]"#).expect("valid")
    });
    let of = |text: &String| IMPORT.captures_iter(text).map(|line| line[1].to_owned()).collect();
    files.iter().map(|(name, text)| (name.clone(), of(text))).collect()
}
