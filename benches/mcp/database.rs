//! The benchmark's database. It is filled before a server is started on it. It has the same company as the database of
//! the benchmark `load`, with 10,000 messages. Each employee has a connected assistant, with the rows that an exchange
//! of an authorization code would insert.

use switchboard::domain::conversation::ConversationKind;
use tempfile::TempDir;

use super::{
    CLIENTS, connections,
    data::{self, Data},
    options::Options,
    support::{in_process, process::Process},
};

/// Factor of every rate limit, so high that no request is rejected. Requests are still counted.
const LIMITS: u32 = 100_000;
const MESSAGES: usize = 10_000;
/// Number of connections that the server accepts besides those of the load generator.
const SPARE: usize = 100;

pub struct BenchDatabase {
    folder: TempDir,
    /// The access token of each employee's assistant.
    pub tokens: Vec<String>,
    /// For each caller of the load generator, the index of an employee's token in `tokens`, and the id of a
    /// conversation. The employee is a member of the conversation, which has more than 20 messages.
    pub readers: Vec<(usize, String)>,
}

impl BenchDatabase {
    /// Creates and fills the database.
    pub fn make(options: &Options) -> Self {
        let folder = in_process::folder(options.dir.as_ref());
        let config = in_process::config(&in_process::sqlite(folder.path()), folder.path());
        let (tokens, readers) = in_process::fill(config, async |world| {
            let data = data::fill(world, MESSAGES).await;
            while world.index_some().await.unwrap() {}
            (connections::connect(world, data.workspace, &data.people).await, readers(&data))
        });
        Self { folder, tokens, readers }
    }

    /// Starts `switchboard serve` on the database, for at most `connections` connections of the load generator.
    pub fn serve(&self, connections: usize) -> Process {
        let database = in_process::sqlite(self.folder.path());
        let settings = [
            ("SWITCHBOARD_LIMITS_SCALE", LIMITS.to_string()),
            ("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0".to_owned()),
            ("SWITCHBOARD_MAX_CONNECTIONS", (connections + SPARE).to_string()),
            ("SWITCHBOARD_MAX_CONNECTIONS_PER_ADDRESS", (connections + SPARE).to_string()),
        ];
        Process::serve(&database, &self.folder.path().join("files"), &settings)
    }
}

/// Returns [`BenchDatabase::readers`]. Caller c reads conversation c + 1, as the first employee who is a member of it.
/// Conversation 0, the long conversation, is not read here.
///
/// The index of the employee follows from how `data` fills a database: the members of conversation n are a bot and the
/// eight employees 8 n to 8 n + 7, modulo the number of employees. `paths` checks that a reader gets a full page.
fn readers(data: &Data) -> Vec<(usize, String)> {
    let reader = |caller: usize| {
        let conversation = data.destinations[caller][0];
        ((caller + 1) * 8 % data.people.len(), conversation.encode(ConversationKind::Group))
    };
    (0..CLIENTS).map(reader).collect()
}
