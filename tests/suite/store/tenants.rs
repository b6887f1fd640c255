//! Tenancy: each table either has the column `workspace_id` with the company of each row, or is listed in [`GLOBAL`]
//! with a reason.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::json;
use sqlx::AssertSqlSafe;
use switchboard::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, FileId, MessageId, WorkspaceId},
        time::Timestamp,
    },
    store::{
        DatabaseUrl, Op, Result, Sql,
        conversations::{self, Conversation},
        files,
        messages::{self, Message},
        search,
    },
};

use crate::support::{
    ALL_SCOPES, App, Company, EventsFixture, Server, both_engines, database::TestDatabase, mcp::LEGACY, text,
    to_conversation, to_user, until,
};

/// Tables without the column `workspace_id`, each with the reason.
const GLOBAL: &[(&str, &str)] = &[
    ("_sqlx_migrations", "migrations of the database"),
    ("accounts", "an account may belong to persons of several companies"),
    ("apps", "an app is installed in many companies"),
    ("assistant_clients", "a client connects to many companies"),
    ("authorization_requests", "the company is not known before the request is approved"),
    ("event_leases", "a lease is for an app, in all companies"),
    ("guesses", "counts of wrong passwords for accounts, and for e-mail addresses without an account"),
    ("job_leases", "maintenance jobs are for the whole deployment"),
    ("log_heads", "the log of tool calls belongs to a company, the log of deliveries to an app"),
    ("message_index", "derived from messages; a virtual table on SQLite"),
    ("rate_epoch", "limits of the deployment"),
    ("rate_records", "requests that count against rate limits, by caller"),
    ("rate_windows", "requests that count against rate limits, by caller"),
    ("schema_compatibility", "written by migrations"),
    ("server_secrets", "secrets of the deployment"),
    ("server_state", "state of the deployment"),
    ("sessions", "a session belongs to an account"),
    ("sign_in_places", "networks and browsers from which people signed in; they belong to an account"),
    ("workspaces", "the id of a row is the company"),
];

/// The references that determine the company of a row: child table, column of the child table, parent table, and key of
/// the parent table.
const PARENTS: &[(&str, &str, &str, &str)] = &[
    ("app_blocks", "user_id", "users", "id"),
    ("authorization_codes", "user_id", "users", "id"),
    ("bot_tokens", "installation_id", "installations", "id"),
    ("client_blocks", "workspace_id", "workspaces", "id"),
    ("connection_tokens", "connection_id", "connections", "id"),
    ("connections", "user_id", "users", "id"),
    ("conversations", "workspace_id", "workspaces", "id"),
    ("conversations", "parent_id", "conversations", "id"),
    ("deleted_messages", "conversation_id", "conversations", "id"),
    ("delivery_attempts", "event_id", "events", "id"),
    ("direct_pairs", "conversation_id", "conversations", "id"),
    ("direct_pairs", "low_user_id", "users", "id"),
    ("draft_keys", "owner_id", "users", "id"),
    ("drafts", "owner_id", "users", "id"),
    ("events", "installation_id", "installations", "id"),
    ("file_usage", "workspace_id", "workspaces", "id"),
    ("files", "owner_id", "users", "id"),
    ("former_pairs", "conversation_id", "conversations", "id"),
    ("install_codes", "workspace_id", "workspaces", "id"),
    ("installations", "bot_user_id", "users", "id"),
    ("mcp_sessions", "connection_id", "connections", "id"),
    ("refresh_overlaps", "token_hash", "connection_tokens", "token_hash"),
    ("members", "conversation_id", "conversations", "id"),
    ("members", "user_id", "users", "id"),
    ("message_changes", "conversation_id", "conversations", "id"),
    ("message_edits", "message_id", "messages", "id"),
    ("message_extras", "message_id", "messages", "id"),
    ("message_files", "file_id", "files", "id"),
    ("message_files", "message_id", "messages", "id"),
    ("message_keys", "conversation_id", "conversations", "id"),
    ("messages", "conversation_id", "conversations", "id"),
    ("messages", "sender_id", "users", "id"),
    ("button_presses", "user_id", "users", "id"),
    ("search_purges", "conversation_id", "conversations", "id"),
    ("search_queue", "message_id", "messages", "id"),
    ("send_keys", "bot_id", "users", "id"),
    ("send_keys", "conversation_id", "conversations", "id"),
    ("tool_calls", "user_id", "users", "id"),
    ("uploads", "workspace_id", "workspaces", "id"),
    ("user_words", "user_id", "users", "id"),
    ("users", "workspace_id", "workspaces", "id"),
];

/// Tables whose rows are deleted soon after they are written: by a background job, or at the end of an upload.
const BRIEF: [&str; 3] = ["search_purges", "search_queue", "uploads"];

