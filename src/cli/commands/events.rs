//! `switchboard events`: test events, redelivery, and the check of a request offline.

use clap::Subcommand;

use crate::cli::{
    answer::Answer,
    client::Server,
    failure::{Failure, Result},
    verify::VerifyArgs,
};

/// Events: make one, send some again, check a signature.
#[derive(Clone, Debug, Subcommand)]
pub enum EventsCommand {
    /// Check the signature of a request offline
    ///
    /// Takes a file of `switchboard listen --save`, or the two headers and the raw body. A file is judged at the moment
    /// the request was received, anything else now, unless --at says when. When the signature does not hold, the usual
    /// mistakes are tried and named.
    ///
    /// Exit codes: 0 the signature holds; 4 no value matches; 5 the timestamp is too old; 6 the timestamp is missing or
    /// malformed; 7 the signature is missing or malformed.
    #[command(after_help = "Examples:
  switchboard events verify captured/20261116T110244035Z-0001-evt_38f40r646007j.json
  switchboard events verify --timestamp 1794826964 --signature v1=5f1c... --body body.json --secret-file signing-secret
  switchboard events verify --timestamp 1794826964 --signature v1=5f1c... --at 1794826964 < body.json")]
    Verify(Box<VerifyArgs>),
}

impl EventsCommand {
    /// Asks the server.
    ///
    /// # Errors
    /// What the server refused, or that it was not reached.
    pub async fn run(self, _server: &Server) -> Result<Answer> {
        match self {
            Self::Verify(_) => Err(Failure::Usage("this command asks no server".to_owned())),
        }
    }
}
