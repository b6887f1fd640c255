//! Fills PostgreSQL with many messages. The statements generate the rows inside PostgreSQL, which takes minutes;
//! inserting single rows would take hours. The rows are like those that [`data`](super::data) inserts.

use sqlx::{Connection, PgConnection};
use switchboard::service::World;

use super::data::{Base, Data, TEXT};

/// Messages per transaction.
const BATCH: i64 = 500_000;

/// A query that returns one row for each message from number `$1` to number `$2`. `keyed` is whether the message is
/// from a bot: only messages from bots have an idempotency key. The conversation and the author of each message are
/// those that `Base::place` and `Base::sender` return.
///
/// The other parameters: `$3` the conversations, the long conversation first; `$4` the bot of each conversation; `$5`
/// the people; `$6` the number of messages of the long conversation; `$7` the id of message 0; `$11` the number of all
/// messages. [`ROWS`] uses `$8` to `$10`.
const NUMBERED: &str =
    "SELECT $7 + n AS id, n, keyed, ($3::bigint[])[1 + place] AS conversation_id,
        CASE WHEN keyed THEN ($4::bigint[])[1 + place]
            ELSE ($5::bigint[])[1 + (n + number) % cardinality($5::bigint[])] END AS sender_id
    FROM generate_series($1, $2) AS n
    CROSS JOIN LATERAL (SELECT n * $6 / $11 AS long_before, (n + 1) * $6 / $11 AS long_after,
        cardinality($3::bigint[]) - 1 AS conversations) AS c
    CROSS JOIN LATERAL (SELECT
        CASE WHEN long_after > long_before THEN 0 ELSE 1 + (n - long_before) % conversations END AS place,
        CASE WHEN long_after > long_before THEN long_before ELSE (n - long_before) / conversations END AS number
    ) AS p
    CROSS JOIN LATERAL (SELECT (place + number) % 4 = 0 AS keyed) AS k";

/// The statements that insert the messages of [`NUMBERED`], their idempotency keys and their entries in the search
/// index. `$8` is the time of creation, `$9` the text, `$10` the company. All parameters are bound to each statement,
/// so each statement must use all of them. A statement that does not need a parameter uses it in a condition that is
/// always true, such as `$8 > 0`.
const ROWS: [&str; 4] = [
    "INSERT INTO messages (conversation_id, id, sender_id, type, text, file_count, client_key, created_at,
            workspace_id)
        SELECT conversation_id, id, sender_id, 0, $9, 0, CASE WHEN keyed THEN 'seed-' || n END, $8, $10 FROM numbered",
    "INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
            workspace_id)
        SELECT sender_id, decode(md5('seed-' || n), 'hex'), decode(md5($9), 'hex'), conversation_id, id, $8, $10
        FROM numbered WHERE keyed",
    "INSERT INTO message_keys (conversation_id, key_hash, message_id, sender_id, fingerprint, workspace_id)
        SELECT conversation_id, decode(md5('seed-' || n), 'hex'), id, sender_id, decode(md5($9), 'hex'), $10
        FROM numbered WHERE keyed AND $8 > 0",
    "INSERT INTO message_index (message_id, words)
        SELECT id, to_tsvector('simple', $9) || array_to_tsvector(ARRAY['@c' || to_hex(conversation_id),
            '@u' || to_hex(sender_id)]) FROM numbered WHERE $8 > 0 AND $10 > 0",
];

/// Fills the empty database at `url`.
pub async fn fill(world: &World, url: &str, message_count: usize) -> Data {
    let base = Base::write(world, message_count).await;
    let mut connection = PgConnection::connect(url).await.unwrap();
    run(&mut connection, "SET maintenance_work_mem = '1GB'").await;
    let indexes = "SELECT indexdef FROM pg_indexes WHERE indexname = 'message_index_words'";
    let (index,): (String,) = sqlx::query_as(indexes).fetch_one(&mut connection).await.unwrap();
    run(&mut connection, "DROP INDEX message_index_words").await;
    let first = world.ids.next().unwrap();
    let mut written = 0;
    let count = message_count as i64;
    while written < count {
        let last = (written + BATCH).min(count) - 1;
        let mut transaction = connection.begin().await.unwrap();
        for rows in ROWS {
            let statement = format!("WITH numbered AS ({NUMBERED}) {rows}");
            sqlx::query(sqlx::AssertSqlSafe(statement))
                .bind(written)
                .bind(last)
                .bind(base.conversations.iter().map(|id| id.0).collect::<Vec<_>>())
                .bind(base.bot_users().iter().map(|id| id.0).collect::<Vec<_>>())
                .bind(base.people.iter().map(|id| id.0).collect::<Vec<_>>())
                .bind(base.long_count as i64)
                .bind(first)
                .bind(base.now.0)
                .bind(TEXT)
                .bind(base.workspace.0)
                .bind(count)
                .execute(&mut *transaction)
                .await
                .unwrap();
        }
        transaction.commit().await.unwrap();
        written = last + 1;
        eprintln!("{written} messages");
    }
    run(&mut connection, &index).await;
    // without these two statements, autovacuum and the checkpointer would do their work during the measurement
    run(&mut connection, "VACUUM ANALYZE").await;
    run(&mut connection, "CHECKPOINT").await;
    base.data()
}

async fn run(connection: &mut PgConnection, statement: &str) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned())).execute(connection).await.unwrap();
}
