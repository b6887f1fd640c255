//! `transfer/tables.rs` declares for every table of both schemas whether backups and moves copy the table. The copied
//! tables have the same columns and keys in both schemas.

use std::collections::BTreeSet;

use switchboard::store::{
    Engine,
    transfer::tables::{Class, TABLES},
};

use super::Deployment;
use crate::support::both_engines;

async fn migrated(engine: Engine) -> Option<Deployment> {
    let deployment = Deployment::new(engine).await?;
    deployment.run(&["migrate"]);
    Some(deployment)
}

#[both_engines]
async fn every_table_is_classified(engine: Engine) -> Option<()> {
    for table in migrated(engine).await?.open().await.tables().await.unwrap() {
        assert!(
            TABLES.iter().any(|classified| classified.name == table),
            "{engine:?}: add table {table} to store::transfer::tables::TABLES, and say whether it is copied"
        );
    }
    Some(())
}

/// Some tables exist on one engine only, so the test needs both engines.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_classified_table_exists() {
    let Some(postgres) = migrated(Engine::Postgres).await else { return };
    let sqlite = migrated(Engine::Sqlite).await.unwrap();
    let mut found: BTreeSet<_> = postgres.open().await.tables().await.unwrap().into_iter().collect();
    found.extend(sqlite.open().await.tables().await.unwrap());
    for classified in TABLES {
        assert!(
            found.contains(classified.name),
            "every classified table exists in at least one of the two schemas: {}",
            classified.name
        );
    }
}

#[test]
fn the_list_of_tables_is_sorted_and_has_reasons() {
    let names: Vec<_> = TABLES.iter().map(|classified| classified.name).collect();
    assert!(names.is_sorted(), "the list is in order of the names");
    for classified in TABLES {
        if let Class::Derived(reason) | Class::Transient(reason) = classified.class {
            assert!(reason.len() > 10, "{}: give the reason why the table is not copied", classified.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_engines_have_the_same_columns_and_keys() {
    let Some(postgres) = migrated(Engine::Postgres).await else { return };
    let sqlite = migrated(Engine::Sqlite).await.unwrap();
    let (sqlite, postgres) =
        (sqlite.open().await.shapes().await.unwrap(), postgres.open().await.shapes().await.unwrap());
    assert!(sqlite.len() > 30);
    assert_eq!(sqlite, postgres);
}

#[both_engines]
async fn a_migrated_database_counts_as_empty(engine: Engine) -> Option<()> {
    let deployment = migrated(engine).await?;
    assert!(deployment.is_empty().await, "{engine:?}");
    deployment.execute("INSERT INTO server_state (name, value) VALUES ('node_3', 1)").await;
    assert!(
        deployment.is_empty().await,
        "{engine:?}: a database with nothing but a node number counts as empty"
    );
    deployment.execute("INSERT INTO server_state (name, value) VALUES ('clock_offset', 1)").await;
    assert_eq!(deployment.open().await.filled().await.unwrap(), ["server_state"], "{engine:?}");
    Some(())
}

/// If the database has a table of another program or of a newer version, a backup fails. If it succeeded, the table
/// would be missing from the backup, and nobody would notice.
#[both_engines]
async fn a_backup_of_a_database_with_an_unknown_table_fails(engine: Engine) -> Option<()> {
    let deployment = migrated(engine).await?;
    deployment.execute("CREATE TABLE surprise (id BIGINT PRIMARY KEY)").await;
    let folder = deployment.folder.path().join("backup");
    deployment.refused(&["backup", super::text_of(&folder)], "surprise");
    Some(())
}
