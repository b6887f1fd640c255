//! The database of the server under test. It has the company that `support/data.rs` creates. The benchmark `load` uses
//! the same company with more messages.

use switchboard::domain::conversation::ConversationKind;
use tempfile::TempDir;

use super::{
    CLIENTS,
    data::{self, Data},
    support::{crowd::Employee, in_process, process::Process, sessions},
};

const MESSAGES: usize = 1_000;
const EMPLOYEES: usize = 8;

pub struct BenchDatabase {
    folder: TempDir,
    data: Data,
    /// The people as whom hostile clients upload files.
    pub employees: Vec<Employee>,
}

impl BenchDatabase {
    pub fn make() -> Self {
        let folder = in_process::folder(None);
        let config = in_process::config(&in_process::sqlite(folder.path()), folder.path());
        let (data, tokens) = in_process::fill(config, async |world| {
            let data = data::fill(world, MESSAGES).await;
            // the first people are the members of the conversation `data.long`
            let tokens = sessions::sign_in(world, &data.people[..EMPLOYEES]).await;
            (data, tokens)
        });
        let employee = |token: &String| Employee {
            cookie: format!("cookie: session={token}"),
            conversation: data.long.encode(ConversationKind::Group),
        };
        let employees = tokens.iter().map(employee).collect();
        Self { folder, data, employees }
    }

    /// Starts `switchboard serve` on the database.
    pub fn serve(&self) -> Process {
        let database = in_process::sqlite(self.folder.path());
        Process::serve(&database, &self.folder.path().join("files"), &[])
    }

    /// Returns the HTTP request of send number `n`. Consecutive sends are from different bots, so that no bot reaches
    /// its rate limit.
    pub fn send(&self, n: usize) -> Vec<u8> {
        let bot = n % CLIENTS;
        let conversations = &self.data.destinations[bot];
        let conversation = conversations[(n / CLIENTS) % conversations.len()].encode(ConversationKind::Group);
        let body =
            format!(r#"{{"to":{{"type":"conversation","id":"{conversation}"}},"text":"{}"}}"#, data::TEXT);
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