/// Tables that are filled only by people on pages, or only with a non-default setting. Other tests check the companies
/// in them: `pages::buttons` in `button_presses`, and `assistant::rfc6749::overlap` in `refresh_overlaps`.
const OPTIONAL: [&str; 2] = ["button_presses", "refresh_overlaps"];

fn is_filled(child: &str) -> bool {
    !BRIEF.contains(&child) && !OPTIONAL.contains(&child)
}

/// Returns the first column of the rows of a query.
async fn column(database: &TestDatabase, sqlite: &str, postgres: &str) -> Vec<String> {
    match &database.url {
        DatabaseUrl::Sqlite(path) => {
            let connection = rusqlite::Connection::open(path).unwrap();
            connection.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
            let mut query = connection.prepare(sqlite).unwrap();
            query.query_map([], |row| row.get(0)).unwrap().map(std::result::Result::unwrap).collect()
        }
        DatabaseUrl::Postgres(_) => {
            let sql = AssertSqlSafe(postgres.to_owned());
            sqlx::query_scalar(sql).fetch_all(&mut database.outside().await).await.unwrap()
        }
    }
}

/// Returns the number of rows of `FROM {from}`. `from` may end with `WHERE …`.
async fn count(database: &TestDatabase, from: &str) -> i64 {
    let sql = format!("SELECT CAST(COUNT(*) AS TEXT) FROM {from}");
    column(database, &sql, &sql).await[0].parse().unwrap()
}

/// Joins child rows with their parent rows, for the entry `at` of [`PARENTS`]. Returns the number of these pairs of
/// rows, and the number of pairs whose two rows have different companies.
async fn compared(database: &TestDatabase, at: usize) -> (i64, i64) {
    let (child, by, parent, key) = PARENTS[at];
    let company = if parent == "workspaces" { "id" } else { "workspace_id" };
    let pairs = format!("{child} c JOIN {parent} p ON p.{key} = c.{by}");
    let wrong = format!("{pairs} WHERE c.workspace_id <> p.{company}");
    (count(database, &pairs).await, count(database, &wrong).await)
}

/// Asserts that a table has rows, and that each row has the company of its parent row.
pub async fn assert_rows_have_the_company_of_their_parent(database: &TestDatabase, table: &str) {
    let parents = PARENTS.iter().enumerate().filter(|(_, (child, ..))| *child == table);
    assert!(parents.clone().next().is_some(), "{table} is a table of `PARENTS`");
    for (at, (child, by, parent, _)) in parents {
        let (pairs, wrong) = compared(database, at).await;
        assert!(pairs > 0, "{child} has rows");
        assert_eq!(wrong, 0, "rows of {child} have the company of the row of {parent} that {by} names");
    }
}

#[both_engines]
async fn each_table_has_a_company_or_a_reason_for_having_none(database: TestDatabase) {
    let tables = column(
        &database,
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
            AND name NOT LIKE 'sqlite_%'",
        "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()",
    )
    .await;
    let with_company = column(
        &database,
        "SELECT t.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
            WHERE t.schema = 'main' AND c.name = 'workspace_id' AND c.type = 'INTEGER' AND c.\"notnull\" = 1",
        "SELECT table_name::text FROM information_schema.columns WHERE table_schema = current_schema()
            AND column_name = 'workspace_id' AND data_type = 'bigint' AND is_nullable = 'NO'",
    )
    .await;
    let global: BTreeSet<&str> = GLOBAL.iter().map(|(name, _)| *name).collect();
    let compared: BTreeSet<&str> = PARENTS.iter().map(|(child, ..)| *child).collect();
    assert!(tables.len() > 40);
    for table in &tables {
        let (is_global, has_company) = (global.contains(table.as_str()), with_company.contains(table));
        assert!(
            is_global != has_company,
            "{table} either has `workspace_id NOT NULL` or is in GLOBAL with a reason"
        );
        assert!(is_global || compared.contains(table.as_str()), "{table} has a parent in PARENTS");
    }
}

#[test]
fn the_architecture_document_names_every_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let page = fs::read_to_string(path).unwrap();
    let table = page.split("## Tenancy: `workspace_id`").nth(1).expect("the section is there");
    let table = table.split("\n## ").next().unwrap();
    for name in GLOBAL.iter().map(|(name, _)| name).filter(|name| !name.starts_with('_')) {
        assert!(table.contains(&format!("`{name}`")), "docs/architecture.md names {name}");
    }
    for (child, ..) in PARENTS {
        assert!(table.contains(&format!("`{child}`")), "docs/architecture.md names {child}");
    }
}

