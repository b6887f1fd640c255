//! Every file of the suite is declared by a `mod` line. The compiler would silently ignore a file without such a line.
//!
//! In the whole repository, a module with submodules is a folder with a `mod.rs`, and not a file beside that folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Files that no `mod` line declares, with the reason.
const EXCEPTIONS: [&str; 2] = [
    "main.rs",                       // the root of the crate
    "operations/durability/disk.rs", // a library that `power_cut.rs` compiles and preloads into the server
];

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns the file that must declare the module of `file`, and the name of the module.
fn parent(suite: &Path, file: &Path) -> (PathBuf, String) {
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let folder = file.parent().unwrap();
    let (outer, module) =
        if name(file) == "mod" { (folder.parent().unwrap(), name(folder)) } else { (folder, name(file)) };
    let parent = if outer == suite { suite.join("main.rs") } else { outer.join("mod.rs") };
    (parent, module)
}

#[test]
fn every_file_of_the_suite_is_compiled() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let mut files = Vec::new();
    collect(&suite, &mut files);
    files.retain(|file| !EXCEPTIONS.iter().any(|exception| *file == suite.join(exception)));
    assert!(files.len() > 200, "only {} files were found", files.len());
    for file in files {
        let (parent, module) = parent(&suite, &file);
        let lines = [format!("mod {module};"), format!("pub mod {module};")];
        let text = fs::read_to_string(parent).unwrap_or_default();
        let is_declared = text.lines().any(|line| lines.iter().any(|declared| line == declared));
        assert!(is_declared, "{} is not compiled: no `mod {module};`", file.display());
    }
}

#[test]
fn no_module_is_a_file_beside_its_folder() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in [
        "src",
        "clients",
        "codegen",
        "tests",
        "benches",
        "fuzz/fuzz_targets",
        "fuzz/src",
        "examples/verify/rust/src",
        "examples/verify/rust/tests",
    ] {
        collect(&root.join(folder), &mut files);
    }
    assert!(files.len() > 700, "only {} files were found", files.len());
    let misplaced: Vec<_> = files.iter().filter(|file| file.with_extension("").is_dir()).collect();
    assert!(misplaced.is_empty(), "move each of these into its folder, as mod.rs: {misplaced:?}");
}
