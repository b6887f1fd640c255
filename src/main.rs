//! The command line's door.

use std::process::ExitCode;

/// Answers are many small pieces: glibc's allocator takes a third more of the processor for them (`docs/performance.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    switchboard::cli::run(std::env::args_os())
}
