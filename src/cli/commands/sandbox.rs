//! `switchboard clock` and `switchboard limits`: the test clock and the rate limits. Neither command works in
//! production (W-44 to W-46).

use std::{num::NonZeroU64, time::Duration};

use clap::Subcommand;
use switchboard_clients::admin::types;

use crate::cli::{
    answer::Answer,
    client::{Server, accept},
    failure::{Failure, Result},
    values::{format_duration, span},
};

/// The server's clock (sandbox only).
#[derive(Clone, Debug, Subcommand)]
pub enum ClockCommand {
    /// Show the server's time
    #[command(after_help = "Examples:\n  switchboard clock show")]
    Show,
    /// Move the server's clock ahead; work that becomes due completes before the command ends
    #[command(after_help = "Examples:\n  switchboard clock advance 24h\n  switchboard clock advance 1h30m")]
    Advance {
        /// Duration: 30s, 90m, 24h, 7d, or 1h30m
        #[arg(value_parser = span)]
        span: Duration,
    },
    /// Reset the server's clock to real time
    #[command(after_help = "Examples:\n  switchboard clock reset")]
    Reset,
}

/// The rate limits (sandbox only).
#[derive(Clone, Debug, Subcommand)]
pub enum LimitsCommand {
    /// Reset all rate limits
    #[command(after_help = "Examples:\n  switchboard limits reset")]
    Reset,
}

impl ClockCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the duration is less than a second. An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        let update = match self {
            Self::Show => return Ok(answer(&accept(admin.get_clock()).await?)),
            Self::Advance { span } => {
                let seconds = NonZeroU64::new(span.as_secs());
                let seconds =
                    seconds.ok_or_else(|| Failure::Usage("the duration must be at least 1s".to_owned()))?;
                types::ClockUpdate { advance_seconds: Some(seconds), reset: None }
            }
            Self::Reset => types::ClockUpdate { advance_seconds: None, reset: Some(types::True(true)) },
        };
        Ok(answer(&accept(admin.update_clock(&update)).await?))
    }
}

fn answer(clock: &types::ClockResult) -> Answer {
    let ahead = match clock.offset_seconds {
        0 => "real time".to_owned(),
        offset => format!("{} ahead of real time", format_duration(offset)),
    };
    let text = format!("It is {}, {ahead}.", clock.now);
    Answer::new(clock, text)
}

impl LimitsCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let Self::Reset = self;
        accept(server.admin().reset_rate_limits()).await?;
        Ok(Answer::done("All rate limits were reset."))
    }
}
