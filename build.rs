//! Turns every file of `openapi/` into the checked-in code of `generated/`.
//!
//! `cargo build` rewrites a stale file; with `CI` set a stale file stops the build instead, so that what is
//! reviewed is what runs.

#![allow(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::match_bool,
    clippy::single_match_else,
    clippy::cast_precision_loss,
    reason = "a build script reads its environment and stops with a message; the rest is the server's rule"
)]

#[path = "codegen/mod.rs"]
mod codegen;

use std::{env, fs, path::Path, process::Command};

fn main() {
    pack_relocations();
    println!("cargo::rerun-if-changed=openapi");
    println!("cargo::rerun-if-changed=codegen");
    println!("cargo::rerun-if-changed=generated");
    // sqlx embeds the files, and would not see a new one
    println!("cargo::rerun-if-changed=migrations/sqlite");
    println!("cargo::rerun-if-changed=migrations/postgres");
    println!("cargo::rerun-if-env-changed=CI");
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets the manifest directory");
    let root = Path::new(&root);
    let check_only = env::var_os("CI").is_some();
    for (file, text) in codegen::run(&root.join("openapi")) {
        let path = root.join("generated").join(&file);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        assert!(!check_only, "generated/{file} is stale: run `cargo build` and commit the result");
        fs::create_dir_all(root.join("generated")).expect("generated/ can be made");
        fs::write(&path, text).unwrap_or_else(|e| panic!("cannot write generated/{file}: {e}"));
        println!("cargo::warning=generated/{file} was rewritten from openapi/");
    }
}

/// Writes the addresses that the loader fills in when the program starts in a packed form: 2 MB less to read and to keep
/// in memory. Glibc knows it from 2.36 on, so it is for programs that run where they are built.
fn pack_relocations() {
    let says = |name| env::var(name).unwrap_or_default();
    let is_gnu = says("CARGO_CFG_TARGET_OS") == "linux" && says("CARGO_CFG_TARGET_ENV") == "gnu";
    if says("TARGET") != says("HOST") || !is_gnu {
        return;
    }
    let version = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    let mut parts = version.trim().trim_start_matches("glibc ").split('.').map(str::parse::<u32>);
    if let (Some(Ok(2)), Some(Ok(36..))) = (parts.next(), parts.next()) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}
