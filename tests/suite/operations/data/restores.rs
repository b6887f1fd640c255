//! Restoring a backup on either engine.

use std::fs;

use super::{DIRECTIONS, Deployment, assert_serves, filled, text_of};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_a_stopped_deployment_restores_every_row_on_either_engine() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, scene) = filled(&source).await;
        process.kill();
        let folder = source.folder.path().join("backup");
        source.run(&["backup", text_of(&folder)]);
        // restoring requires an empty database; the schema alone counts as empty
        target.run(&["migrate"]);
        let said = target.run(&["restore", text_of(&folder), "--json"]);
        assert!(said.contains("\"ok\": true"), "{said}");
        assert_eq!(target.sums().await, source.sums().await, "{from:?} to {to:?}");
        assert!(!target.is_marked().await);
        let stored: Vec<_> =
            fs::read_dir(target.files()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(stored.len(), 2, "{stored:?}");
        // the equal checksums are not those of an empty table
        let mut database = target.open().await;
        let shape =
            database.shapes().await.unwrap().into_iter().find(|shape| shape.table == "messages").unwrap();
        assert!(database.sum(&shape).await.unwrap().rows > 2);
        drop(database);
        // a backup of the restored deployment can be restored, too
        let third = Deployment::new(from).await.unwrap();
        let second = target.folder.path().join("backup");
        target.run(&["backup", text_of(&second)]);
        third.run(&["restore", text_of(&second)]);
        assert_eq!(third.sums().await, source.sums().await);
        assert_serves(&target, &scene).await;
        assert_serves(&third, &scene).await;
    }
}
