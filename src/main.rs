//! Entry point of the binary.

use std::process::ExitCode;

/// mimalloc instead of glibc's allocator, in which the many small allocations of responses took a sixth to a third of
/// the CPU time (`docs/performance.md`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    switchboard::cli::run(std::env::args_os())
}
