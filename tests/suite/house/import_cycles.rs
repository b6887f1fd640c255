//! The imports between modules form no cycles, because the modules of a cycle cannot be understood one after the other.
//!
//! The modules of a folder are its files and its subfolders. A subfolder counts as one module, with everything below
//! it. If `c/d.rs` imports `a/b.rs`, then the module `c` imports the module `a`. If `a/d.rs` imports `a/b.rs`, then the
//! module `d` of the folder `a` imports the module `b`. A re-export is not an import. A path through a re-export leads
//! to the file that declares the item.
//!
//! In the parent folder, a folder and its own `mod.rs` are one module. In the folder itself, `mod.rs` is a module of
//! its own, which may be in a cycle only if [`MODS_IN_CYCLES`] lists the folder.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::imports::{self, Imports};

/// Folders whose `mod.rs` is in a cycle with other modules of the folder, as pairs of source tree and folder. The
/// number of folders may only shrink.
const MODS_IN_CYCLES: [(&str, &str); 28] = [
    ("src", "api/recorder"),
    ("src", "app"),
    ("src", "assistant/mcp"),
    ("src", "assistant/mcp/tools"),
    ("src", "cli"),
    ("src", "cli/connect"),
    ("src", "cli/dev"),
    ("src", "cli/doctor"),
    ("src", "cli/seed"),
    ("src", "config"),
    ("src", "events"),
    ("src", "pages"),
    ("src", "pages/console"),
    ("src", "platform/limits"),
    ("src", "service"),
    ("src", "service/bot/send"),
    ("src", "service/employee/search"),
    ("src", "service/web_client/live"),
    ("src", "service/web_client/live/lists"),
    ("src", "store/engine/lite"),
    ("src", "store/engine/migrate"),
    ("src", "store/engine/pg"),
    ("src", "store/tables/messages"),
    ("src", "store/tables/secrets"),
    ("src", "store/tables/users"),
    ("tests/suite", "pages/hostile"),
    ("tests/suite", "pages/hostile/stored"),
    ("tests/suite", "store/plans/catalog"),
];

/// The imports between the modules of one folder. The outer key is the importing module, the inner key the imported
/// module. The values are the imports between files that cause this import, as text (`a/x imports b/y`).
type Modules = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Returns the imports between the modules of each folder. The name of a module is the path of its file or folder. The
/// name of a folder's own `mod.rs` is [`MOD`].
fn by_folder(imports: &Imports) -> BTreeMap<String, Modules> {
    let mut found: BTreeMap<String, Modules> = BTreeMap::new();
    for (from, others) in imports {
        for to in others {
            let (importing, imported): (Vec<_>, Vec<_>) =
                (from.split('/').collect(), to.split('/').collect());
            let shared = importing.iter().zip(&imported).take_while(|(one, other)| one == other).count();
            let module = |path: &[&str]| match path.len() > shared {
                true => path[..=shared].join("/"),
                false => MOD.to_owned(),
            };
            let modules = found.entry(importing[..shared].join("/")).or_default();
            modules.entry(module(&imported)).or_default();
            let edges = modules.entry(module(&importing)).or_default();
            edges.entry(module(&imported)).or_default().insert(format!("{from} imports {to}"));
        }
    }
    found
}

/// The name of a folder's own `mod.rs` among its modules.
const MOD: &str = "mod";

/// Returns the modules that `module` imports, directly or through other modules.
fn reached<'a>(modules: &'a Modules, module: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut left: Vec<&str> = modules[module].keys().map(String::as_str).collect();
    while let Some(next) = left.pop() {
        if found.insert(next) {
            left.extend(modules[next].keys().map(String::as_str));
        }
    }
    found
}

/// Returns the sets of modules that import each other, directly or through other modules.
fn cycles(modules: &Modules) -> BTreeSet<Vec<&str>> {
    let reached: BTreeMap<&str, _> =
        modules.keys().map(|module| (module.as_str(), reached(modules, module))).collect();
    let mut found = BTreeSet::new();
    for (module, others) in reached.iter().filter(|(module, others)| others.contains(*module)) {
        found.insert(others.iter().copied().filter(|other| reached[other].contains(module)).collect());
    }
    found
}

/// Returns `modules` without the folder's own `mod.rs`.
fn without_mod(modules: &Modules) -> Modules {
    let mut modules = modules.clone();
    modules.remove(MOD);
    modules.values_mut().for_each(|imported| drop(imported.remove(MOD)));
    modules
}

/// Returns the source trees: their names, and the imports between their files.
fn trees() -> Vec<(String, Imports)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec!["src".to_owned(), "codegen".to_owned(), "tests/suite".to_owned()];
    for entry in fs::read_dir(root.join("benches")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            folders.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
    let rust = folders.into_iter().map(|folder| {
        let imports = imports::of_rust(&imports::rust_files(&root.join(&folder)));
        (folder, imports)
    });
    let scripts = fs::read_dir(root.join(SCRIPTS)).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap())
    });
    let scripts = imports::of_scripts(&scripts.collect());
    rust.chain([(SCRIPTS.to_owned(), scripts)]).collect()
}

/// The folder of the web client's script.
const SCRIPTS: &str = "assets/client";

