//! The command line's door.

use std::process::ExitCode;

fn main() -> ExitCode {
    switchboard::cli::run(std::env::args_os())
}
