//! The command line's door.

use std::process::ExitCode;

/// Requests allocate much and briefly: the system's allocator took a sixth of the server's time and more
/// (`docs/performance.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    switchboard::cli::run(std::env::args_os())
}
