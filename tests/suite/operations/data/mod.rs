//! The operator's commands that copy a deployment: `backup`, `restore` and `move`. The tests use real processes on both
//! engines.

mod backups;
mod files_folder;
mod kills;
mod lost_connections;
mod moves;
mod refusals;
mod restores;
mod tables;
mod wal;

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use switchboard::store::{
    DatabaseUrl, Engine,
    transfer::{Database, Isolation, TableSum, marks},
};
use tempfile::TempDir;

use crate::support::{postgres, *};

/// Pairs of engines: the engine of the source and the engine of the target.
const DIRECTIONS: [(Engine, Engine); 3] = [
    (Engine::Sqlite, Engine::Sqlite),
    (Engine::Sqlite, Engine::Postgres),
    (Engine::Postgres, Engine::Sqlite),
];

/// A deployment: a database, a folder of files, and the settings with which its processes start.
struct Deployment {
    folder: TempDir,
    url: String,
    home: Home,
    database: Option<postgres::Database>,
}

impl Deployment {
    /// Creates a deployment on a new database. Returns `None` if the engine is not installed on this machine.
    async fn new(engine: Engine) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(postgres::empty_database().await?),
        };
        let url = match &database {
            Some(database) => database.url.clone(),
            None => format!("sqlite://{}", folder.path().join("data.db").display()),
        };
        let home = Home::on(folder.path(), url.clone());
        Some(Self { folder, url, home, database })
    }

    fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    fn database_url(&self) -> DatabaseUrl {
        self.url.parse().unwrap()
    }

    /// Returns a command with this deployment's configuration.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command
            .args(args)
            .env_clear()
            .env("SWITCHBOARD_ENVIRONMENT", "sandbox")
            .env("SWITCHBOARD_LISTEN", "127.0.0.1:0")
            .env("SWITCHBOARD_DATABASE_URL", &self.url)
            .env("SWITCHBOARD_FILES_DIR", self.files())
            .stdin(Stdio::null());
        command
    }

    /// Asserts that a command succeeds, and returns its standard output.
    #[track_caller]
    fn run(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", stderr_text(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Asserts that a command fails with exit code 1 and that its standard error contains `why`. Returns its standard
    /// error.
    #[track_caller]
    fn refused(&self, args: &[&str], why: &str) -> String {
        let output = self.command(args).output().unwrap();
        let reported = stderr_text(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {reported}");
        assert!(reported.contains(why), "{args:?}: {reported}");
        reported
    }

    /// Runs a command and kills it as soon as a line of its standard error contains `line`. Returns whether the command
    /// succeeded before it was killed.
    fn run_until(&self, args: &[&str], line: &str) -> bool {
        let mut child = self.command(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let said: Vec<String> = lines
            .map_while(Result::ok)
            .inspect(|said| {
                if said.contains(line) {
                    let _ = child.kill();
                }
            })
            .collect();
        assert!(said.iter().any(|said| said.contains(line)), "{args:?} prints {line:?}: {said:?}");
        child.wait().unwrap().success()
    }

    async fn open(&self) -> Database {
        Database::open(&self.database_url(), Isolation::Exclusive).await.unwrap()
    }

    /// Returns the number of rows and the checksum of every table that is copied.
    async fn sums(&self) -> BTreeMap<&'static str, TableSum> {
        let mut database = self.open().await;
        let mut sums = BTreeMap::new();
        for shape in database.shapes().await.unwrap() {
            sums.insert(shape.table, database.sum(&shape).await.unwrap());
        }
        sums
    }

    /// Returns whether the database does not exist, has no tables, or has tables without data ([`Database::filled`]).
    async fn is_empty(&self) -> bool {
        if matches!(self.database_url(), DatabaseUrl::Sqlite(path) if !path.exists()) {
            return true;
        }
        let mut database = self.open().await;
        database.tables().await.unwrap().is_empty() || database.filled().await.unwrap().is_empty()
    }

    /// Returns whether the database is marked as moved, or as the target of an unfinished restore or move. Servers
    /// refuse a marked database.
    async fn is_marked(&self) -> bool {
        marks::of(&self.database_url()).await.unwrap().is_some()
    }

    /// Runs SQL that both engines support.
    async fn execute(&self, sql: &str) {
        match self.database_url() {
            DatabaseUrl::Sqlite(path) => {
                rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap()
            }
            DatabaseUrl::Postgres(_) => {
                use sqlx::Connection;
                let mut connection = sqlx::PgConnection::connect(&self.url).await.unwrap();
                sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
            }
        }
    }
}

fn stderr_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text_of(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The credentials and ids of a filled deployment.
struct Filled {
    token: String,
    group: String,
    person: String,
    file: String,
    /// The idempotency key, the body and the original response of a send.
    send: (String, Value, Vec<u8>),
}

const CONTENT: &[u8] = b"the plan \x00\xff";

/// Starts a server and creates a company. The company has an app with its bot, a person who blocks the app, a group,
/// messages (one edited, one deleted), files (one deleted), and a send with an idempotency key.
async fn filled(deployment: &Deployment) -> (Process, Filled) {
    let process = deployment.home.start();
    let operator = deployment.home.operator(&process);
    let company = Company::create(operator.clone()).await;
    let app = App::register(&operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let person = company.person_with(serde_json::json!({"name": "Zoë \"quoted\"\n Example"})).await;
    let group = company.group(&[&person, &bot.user_id]).await;
    let file = company.file(&person, "plan.bin", "application/octet-stream", CONTENT).await;
    company.post_with(&group, &person, serde_json::json!({"type": "file", "file_ids": [file]})).await;
    let deleted = company.file(&person, "old.txt", "text/plain", b"old").await;
    operator.delete(&format!("/admin/v1/files/{deleted}")).ok(200).await;
    company.block_app(&person, &bot).await;
    let edited = company.post(&group, &person, "first \u{1F600} \u{1}").await;
    operator
        .patch(&format!("/admin/v1/messages/{edited}"))
        .header("x-acting-user", &person)
        .json(&serde_json::json!({"text": "second"}))
        .ok(200)
        .await;
    let erased = company.post(&group, &person, "erased").await;
    company.erase(&erased).await;
    let body = to_conversation(&group, "kept under a key");
    let api = deployment.home.api(&process, &bot.token);
    let answer = api.post("/v1/messages").key("the-key").json(&body).send().await;
    answer.ok(201);
    let send = ("the-key".to_owned(), body, answer.bytes);
    (process, Filled { token: bot.token, group, person, file, send })
}

/// Starts a server on this deployment. Asserts that the deployment has the contents of `filled`, and that the server
/// replays the response of `filled.send`. Returns the server's process.
async fn assert_serves(deployment: &Deployment, filled: &Filled) -> Process {
    let process = deployment.home.start();
    let api = deployment.home.api(&process, &filled.token);
    api.get("/v1/auth/test").ok(200).await;
    let (key, body, original) = &filled.send;
    let again = api.post("/v1/messages").key(key).json(body).send().await;
    again.ok(201);
    assert_eq!(again.header("idempotent-replayed"), Some("true"), "the deployment has the key of the send");
    assert_eq!(&again.bytes, original, "a repeated key returns the original bytes (B-191)");
    let history = api.get(&format!("/v1/conversations/{}/messages", filled.group)).ok(200).await;
    let texts: Vec<_> = history["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|message| message["text"].as_str())
        .collect();
    assert!(texts.contains(&"kept under a key") && texts.contains(&"second"), "{texts:?}");
    assert!(!texts.contains(&"erased"), "{texts:?}");
    let path = format!("/v1/conversations/{}/files/{}", filled.group, filled.file);
    let record = api.get(&path).ok(200).await;
    let content = reqwest::get(text(&record, "/file/url")).await.unwrap().bytes().await.unwrap();
    assert_eq!(content, CONTENT, "a downloaded file has its original content");
    let operator = deployment.home.operator(&process);
    let user = operator.get(&format!("/admin/v1/users/{}", filled.person)).ok(200).await;
    assert_eq!(user["user"]["name"], "Zoë \"quoted\"\n Example");
    // the id of a new message is greater than the ids of the old messages
    let sent = api.post("/v1/messages").key("after").json(body).ok(201).await;
    let newest = api.get(&format!("/v1/conversations/{}/messages?limit=1", filled.group)).ok(200).await;
    assert_eq!(newest["messages"][0]["id"], sent["message"]["id"]);
    process
}
