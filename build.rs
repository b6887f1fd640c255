//! Checks that `generated/` was generated from the current `openapi/`, embeds the migrations, lists the modules with
//! SQL statements, and sets linker options.
//!
//! `generated/fingerprint` is a hash of the generator's source, input and output. If one of these files has changed,
//! the build first runs the generator. If `CI` is set, the build fails instead, so that the reviewed code is the code
//! that runs. The generator (`codegen/`) is a separate package, so an ordinary build compiles none of the generator's
//! dependencies.

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    reason = "a build script may read its environment and panic; these rules are for the server"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    pack_relocations();
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the manifest directory"));
    embed_migrations(&root);
    list_statements(&root);
    check_generated(&root);
}

/// Runs the generator if the fingerprint does not match. If `CI` is set, fails instead.
fn check_generated(root: &Path) {
    for input in ["openapi", "codegen", "generated"] {
        println!("cargo::rerun-if-changed={input}");
    }
    println!("cargo::rerun-if-env-changed=CI");
    let path = root.join("generated/fingerprint");
    if fs::read_to_string(&path).is_ok_and(|known| known.trim() == fingerprint(root)) {
        return;
    }
    let is_ci = env::var_os("CI").is_some();
    assert!(!is_ci, "generated/ is stale: run `cargo build` where CI is not set, and commit the result");
    // the generator gets its own target folder, because this build has locked the target folder
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let cargo = env::var_os("CARGO").expect("cargo sets its own path");
    let mut generator = Command::new(cargo);
    generator.args(["run", "--quiet", "--package", "switchboard-codegen", "--target-dir"]);
    generator.arg(target.join("codegen")).current_dir(root);
    let done = generator.status().unwrap_or_else(|e| panic!("cannot run the generator: {e}"));
    assert!(done.success(), "the generator failed: {done}");
    fs::write(&path, fingerprint(root) + "\n")
        .unwrap_or_else(|e| panic!("cannot write {}: {e}", path.display()));
    println!("cargo::warning=generated/ was rewritten from openapi/");
}

/// Hashes the names and contents of the generator's source, input and output with 64-bit FNV-1a. The hash detects
/// changes, but not forgeries.
fn fingerprint(root: &Path) -> String {
    let mut files = Vec::new();
    for folder in ["openapi", "codegen", "generated"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for path in files.iter().filter(|path| !path.ends_with("generated/fingerprint")) {
        let name = path.strip_prefix(root).expect("every file is below the root").to_string_lossy();
        let contents = fs::read(path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()));
        for byte in name.bytes().chain([0]).chain(contents).chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// Adds the files below a folder. If the folder does not exist, adds none.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a folder of the repository is readable").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Writes `migrations.rs`. It has the names and contents of the migrations of each engine, in the order of their names.
fn embed_migrations(root: &Path) {
    let mut code = String::new();
    for (engine, name) in [("sqlite", "SQLITE"), ("postgres", "POSTGRES")] {
        let folder = root.join("migrations").join(engine);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        collect(&folder, &mut files);
        files.sort();
        writeln!(code, "pub(super) const {name}: &[(&str, &str)] = &[").expect("a String takes all text");
        for path in files {
            let file = path.file_name().expect("every path is that of a file").to_string_lossy();
            let path = path.to_str().expect("the repository's path is UTF-8");
            writeln!(code, "    ({file:?}, include_str!({path:?})),").expect("a String takes all text");
        }
        code.push_str("];\n");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets the output folder"));
    fs::write(out.join("migrations.rs"), code).expect("the output folder is writable");
}

/// Writes `statement_families.rs`. It has the name and the list `ALL` of each module below `src/store` that declares
/// statements. The statements of one module are a family.
fn list_statements(root: &Path) {
    let folder = root.join("src/store");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, &mut files);
    let mut families = Vec::new();
    for path in files {
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text =
            fs::read_to_string(&path).unwrap_or_else(|e| panic!("cannot read {}: {e}", path.display()));
        if !text.lines().any(|line| line.trim_start().starts_with("statements!")) {
            continue;
        }
        let file = path.strip_prefix(&folder).expect("every file is below the folder").with_extension("");
        let parts: Vec<_> =
            file.iter().map(|part| part.to_string_lossy()).filter(|part| part != "mod").collect();
        // `tables` and `engine` are not part of the name of a family
        let name = parts[usize::from(matches!(&*parts[0], "tables" | "engine"))..].join("::");
        families.push((name, parts.join("::")));
    }
    families.sort();
    let mut code = String::from("&[\n");
    for (name, module) in families {
        writeln!(code, "    ({name:?}, {module}::ALL),").expect("a String takes all text");
    }
    code.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets the output folder"));
    fs::write(out.join("statement_families.rs"), code).expect("the output folder is writable");
}

/// Stores the relative relocations of the program in packed form. This saves space on disk and in memory. A program
/// with packed relocations requires glibc 2.36 or later. So relocations are packed only if the program is built for the
/// build machine's own target, and the build machine has glibc 2.36 or later.
fn pack_relocations() {
    let variable = |name| env::var(name).unwrap_or_default();
    let is_gnu = variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ENV") == "gnu";
    if variable("TARGET") != variable("HOST") || !is_gnu {
        return;
    }
    let version = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let mut parts = version.trim().trim_start_matches("glibc ").split('.').map(str::parse::<u32>);
    if let (Some(Ok(2)), Some(Ok(36..))) = (parts.next(), parts.next()) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