#[test]
fn no_modules_import_each_other() {
    let mut wrong = Vec::new();
    let mut files = 0;
    for (tree, imports) in trees() {
        files += imports.len();
        for modules in by_folder(&imports).values().map(without_mod) {
            for cycle in cycles(&modules) {
                let imports = cycle.iter().flat_map(|module| &modules[*module]);
                let imports = imports.filter(|(to, _)| cycle.contains(&to.as_str())).flat_map(|(_, of)| of);
                wrong.push(imports.map(|import| format!("{tree}: {import}")).collect::<Vec<_>>());
            }
        }
    }
    assert!(files > 1000, "only {files} files were found");
    let advice = "move what both modules need to a third module";
    assert!(wrong.is_empty(), "imports between modules form no cycle; {advice}: {wrong:#?}");
}

#[test]
fn folders_whose_mod_rs_is_in_a_cycle_are_listed() {
    let mut found = BTreeSet::new();
    for (tree, imports) in trees() {
        for (folder, modules) in by_folder(&imports) {
            if cycles(&modules).iter().any(|cycle| cycle.contains(&MOD)) {
                found.insert((tree.clone(), folder));
            }
        }
    }
    let listed =
        MODS_IN_CYCLES.iter().map(|(tree, folder)| ((*tree).to_owned(), (*folder).to_owned())).collect();
    let (new, stale) = (found.difference(&listed), listed.difference(&found));
    let (new, stale): (Vec<_>, Vec<_>) = (new.collect(), stale.collect());
    assert!(
        new.is_empty(),
        "`mod.rs` is in a cycle with other modules of its folder; remove the cycle: {new:#?}"
    );
    assert!(
        stale.is_empty(),
        "`mod.rs` of these folders is in no cycle; remove them from MODS_IN_CYCLES: {stale:#?}"
    );
}

/// Returns the cycles between the modules of Rust files, which are given as pairs of a path without `.rs` and a text.
fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let folders: Vec<Modules> = by_folder(&imports::of_rust(&files)).values().map(without_mod).collect();
    let cycles = folders.iter().flat_map(cycles);
    cycles.map(|cycle| cycle.into_iter().map(str::to_owned).collect()).collect()
}

#[test]
fn cycles_of_imports_in_every_form_are_found() {
    for (one, other) in [
        ("use super::b::B;", "use crate::a::a::A;"),
        ("use crate::{\n    a::x::{self, X},\n    a::b::{B, C},\n};", "use super::{a, a::A as D};"),
        ("fn f() -> crate::a::b::B {\n}", "use super::a::A;"),
    ] {
        let all = [("a", ""), ("a/a", one), ("a/b", other), ("a/x", "")];
        assert_eq!(found(&all), [["a/a", "a/b"]], "{one} {other}");
    }
    let long = [("a", "use crate::b::B;"), ("b", "use crate::c::C;"), ("c", "use super::a::A;")];
    assert_eq!(found(&long), [["a", "b", "c"]]);
    let kept = [
        ("a", "// use crate::b::B;\nuse std::a;\n\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n"),
        ("b", "use crate::a::A;\nuse super::b;\nlet text = \"crate::b\";"),
    ];
    assert!(found(&kept).is_empty(), "comments, texts, tests and other crates are not imports of a file");
}

#[test]
fn a_folder_counts_as_one_module() {
    let through_mod =
        [("a", "use crate::b::B;"), ("b", "mod c;\nfn f() { c::g() }"), ("b/c", "use crate::a::A;")];
    assert_eq!(found(&through_mod), [["a", "b"]], "a cycle through the `mod.rs` of another folder is found");
    let other_files =
        [("a", ""), ("a/x", "use crate::b::x::X;"), ("a/y", ""), ("b/x", ""), ("b/z", "use crate::a::y;")];
    assert_eq!(
        found(&other_files),
        [["a", "b"]],
        "a cycle of two folders is found even if their files form no cycle"
    );
    let own = [("b", "mod c;\nuse c::C;"), ("b/c", "use super::B;")];
    assert!(found(&own).is_empty(), "a cycle with the folder's own `mod.rs` is not reported");
}

#[test]
fn a_re_export_leads_to_the_file_that_declares_the_item() {
    let re_export = ("p", "mod a;\nmod b;\npub use a::A;\npub(crate) use b::B as C;");
    let kept = [re_export, ("p/a", "pub struct A;"), ("p/b", "use super::A;\npub struct B;")];
    assert!(found(&kept).is_empty(), "a `mod.rs` that re-exports two files imports neither of them");
    let cycle = [re_export, ("p/a", "use crate::p::C;"), ("p/b", "use super::A;\npub struct B;")];
    assert_eq!(found(&cycle), [["p/a", "p/b"]], "re-exports are followed");
    let all = [
        ("p", "mod a;\nmod b;\npub use a::*;"),
        ("p/a", "use super::b::B;\npub fn f() {}"),
        ("p/b", "use super::f;"),
    ];
    assert_eq!(found(&all), [["p/a", "p/b"]], "re-exports of all names are followed");
}

#[test]
fn imports_of_scripts_are_found() {
    let scripts = [
        ("a", "import {\n  b,\n  c,\n} from './b.js';\nimport './c.js';"),
        ("b", "export { c } from './c.js';\n// import { a } from './a.js';\nconst text = 'import';"),
        ("c", ""),
    ];
    let scripts = scripts.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    let found = imports::of_scripts(&scripts);
    assert_eq!(found["a"], ["b", "c"].map(str::to_owned).into());
    assert_eq!(found["b"], ["c"].map(str::to_owned).into());
}
