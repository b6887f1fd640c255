//! Entry point of the binary.

use std::process::ExitCode;

/// Responses need many small allocations, for which glibc's allocator takes a third more CPU time
/// (`docs/performance.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    switchboard::cli::run(std::env::args_os())
}
