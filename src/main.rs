//! The command line's door.

use std::process::ExitCode;

/// Requests allocate a lot and briefly; the system's allocator spends a third of a request's time on that
/// (`docs/performance.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    switchboard::cli::run(std::env::args_os())
}
