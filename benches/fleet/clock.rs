//! Shifts the wall clock of a node. `chaos` injects such shifts.

use std::{
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    process::Command,
};

/// Compiles `shifted_clock.rs` into `folder`, with the toolchain that runs this benchmark. The result is a library that
/// adds an offset to the wall clock of a node. Returns the library's path.
pub fn library(folder: &Path) -> PathBuf {
    let rustc = std::env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name("rustc"));
    let rustc = rustc.filter(|path| path.exists()).unwrap_or_else(|| "rustc".into());
    let library = folder.join("libshifted_clock.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/fleet/shifted_clock.rs");
    let options = ["--edition=2024", "--crate-type=cdylib", "-Copt-level=2", "-Cpanic=abort"];
    let done = Command::new(rustc).args(options).arg("-o").arg(&library).arg(source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    library
}

/// A file with the offset of one node's wall clock. The library, which is loaded into the node, reads the file.
#[derive(Clone, Debug)]
pub struct Shift(pub PathBuf);

impl Shift {
    pub fn new(path: PathBuf) -> Self {
        std::fs::write(&path, 0_i64.to_ne_bytes()).unwrap();
        Self(path)
    }

    /// Sets the offset, in seconds.
    pub fn set(&self, seconds: i64) {
        let file = std::fs::File::options().write(true).open(&self.0).unwrap();
        file.write_all_at(&seconds.to_ne_bytes(), 0).unwrap();
    }
}
