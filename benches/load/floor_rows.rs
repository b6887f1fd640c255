//! Floor B, with which the benchmark compares the product's sends: a minimal program that commits the rows of a send
//! with the product's durability. The rows are the message, and the idempotency key in `send_keys` and in
//! `message_keys`. The product also inserts a row into `search_queue`, which floor B does not.
//!
//! On SQLite one thread batches waiting sends into one `BEGIN IMMEDIATE … COMMIT` with `synchronous = FULL`. On
//! PostgreSQL each caller commits one statement with the three inserts.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rusqlite::{Connection, params};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::sync::oneshot;

use super::client::Work;

const TEXT: &str =
    "The nightly build of the main branch is green again; the two flaky tests are quarantined.";
/// Maximum number of sends per commit, as in the product.
const BATCH: usize = 256;
/// Number of conversations to which messages are sent. The product's sends over the small database have as many; they
/// omit its long conversation.
const CONVERSATIONS: i64 = 128;

const INSERTS: [&str; 3] = [
    "INSERT INTO send_keys (workspace_id, bot_id, key_hash, fingerprint, conversation_id, message_id, created_at)
        VALUES (1, ?1, ?2, ?2, ?3, ?4, ?5)",
    "INSERT INTO message_keys (workspace_id, conversation_id, key_hash, message_id, sender_id, fingerprint)
        VALUES (1, ?1, ?2, ?3, ?4, ?2)",
    "INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, thread_id, file_count, via_label,
            client_key, edited_at, created_at)
        VALUES (1, ?1, ?2, ?3, 0, ?4, NULL, 0, NULL, ?5, NULL, ?6)",
];

/// Spreads a number over 16 bytes, as a hash function does.
fn hash(n: i64) -> [u8; 16] {
    (n as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).to_be_bytes()
}

/// Prepares floor B on SQLite, in a file with the product's tables.
pub fn on_sqlite(file: &Path) -> Work {
    let connection = Connection::open(file).unwrap();
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000;
             PRAGMA mmap_size = 1073741824; PRAGMA cache_size = -8192;",
        )
        .unwrap();
    let (queue, jobs) = async_channel::bounded::<oneshot::Sender<()>>(4096);
    std::thread::Builder::new()
        .name("floor-writer".into())
        .spawn(move || {
            let mut next = 1_i64 << 40;
            let mut batch = Vec::with_capacity(BATCH);
            while let Ok(first) = jobs.recv_blocking() {
                batch.push(first);
                while batch.len() < BATCH
                    && let Ok(more) = jobs.try_recv()
                {
                    batch.push(more);
                }
                connection.prepare_cached("BEGIN IMMEDIATE").unwrap().execute([]).unwrap();
                for _ in &batch {
                    next += 1;
                    insert(&connection, next);
                }
                connection.prepare_cached("COMMIT").unwrap().execute([]).unwrap();
                for answer in batch.drain(..) {
                    let _ = answer.send(());
                }
            }
        })
        .unwrap();
    Work::Calls(Rc::new(move |_| {
        let queue = queue.clone();
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            queue.send(answer).await.unwrap();
            answered.await.unwrap();
        })
    }))
}

fn insert(connection: &Connection, n: i64) {
    let (hash, conversation, bot, now) = (hash(n), n % CONVERSATIONS, n % 64, n);
    let key = format!("key-{n}");
    let [mut send_key, mut message_key, mut message] =
        INSERTS.map(|text| connection.prepare_cached(text).unwrap());
    send_key.execute(params![bot, hash, conversation, n, now]).unwrap();
    message_key.execute(params![conversation, hash, n, bot]).unwrap();
    message.execute(params![conversation, n, bot, TEXT, key, now]).unwrap();
}

/// Prepares floor B on PostgreSQL, in a database with the product's tables.
pub async fn on_postgres(options: PgConnectOptions, connections: u32) -> Work {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .test_before_acquire(false)
        .connect_with(options)
        .await
        .unwrap();
    let next = Arc::new(AtomicI64::new(1 << 40));
    Work::Calls(Rc::new(move |_| {
        let (pool, next) = (pool.clone(), Arc::clone(&next));
        Box::pin(async move {
            let n = next.fetch_add(1, Ordering::Relaxed);
            sqlx::query(
                "WITH a AS (INSERT INTO send_keys
                        (workspace_id, bot_id, key_hash, fingerprint, conversation_id, message_id, created_at)
                        VALUES (1, $1, $2, $2, $3, $4, $5)),
                    b AS (INSERT INTO message_keys
                        (workspace_id, conversation_id, key_hash, message_id, sender_id, fingerprint)
                        VALUES (1, $3, $2, $4, $1, $2))
                INSERT INTO messages
                    (workspace_id, conversation_id, id, sender_id, type, text, file_count, client_key, created_at)
                VALUES (1, $3, $4, $1, 0, $6, 0, $7, $5)",
            )
            .bind(n % 64)
            .bind(&hash(n)[..])
            .bind(n % CONVERSATIONS)
            .bind(n)
            .bind(n)
            .bind(TEXT)
            .bind(format!("key-{n}"))
            .execute(&pool)
            .await
            .unwrap();
        })
    }))
}
