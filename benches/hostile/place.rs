//! The database: the company of `load` with a few messages.

use switchboard::domain::conversation::ConversationKind;
use tempfile::TempDir;

use super::{
    CLIENTS,
    data::{self, Data},
    support::{in_process, process::Process},
};

const MESSAGES: usize = 1_000;

pub struct Place {
    folder: TempDir,
    data: Data,
}

impl Place {
    /// Creates the database.
    pub fn make() -> Self {
        let folder = in_process::folder(None);
        let config = in_process::config(&in_process::sqlite(folder.path()), folder.path());
        let data = in_process::fill(config, async |world| data::fill(world, MESSAGES).await);
        Self { folder, data }
    }

    /// Starts `switchboard serve` on the database.
    pub fn serve(&self) -> Process {
        let database = in_process::sqlite(self.folder.path());
        Process::serve(&database, &self.folder.path().join("files"), &[])
    }

    /// Returns send number `n`, each by the next bot, so that none meets its rate limit.
    pub fn send(&self, n: usize) -> Vec<u8> {
        let bot = n % CLIENTS;
        let places = &self.data.destinations[bot];
        let place = places[(n / CLIENTS) % places.len()].encode(ConversationKind::Group);
        let body = format!(r#"{{"to":{{"type":"conversation","id":"{place}"}},"text":"{}"}}"#, data::TEXT);
        format!(
            "POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nidempotency-key: hostile-{}-{n}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.data.tokens[bot],
            std::process::id(),
            body.len()
        )
        .into_bytes()
    }
}
