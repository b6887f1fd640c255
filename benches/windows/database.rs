//! The database of the benchmark, which is filled before a server is started on it. It has the company of
//! `support/data.rs`. All people are signed in, and are members of the long conversation ([`Data::long`]).

use switchboard::domain::{
    conversation::ConversationKind,
    ids::{ConversationId, MessageId},
    time::Timestamp,
};
use switchboard::service::World;
use switchboard::store::{Op, Result, Sql, conversations};
use tempfile::TempDir;

use super::{
    data::{self, Data},
    options::Options,
    support::{in_process, postgres, process::Process, sessions},
};

/// The rate limits are multiplied by this factor, so that no request reaches them. Requests are still counted.
const LIMITS: u32 = 100_000;
/// Number of connections that the server accepts besides those of the windows.
const SPARE: usize = 200;

pub struct BenchDatabase {
    folder: TempDir,
    database: String,
    /// The PostgreSQL server. A server that the benchmark has started stops when this value is dropped.
    pub postgres: Option<postgres::Server>,
    pub data: Data,
    /// The session cookies of the people, in the order of `data.people`.
    pub cookies: Vec<String>,
}

impl BenchDatabase {
    /// Creates the database.
    pub fn make(options: &Options) -> Self {
        let folder = in_process::folder(options.dir.as_ref());
        let postgres = options.postgres.as_deref().map(in_process::postgres);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let database = runtime.block_on(in_process::database(postgres.as_ref(), folder.path(), "windows"));
        let config = in_process::config(&database, folder.path());
        let (data, tokens) = in_process::fill(config, async |world| {
            let data = data::fill(world, options.messages).await;
            while world.index_some().await.unwrap() {}
            join_all(world, &data).await;
            let tokens = sessions::sign_in(world, &data.people).await;
            (data, tokens)
        });
        let cookies = tokens.iter().map(|token| format!("session={token}")).collect();
        Self { folder, database, postgres, data, cookies }
    }

    /// Starts `switchboard serve` on the database. The server accepts enough connections for this many windows.
    pub async fn serve(&self, windows: usize) -> Process {
        let max_connections = (windows + SPARE).to_string();
        let settings = [
            ("SWITCHBOARD_LIMITS_SCALE", LIMITS.to_string()),
            ("SWITCHBOARD_MAX_CONNECTIONS", max_connections.clone()),
            ("SWITCHBOARD_MAX_CONNECTIONS_PER_ADDRESS", max_connections),
        ];
        let mut process = Process::serve(&self.database, &self.folder.path().join("files"), &settings);
        process.listens().await;
        process
    }

    /// Returns the index in `data.people` of the person to whom this window belongs.
    pub fn person(&self, window: usize) -> usize {
        window % self.cookies.len()
    }

    /// Returns the id of one of the conversations to which `support/data.rs` has added the person: number `nth`,
    /// counted from 0. If there is no such conversation, returns the id of the long conversation.
    pub fn conversation_of(&self, person: usize, nth: usize) -> String {
        // Conversation n has the eight people with the numbers 8n to 8n + 7, modulo the number of people. So the
        // members repeat after `period` conversations.
        let period = self.cookies.len() / 8;
        let count = 1 + self.data.destinations.iter().map(Vec::len).sum::<usize>();
        let number = person / 8 + period * nth;
        let id = match number {
            0 => self.data.long,
            // The bot of conversation n has the number (n - 1) % bots. `destinations` lists the conversations of each
            // bot in order.
            n if n < count => {
                let bots = self.data.destinations.len();
                self.data.destinations[(n - 1) % bots][(n - 1) / bots]
            }
            _ => self.data.long,
        };
        encoded(id)
    }

    /// Returns the id of the long conversation, of which everybody is a member.
    pub fn long(&self) -> String {
        encoded(self.data.long)
    }
}

fn encoded(id: ConversationId) -> String {
    id.encode(ConversationKind::Group)
}

struct JoinAll {
    data: Data,
    now: Timestamp,
}

/// Adds all people to the long conversation, except the first eight, who are already members.
async fn join_all(world: &World, data: &Data) {
    world.db.write(JoinAll { data: data.clone(), now: world.clock.now() }).await.unwrap();
}

impl Op for JoinAll {
    const NAME: &'static str = "bench_join_all";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let people: Vec<_> = self.data.people[8..].iter().map(|person| (*person, false)).collect();
        conversations::join(c, self.data.long, &people, self.now, MessageId(0)).await?;
        Ok(())
    }
}
