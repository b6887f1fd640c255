//! Starts the log of commands that write one, such as `serve` and `dev`.

use std::io::{IsTerminal as _, stderr};

use tracing::Level;

use super::failure::{Failure, Result};
use crate::{
    config,
    platform::logs::{self, LogFormat},
};

/// Starts logging to standard error. The log has colours if standard error is a terminal and `NO_COLOR` is not set.
///
/// # Errors
/// [`Failure::Local`] if logging was started before.
pub fn start_logs(format: LogFormat, level: Level) -> Result<()> {
    let colours = stderr().is_terminal() && !config::wants_no_colour();
    logs::init(format, level, colours).map_err(|error| Failure::Local(error.to_string()))
}
