//! Starts the log of a command that has one.

use std::io::{IsTerminal as _, stderr};

use tracing::Level;

use super::failure::{Failure, Result};
use crate::{
    config,
    platform::logs::{self, LogFormat},
};

/// Logs to standard error from now on; with colours only for somebody who looks at it and wants them.
///
/// # Errors
/// [`Failure::Local`] when this process logs already.
pub fn start_logs(format: LogFormat, level: Level) -> Result<()> {
    let colours = stderr().is_terminal() && !config::wants_no_colour();
    logs::init(format, level, colours).map_err(|error| Failure::Local(error.to_string()))
}
