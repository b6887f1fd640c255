//! The imports between files form no cycles, because the files of a cycle cannot be understood one after the other. A
//! folder with a `mod.rs` is one module, whose parts belong together. So imports between the `mod.rs` and the files
//! below its folder do not count.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::LazyLock,
};

use regex::Regex;

use super::rust_text;

/// The files that each file imports. `src/a/b.rs` and `src/a/b/mod.rs` both have the name `a/b`.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Adds the files below a folder with their texts, except tests.
fn collect(source: &Path, folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("tests") {
                collect(source, &path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            let name = path.strip_prefix(source).unwrap().with_extension("");
            let name = name.to_str().unwrap();
            found.insert(name.trim_end_matches("/mod").to_owned(), fs::read_to_string(&path).unwrap());
        }
    }
}

/// Returns the paths of a `use` tree: for `a::{b, c as d}` these are `a::b` and `a::c`.
fn expanded(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let segments = |path: &str| -> Vec<String> {
        let path = path.split(" as ").next().unwrap_or_default();
        path.split("::")
            .map(|segment| segment.trim().to_owned())
            .filter(|segment| !segment.is_empty())
            .collect()
    };
    let Some((before, rest)) = tree.split_once('{') else { return vec![segments(tree)] };
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
    parts.map(|part| [segments(before), part].concat()).collect()
}

/// Returns the paths in a file that lead to other modules, except the paths in its unit tests.
fn paths(text: &str) -> Vec<Vec<String>> {
    static USE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\buse\s+([^;]+);").expect("valid"));
    static PATH: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b(?:crate|super|self)(?:::\w+)+").expect("valid"));
    let code = rust_text::without_tests(&rust_text::code(text));
    let mut found: Vec<_> = USE.captures_iter(&code).flat_map(|tree| expanded(&tree[1])).collect();
    let rest = USE.replace_all(&code, "");
    found.extend(PATH.find_iter(&rest).flat_map(|path| expanded(path.as_str())));
    found
}

/// Returns the name of the file in `files` to which a path in `file` leads; `None` if the path leads out of the crate.
fn resolved(files: &BTreeMap<String, String>, file: &str, path: &[String]) -> Option<String> {
    let mut base: Vec<&str> = file.split('/').collect();
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
            files.get(&format!("{file}/{first}"))?;
        }
    }
    base.extend(path.filter(|segment| *segment != "self"));
    (1..=base.len()).rev().map(|length| base[..length].join("/")).find(|name| files.contains_key(name))
}

/// Returns whether one of two files is the `mod.rs` of a folder, and the other file is in that folder.
fn are_of_one_module(one: &str, other: &str) -> bool {
    let is_in =
        |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
    is_in(one, other) || is_in(other, one)
}

fn imports(files: &BTreeMap<String, String>) -> Imports {
    let of = |(file, text): (&String, &String)| {
        let found = paths(text).into_iter().filter_map(|path| resolved(files, file, &path));
        let others = found.filter(|other| other != file && !are_of_one_module(file, other));
        (file.clone(), others.collect())
    };
    files.iter().map(of).collect()
}

/// Returns the files that `file` imports, directly or through other files.
fn reached<'a>(imports: &'a Imports, file: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut left: Vec<&str> = imports[file].iter().map(String::as_str).collect();
    while let Some(next) = left.pop() {
        if found.insert(next) {
            left.extend(imports[next].iter().map(String::as_str));
        }
    }
    found
}

/// Returns the sets of files that import each other, directly or through other files.
fn cycles(imports: &Imports) -> BTreeSet<Vec<&str>> {
    let reached: BTreeMap<&str, _> =
        imports.keys().map(|file| (file.as_str(), reached(imports, file))).collect();
    let mut found = BTreeSet::new();
    for (file, others) in reached.iter().filter(|(file, others)| others.contains(*file)) {
        found.insert(others.iter().copied().filter(|other| reached[other].contains(file)).collect());
    }
    found
}

#[test]
fn no_files_import_each_other() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = BTreeMap::new();
    collect(&source, &source, &mut files);
    assert!(files.len() > 500, "only {} files were found", files.len());
    let imports = imports(&files);
    let found = cycles(&imports);
    let within = |cycle: &Vec<&str>| -> Vec<String> {
        let of = |file: &&str| -> Vec<String> {
            let others = imports[*file].iter().filter(|other| cycle.contains(&other.as_str()));
            others.map(|other| format!("{file} imports {other}")).collect()
        };
        cycle.iter().flat_map(of).collect()
    };
    let found: Vec<_> = found.iter().map(within).collect();
    assert!(found.is_empty(), "imports form no cycle; move what both files need to a third: {found:#?}");
}

#[test]
fn cycles_are_found_in_every_form() {
    let files = |files: &[(&str, &str)]| -> BTreeMap<String, String> {
        files.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect()
    };
    let found = |all: &[(&str, &str)]| -> Vec<Vec<String>> {
        let imports = imports(&files(all));
        let cycles = cycles(&imports);
        cycles.into_iter().map(|cycle| cycle.into_iter().map(str::to_owned).collect()).collect()
    };
    for (one, other) in [
        ("use super::b::B;", "use crate::a::a::A;"),
        ("use crate::{\n    a::x::{self, X},\n    a::b::{B, C},\n};", "use super::{a, a::A as D};"),
        ("fn f() -> crate::a::b::B {\n}", "use super::a::A;"),
    ] {
        let all = [("a", ""), ("a/a", one), ("a/b", other), ("a/x", "")];
        assert_eq!(found(&all), [["a/a", "a/b"]], "{one} {other}");
    }
    let folder = [("a", "use crate::b::B;"), ("b", "pub mod c;\nuse c::C;"), ("b/c", "use crate::a::A;")];
    assert!(found(&folder).is_empty(), "a folder and its own files are one module");
    let long = [("a", "use crate::b::B;"), ("b", "use crate::c::C;"), ("c", "use super::a::A;")];
    assert_eq!(found(&long), [["a", "b", "c"]]);
    let kept = [
        ("a", "// use crate::b::B;\nuse std::a;\n\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n"),
        ("b", "use crate::a::A;\nuse super::b;\nlet text = \"crate::b\";"),
    ];
    assert!(found(&kept).is_empty(), "comments, texts, tests and other crates are not imports of a file");
}
