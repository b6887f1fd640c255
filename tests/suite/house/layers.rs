//! Calls go one way: `cli -> app -> rooms -> workspace -> store -> platform`; `domain` is used by all.

use std::{fs, path::Path};

/// A module of the crate's root and what it may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("platform", &["domain"]),
    ("store", &["domain", "platform"]),
    ("contract", &["domain"]),
    ("generated", &["domain", "contract"]),
    ("config", &["domain", "platform"]),
    ("workspace", &["domain", "platform", "store"]),
    ("room", &["domain", "platform", "store", "contract"]),
    ("bot", &["domain", "platform", "store", "contract", "generated", "room", "workspace"]),
    ("events", &["domain", "platform", "store", "workspace"]),
    ("admin", &["domain", "platform", "store", "contract", "generated", "room", "workspace"]),
    ("pages", &["domain", "platform", "store", "contract", "room", "workspace"]),
    ("assistant", &["domain", "platform", "store", "contract", "generated", "room", "workspace"]),
    (
        "app",
        &[
            "domain",
            "platform",
            "store",
            "contract",
            "generated",
            "config",
            "room",
            "workspace",
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
fn no_module_uses_one_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut checked = 0;
    for (module, allowed) in LAYERS {
        for file in files(&source, module) {
            let text = fs::read_to_string(&file).unwrap();
            // tests of a module may stand on more than the module itself
            let text = text.split("#[cfg(test)]").next().unwrap();
            checked += 1;
            for used in used_modules(text) {
                let known = LAYERS.iter().any(|(name, _)| *name == used);
                if known && used != *module && !allowed.contains(&used.as_str()) {
                    wrong.push(format!("{} uses {used}", file.display()));
                }
            }
        }
    }
    assert!(checked > 50, "only {checked} files were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    // wherever the repository lies
    let inside = |path: &Path| path.strip_prefix(source).unwrap().to_owned();
    found.retain(|path| !inside(path).components().any(|part| part.as_os_str() == "tests"));
    found
}

/// The first segments after `crate::`, in `use` lines and elsewhere.
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
    // `use crate::{ … }` over several lines: what stands at depth one
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

#[test]
fn uses_are_read_in_every_form() {
    let text =
        "use crate::domain::ids;\nuse crate::{\n    bot::{a, b},\n    store,\n};\nlet x = crate::app::y();";
    let mut found = used_modules(text);
    found.sort();
    assert_eq!(found, ["app", "bot", "domain", "store"]);
}
