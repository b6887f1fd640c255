//! The store: it has every SQL statement of the server, and runs the statements on SQLite or on PostgreSQL.
//!
//! An operation that reads implements [`ReadOp`]. [`Db::read`] or, if the operation can be slow, [`Db::scan`] runs it
//! on a [`ReadSql`] connection. An operation that writes implements [`Op`], and [`Db::write`] runs it on a [`Sql`]
//! connection. Most operations have the same code for both engines. [`statements!`] declares each statement once, as a
//! [`Query`], a [`LockingQuery`] or a [`Command`]. If the two engines need different texts, the statement has one text
//! per engine.
//!
//! The engines run operations as follows:
//!
//! - SQLite (`engine/lite`): [`Db::read`] runs on the calling thread, and [`Db::scan`] on a blocking thread. One writer
//!   thread runs all writes, several in one commit.
//! - PostgreSQL (`engine/pg`): operations use a connection pool. Each write is one transaction. After a failure, the
//!   write is retried if it certainly wrote nothing.
//!
//! On both engines, [`migrate`] applies the migrations in `migrations/`, and [`transfer`] copies whole databases.
//!
//! ```
//! use switchboard::store::{ReadOp, ReadSql, Result, args, statements};
//!
//! statements! { NAME: Query = "SELECT name FROM users WHERE id = $1"; }
//!
//! struct UserName(i64);
//!
//! impl ReadOp for UserName {
//!     const NAME: &'static str = "user_name";
//!     type Out = Option<String>;
//!
//!     async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<String>> {
//!         c.opt(&NAME, args![self.0]).await
//!     }
//! }
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "the store measures durations and waits between retries in real time, not with the movable test clock"
)]

mod db;
mod engine;
mod families;
mod request_lookups;
mod secret_rotation;
mod shared_lookups;
mod tables;
pub mod transfer;

pub use self::db::{Db, DbOptions, acquire_node_number, inspect_replica, is_served, own, prepare_all};
pub use self::engine::as_of::AsOf;
pub use self::engine::commit_notices::CommitNotices;
pub use self::engine::error::{Error, Result, StoreError};
pub use self::engine::lite::FileOwner;
pub use self::engine::lock_key::{LockKey, Locks};
pub use self::engine::log_position::QueriedPosition;
pub use self::engine::migrate::{
    Header, HeaderError, MigrateError, Migrated, Migration, MigrationStep, Migrations, Newer, SchemaState,
    Statement, StatementKind, inspect, migrate, pending, schema_version, statements_of,
};
pub use self::engine::notices::{Notice, Notices};
pub use self::engine::op::{Engine, Op, ReadOp, ReadSql, Sql};
pub use self::engine::pg::{Confirmed, LIMIT_STATEMENTS, NoNumber, NodeChoice, NodeNumber, ReplicaReport};
pub use self::engine::revocation_watch::{RevocationWatch, RevocationWatchers, WatchLimits};
pub use self::engine::signals::{Signal, Signals};
pub use self::engine::stmt::{Command, Effect, LockingQuery, Query, Stmt};
pub use self::engine::token_cache::TABLES as TOKEN_CACHE_TABLES;
pub use self::engine::url::{BadDatabaseUrl, BadPostgresUrl, DatabaseUrl, PostgresUrl, SessionAttributes};
pub(in crate::store) use self::engine::values::named_args;
pub use self::engine::values::{Col, FromRow, Row, Val, joined_columns, json_rows};
pub use self::engine::{Availability, locks, position};
pub use self::families::STATEMENT_FAMILIES;
pub use self::request_lookups::Presenter;
pub use self::tables::connections::{
    ended as ended_connections, lists as connection_lists, outlived as outlived_connections,
    presented as presented_tokens, refresh_overlaps, spent_tokens,
};
pub use self::tables::conversations::{listed, lists as conversation_lists, unread};
pub use self::tables::events::{
    deliveries, delivery_log, drops as event_drops, erasure as event_erasure, leases as event_leases,
};
pub use self::tables::files::usage as file_usage;
pub use self::tables::messages::{bot_send, bot_send_batch, candidates, changes, employee, search};
pub use self::tables::users::words as user_words;
pub use self::tables::{
    accounts, apps, assistant_clients, authorizations, bot_tokens, button_presses, client_blocks,
    connections, conversations, diagnose, drafts, events, files, guesses, job_leases, keys, log_heads,
    mcp_sessions, messages, secrets, server, tool_calls, users, windows, workspaces,
};
pub use crate::{args, op, row, statements, table};
