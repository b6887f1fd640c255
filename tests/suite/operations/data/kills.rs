//! `backup`, `restore` and `move` are killed with SIGKILL when they print certain lines. The rows of the source stay
//! unchanged. A killed restore or move leaves its target in one of three states: complete, marked as unfinished so that
//! servers refuse it, or as empty as before.

use std::fs;

use super::{DIRECTIONS, Deployment, filled, text_of};

/// SQL that adds so many rows that a command can be killed while it copies them. `%` stands for the value of
/// `key_hash`.
const MANY: &str =
    "INSERT INTO message_keys (workspace_id, conversation_id, key_hash, message_id, sender_id, fingerprint)
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
    SELECT 1, 77, %, n, NULL, NULL FROM numbers";

async fn with_many_rows(deployment: &Deployment) {
    let bytes = if deployment.url.starts_with("sqlite") {
        "CAST(printf('%016d', n) AS BLOB)"
    } else {
        "CAST(lpad(CAST(n AS TEXT), 16, '0') AS BYTEA)"
    };
    deployment.execute(&MANY.replace('%', bytes)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_backup_cannot_be_restored_and_leaves_the_source_unchanged() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, _fixture) = filled(&source).await;
        process.kill();
        with_many_rows(&source).await;
        let before = source.sums().await;
        let mut interrupted = 0;
        for (number, moment) in
            ["snapshot taken", "table accounts:", "table message_keys:", "table workspaces:", "files:"]
                .iter()
                .enumerate()
        {
            let folder = source.folder.path().join(format!("backup-{number}"));
            let ended = source.run_until(&["backup", text_of(&folder)], moment);
            if !ended && !folder.join("manifest.json").exists() {
                interrupted += 1;
                target.refused(&["restore", text_of(&folder)], "cannot be restored");
                assert!(target.is_empty().await, "{moment}: a refused restore leaves its target empty");
            }
            assert_eq!(source.sums().await, before, "{from:?} {moment}: the source is unchanged");
        }
        assert!(interrupted > 0, "at least one backup was killed before it was complete");
        let folder = source.folder.path().join("backup");
        source.run(&["backup", text_of(&folder)]);
        target.run(&["restore", text_of(&folder)]);
        assert_eq!(target.sums().await, before, "{to:?}: a complete backup restores all rows");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_refuse_the_target_of_a_killed_restore_and_the_restore_can_be_repeated() {
    for (from, to) in DIRECTIONS {
        let Some(source) = Deployment::new(from).await else { continue };
        let (process, _fixture) = filled(&source).await;
        process.kill();
        with_many_rows(&source).await;
        let before = source.sums().await;
        let folder = source.folder.path().join("backup");
        source.run(&["backup", text_of(&folder)]);
        let args = ["restore", text_of(&folder)];
        let (mut targets, mut interrupted) = (0, 0);
        for moment in [
            "verifying table accounts:",
            "undamaged",
            "the database is marked: servers refuse it until it is restored",
            "files: ",
            "table message_keys:",
            "table users:",
            "table workspaces:",
        ] {
            let Some(target) = Deployment::new(to).await else { continue };
            targets += 1;
            let ended = target.run_until(&args, moment);
            if ended || !target.is_empty().await {
                assert!(!target.is_marked().await, "{moment}: a complete target has no mark");
            } else {
                let is_marked = target.is_marked().await;
                if is_marked {
                    interrupted += 1;
                    target.refused(&["serve"], "a restore into this database began at");
                    let backup = target.folder.path().join("of-a-part");
                    target.refused(&["backup", text_of(&backup)], "a restore into this database began at");
                }
                assert!(
                    is_marked || fs::read_dir(target.files()).map_or(0, Iterator::count) == 0,
                    "{moment}: a restore marks its target before it writes files"
                );
                target.run(&args);
            }
            assert_eq!(target.sums().await, before, "{to:?} {moment}: the target has all rows of the source");
        }
        assert!(
            interrupted > 0 || targets == 0,
            "at least one restore was killed between its mark and its commit"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_move_can_be_repeated_and_never_leaves_two_usable_databases() {
    for (from, to) in DIRECTIONS {
        let Some(source) = Deployment::new(from).await else { continue };
        let (process, _fixture) = filled(&source).await;
        process.kill();
        with_many_rows(&source).await;
        let before = source.sums().await;
        let (mut targets, mut interrupted) = (0, 0);
        for moment in [
            "table accounts:",
            "table message_keys:",
            "table users:",
            "table workspaces:",
            "the target is complete",
            "the source is marked as moved",
        ] {
            let Some(target) = Deployment::new(to).await else { continue };
            targets += 1;
            let args = ["move", "--to", &target.url];
            source.run_until(&args, moment);
            assert_eq!(source.sums().await, before, "{from:?} {moment}: the source is unchanged");
            let source_is_usable = !source.is_marked().await;
            let target_is_usable = !target.is_empty().await && !target.is_marked().await;
            assert!(
                !(source_is_usable && target_is_usable),
                "{moment}: servers never accept both the source and the target"
            );
            if !source_is_usable {
                assert_eq!(target.sums().await, before, "{to:?} {moment}: the moved rows are complete");
            }
            if !target_is_usable {
                interrupted += 1;
                if target.is_marked().await {
                    target.refused(&["serve"], "was not finished: run `switchboard move` again");
                }
                source.run(&args);
            }
            assert_eq!(target.sums().await, before, "{to:?} {moment}: the target has all rows of the source");
            assert!(
                source.is_marked().await && !target.is_marked().await,
                "{moment}: servers accept only the target"
            );
            source.run(&["move", "--undo"]);
        }
        assert!(
            interrupted > 0 || targets == 0,
            "at least one move was killed before servers accepted the target"
        );
    }
}
