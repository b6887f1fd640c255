//! Sends take no shared row locks, so PostgreSQL creates no multixacts for sends. A multixact is a set of transactions
//! that lock one row. Multixacts are expensive: their ids can run out, and a reader of the row must look up the set.

use serde_json::json;
use sqlx::{Connection, PgConnection};
use switchboard::store::Engine;

use crate::support::{
    database::TestDatabase,
    postgres::{self, Durability},
    *,
};

const SENDERS: usize = 20;
const SENDS: usize = 25;

/// Returns the id of the next multixact. The checkpoint makes PostgreSQL report the current id.
async fn next_multixact(outside: &mut PgConnection) -> i64 {
    sqlx::raw_sql("CHECKPOINT").execute(&mut *outside).await.unwrap();
    let next = "SELECT CAST(CAST(next_multixact_id AS TEXT) AS BIGINT) FROM pg_control_checkpoint()";
    sqlx::query_scalar(next).fetch_one(outside).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sends_create_no_multixacts() {
    // the test needs a PostgreSQL server of its own, because all databases of a server share the ids of multixacts
    let Some(server) = postgres::Server::start(Durability::Fast) else { return };
    server.create("sends", None).await;
    let url = server.url("sends");
    let options = Options { engine: Engine::Postgres, ..Options::default() };
    let here = Server::on(TestDatabase::at(url.clone()), options).await.unwrap();
    let there = here.another_node().await;
    let company = here.company().await;
    let (bot, person) = (company.bot(&here).await, company.person().await);
    let group = company.group(&[&person, &bot.user_id]).await;
    let channel = company.channel(&group, &[&person, &bot.user_id]).await;
    let mut outside = PgConnection::connect(&url).await.unwrap();

    let before = next_multixact(&mut outside).await;
    let mut senders = tokio::task::JoinSet::new();
    for n in 0..SENDERS {
        let node = [&here, &there][n % 2];
        let bot = Bot { api: Api { base: node.base.clone(), ..bot.api.clone() }, ..bot.clone() };
        let to = match n % 3 {
            0 => to_conversation(&group, "to the group"),
            1 => to_conversation(&channel, "to the channel"),
            _ => to_user(&person, "to the person"),
        };
        senders.spawn(async move {
            for round in 0..SENDS {
                bot.sending(&format!("{n}-{round}"), &to).ok(201).await;
            }
        });
    }
    // during the sends, these requests change the row of the group, on which the sends rely
    for n in 0..5 {
        company.update_conversation(&group, json!({"name": format!("Group {n}")})).await;
    }
    senders.join_all().await;
    assert_eq!(next_multixact(&mut outside).await, before, "{} sends create no multixact", SENDERS * SENDS);

    // the rest of the test shows that `next_multixact` detects a multixact
    let mut other = PgConnection::connect(&url).await.unwrap();
    let share = "BEGIN; SELECT id FROM workspaces LIMIT 1 FOR SHARE";
    for connection in [&mut outside, &mut other] {
        sqlx::raw_sql(share).execute(connection).await.unwrap();
    }
    for connection in [&mut outside, &mut other] {
        sqlx::raw_sql("COMMIT").execute(connection).await.unwrap();
    }
    assert!(
        next_multixact(&mut outside).await > before,
        "two shared locks of one row create a multixact, which `next_multixact` detects"
    );
    there.stop().await;
    here.stop().await;
}
