//! Which replica URLs are rejected: those that lead to another cluster or another database, and those that request
//! sessions on a primary (`target_session_attrs=read-write`). The URL of a pooler in front of a replica is accepted.

use sqlx::{Connection, PgConnection};
use switchboard::store::{self, DatabaseUrl, PostgresUrl};

use super::{NAME, Pair, Site, home};
use crate::support::{
    pgbouncer::Pgbouncer,
    postgres::{self, Durability, Server},
};

const OTHER: &str = "leads to another database than database.url";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_does_not_start_with_a_replica_of_another_database() {
    let Some(pair) = Pair::start().await else { return };
    let Some(other) = postgres::database().await.filter(|_| postgres::is_private()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let primary = || pair.primary.url(NAME);
    let said = home(folder.path(), primary(), other.url.clone()).spawn().refused();
    assert!(said.contains(OTHER), "a replica URL that leads to another cluster is rejected: {said}");
    let said = home(folder.path(), primary(), pair.standby.url("postgres")).spawn().refused();
    assert!(said.contains(OTHER), "a replica URL that leads to another database is rejected: {said}");
    let writes = format!("{}?target_session_attrs=read-write", pair.replica_url());
    let said = home(folder.path(), primary(), writes).spawn().refused();
    assert!(said.contains("a replica URL connects to standbys only"), "{said}");
    let (_, report) =
        home(folder.path(), primary(), other.url.clone()).run(&["doctor", "--offline", "--json"]);
    assert!(report.contains("is another database"), "{report}");
    let (_, report) = pair.home(folder.path()).run(&["doctor", "--offline", "--json"]);
    assert!(report.contains("is a read replica and"), "{report}");
    // The lag is computed from the primary's log position. So if the URL of the primary leads to a standby,
    // `inspect_replica` returns an error.
    let standby: DatabaseUrl = pair.standby.url(NAME).parse().unwrap();
    let replica: PostgresUrl = pair.replica_url().parse().unwrap();
    let error = store::inspect_replica(&standby, &replica).await.unwrap_err();
    assert!(error.to_string().contains("is a standby"), "{error}");
    // A process whose replica URL leads to the primary starts, and uses no replica.
    let site = Site::start(home(folder.path(), primary(), primary())).await;
    site.reads_from_primary().await;
}

/// `inspect_replica`, which `switchboard doctor` calls, has a timeout.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_does_not_respond_to_a_query_is_reported() {
    let Some(pair) = Pair::start().await else { return };
    let mut locking = PgConnection::connect(&pair.primary.url(NAME)).await.unwrap();
    let table = "CREATE TABLE server_state (name TEXT, value BIGINT)";
    sqlx::raw_sql(table).execute(&mut locking).await.unwrap();
    // `inspect_replica` reads this table on the primary, and so waits until the transaction ends
    sqlx::raw_sql("BEGIN; LOCK TABLE server_state").execute(&mut locking).await.unwrap();
    let primary: DatabaseUrl = pair.primary.url(NAME).parse().unwrap();
    let replica: PostgresUrl = pair.replica_url().parse().unwrap();
    let error = store::inspect_replica(&primary, &replica).await.unwrap_err();
    assert!(error.to_string().contains("the server does not respond"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_is_read_through_a_pooler_in_transaction_mode() {
    let Some(primary) = Server::start(Durability::Full) else { return };
    primary.create(NAME, None).await;
    let standby = primary.standby();
    let (folder, bouncing) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let Some(pooler) = Pgbouncer::start(&standby, bouncing.path()).await else { return };
    let replica = format!("postgres://postgres@{}/{NAME}", pooler.address);
    let home = home(folder.path(), primary.url(NAME), replica)
        .with("SWITCHBOARD_DATABASE_DIRECT_URL", primary.url(NAME));
    let site = Site::reading(home).await;
    for turn in 0..50 {
        site.sees_what_it_sends(&site.bot.api, &format!("turn {turn}")).await;
    }
    site.reads_from_replica().await;
    let path = site.company.path("/users?query=ada&limit=10");
    site.operator.get(&path).ok(200).await;
}
