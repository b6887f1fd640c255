//! Why a server could not start.

use std::{net::SocketAddr, path::PathBuf};

use thiserror::Error;

use crate::{
    config,
    platform::{blobs::BlobError, metrics::MetricsError, outbound::OutboundError},
    store::{
        self, MigrateError, NoNumber, StoreError,
        secrets::SecretsError,
        transfer::{Marked, TransferError},
    },
};

/// Why a server could not start.
#[derive(Debug, Error)]
pub enum StartError {
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    #[error("the database: {0}")]
    Migrate(#[from] MigrateError),
    #[error("the database: {0}")]
    Store(#[from] StoreError),
    #[error("the database: {0}")]
    Marked(#[from] Marked),
    #[error("the database: {0}")]
    Transfer(#[from] TransferError),
    #[error("the database's address: {0}")]
    Address(#[from] store::BadDatabaseUrl),
    #[error("the database lacks migrations: run `switchboard migrate`, or start without --no-migrate")]
    Pending,
    #[error("the database: {0}")]
    Node(#[from] NoNumber),
    #[error("{0}")]
    Secrets(#[from] SecretsError),
    #[error(transparent)]
    WellKnownClients(#[from] config::WellKnownError),
    #[error(transparent)]
    Files(#[from] BlobError),
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    #[error("extra_ca_file: {}: {why}", .path.display())]
    ExtraCa { path: PathBuf, why: std::io::Error },
    #[error(transparent)]
    Outbound(#[from] OutboundError),
}

impl StartError {
    /// Returns whether the configuration has to be corrected before another start can succeed.
    #[must_use]
    pub const fn is_configuration(&self) -> bool {
        matches!(
            self,
            Self::Address(_)
                | Self::Secrets(SecretsError::MissingKeys(_))
                | Self::WellKnownClients(_)
                | Self::ExtraCa { .. }
                | Self::Outbound(OutboundError::ExtraCa(_))
        )
    }
}

impl From<store::Error> for StartError {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Store(error) => error.into(),
            // no operation that runs at start rejects anything, so a rejection is a bug
            store::Error::Refused(refusal) => StoreError::bug(refusal.to_string()).into(),
        }
    }
}