/// Writes rows of a company into every table for which [`is_filled`] is true.
async fn fill_tables(server: &Server, company: &Company, app: &App) {
    let bot = company.install(app, &ALL_SCOPES).await;
    let ann = server.assistant(company, "Ann Example").await;
    let ben = company.person_with(json!({"name": "Ben Other"})).await;
    let group = company.group(&[ann.id(), &ben, &bot.user_id]).await;
    company.channel(&group, &[ann.id()]).await;

    let file = company.file(&ben, "plan.txt", "text/plain", b"the plan").await;
    company.post_with(&group, &ben, json!({"type": "file", "file_ids": [file]})).await;
    company.post_with(&group, &ben, json!({"text": "once", "client_key": "of-ben"})).await;
    let edited = company.post(&group, &ben, "first").await;
    let edit = server.operator().patch(&format!("/admin/v1/messages/{edited}"));
    edit.header("x-acting-user", &ben).json(&json!({"text": "second"})).ok(200).await;
    company.erase(&company.post(&group, &ben, "erased").await).await;

    let mut body = to_conversation(&group, "with metadata");
    body["metadata"] = json!({"ticket": 7});
    let sent = text(&bot.send(&body).await, "/id");
    bot.editing(&sent, &json!({"text": "changed", "metadata": {"ticket": 8}})).ok(200).await;
    bot.send(&to_user(ann.id(), "to Ann")).await;
    company.block_app(&ben, &bot).await;

    let direct = company.direct(ann.id(), &ben).await;
    company.post(&direct, &ben, "between two").await;
    company.delete_conversation(&direct).await;
    company.direct(ann.id(), &ben).await;

    let draft = json!({"conversation": group, "text": "a draft", "idempotency_key": "key-1"});
    let draft = text(&ann.ok("draft_message", draft).await, "/draft/id");
    ann.ok("send_draft", json!({"draft_id": draft})).await;
    server.mcp_session(&ann.tokens.access, LEGACY[0]).await;
    ann.employee.approve(server, &server.client().await, &[]).await;
    company.operator.put(&company.path("/client_blocks/some-key")).ok(200).await;
}

#[both_engines]
async fn each_row_has_the_company_of_its_parent(fixture: EventsFixture) {
    let other = fixture.server.company().await;
    for company in [&fixture.company, &other] {
        fill_tables(&fixture.server, company, &fixture.bot.app).await;
    }
    fixture.server.settle().await;
    let database = &fixture.server.database;
    for (at, (child, by, parent, _)) in PARENTS.iter().enumerate() {
        if is_filled(child) {
            until(|| async { compared(database, at).await.0 > 0 }).await;
        }
        let (_, wrong) = compared(database, at).await;
        assert_eq!(wrong, 0, "rows of {child} have the company of the row of {parent} that {by} names");
    }
    // The assertions above prove nothing if all rows of a table have the same company. So each of these tables must
    // have rows of both companies.
    for (child, ..) in PARENTS.iter().filter(|(child, ..)| is_filled(child)) {
        let both = format!("(SELECT DISTINCT workspace_id FROM {child}) AS companies");
        until(|| async { count(database, &both).await == 2 }).await;
    }
}

/// Writes rows into the tables of [`BRIEF`], whose rows a running server would soon delete.
struct Brief {
    workspace: WorkspaceId,
    conversation: ConversationId,
}

impl Op for Brief {
    const NAME: &'static str = "test_brief_rows";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (workspace_id, id, now) = (self.workspace, self.conversation, Timestamp(1));
        let conversation = Conversation {
            id,
            workspace_id,
            kind: ConversationKind::Group,
            parent_id: None,
            name: Some("Old".to_owned()),
            topic: None,
            is_private: false,
            announcement_only: false,
            archived_at: None,
            deleted_at: None,
            active_members: 0,
            created_at: now,
            floor_id: MessageId(0),
        };
        conversations::insert(c, &conversation).await?;
        let message = Message {
            workspace_id,
            conversation_id: id,
            id: MessageId(id.0 + 1),
            sender_id: None,
            kind: MessageType::Text,
            text: Some("old".to_owned()),
            thread_id: None,
            file_count: 0,
            via_label: None,
            client_key: None,
            edited_at: None,
            created_at: now,
        };
        messages::insert(c, &message).await?;
        messages::edit(c, &message, "new", now).await?;
        search::delete_conversation(c, id, now).await?;
        files::begin_upload(c, workspace_id, FileId(id.0), now).await
    }
}

#[both_engines]
async fn rows_that_are_soon_deleted_have_the_company_of_their_parent(database: TestDatabase) {
    let company = "INSERT INTO workspaces (id, name, ai_assistants, created_at) VALUES (7, 'Seven', 1, 0)";
    database.execute(company).await;
    let db = database.open().await;
    db.write(Brief { workspace: WorkspaceId(7), conversation: ConversationId(100) }).await.unwrap();
    db.close().await.unwrap();
    for (at, (child, ..)) in PARENTS.iter().enumerate().filter(|(_, (child, ..))| BRIEF.contains(child)) {
        assert_eq!(compared(&database, at).await, (1, 0), "{child} has a row with its parent's company");
    }
}
