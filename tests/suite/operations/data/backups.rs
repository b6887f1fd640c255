//! Backups of stopped and of running servers, and the format of backups.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use switchboard::store::Engine;

use super::{CONTENT, DIRECTIONS, Deployment, assert_serves, filled, text_of};
use crate::support::*;

/// Returns every file and folder below a folder.
fn below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(below(&path));
        }
        found.push(path);
    }
    found
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_has_everything_acknowledged_before_it() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, fixture) = filled(&source).await;
        let acknowledged = Arc::new(Mutex::new(Vec::<(String, Vec<u8>)>::new()));
        let mut senders = tokio::task::JoinSet::new();
        for worker in 0..4 {
            let api = source.home.api(&process, &fixture.token);
            let (group, acknowledged) = (fixture.group.clone(), acknowledged.clone());
            senders.spawn(async move {
                for number in 0.. {
                    let key = format!("w{worker}-n{number}");
                    let body = to_conversation(&group, &key);
                    let answer = api.post("/v1/messages").key(&key).json(&body).send().await;
                    answer.ok(201);
                    acknowledged.lock().unwrap().push((key, answer.bytes));
                }
            });
        }
        until(async || acknowledged.lock().unwrap().len() > 60).await;
        let before = acknowledged.lock().unwrap().clone();
        let folder = source.folder.path().join("backup");
        let path = folder.clone();
        let command = source.command(&["backup", text_of(&path), "--json"]);
        let output = tokio::task::spawn_blocking(move || { command }.output().unwrap()).await.unwrap();
        assert!(output.status.success(), "{}", super::stderr_text(&output));
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["ok"], true);
        let during = acknowledged.lock().unwrap().len();
        assert!(during > before.len(), "{from:?}: sends continue during the backup");
        senders.abort_all();
        while senders.join_next().await.is_some() {}
        process.kill();

        target.run(&["restore", text_of(&folder)]);
        let restored = assert_serves(&target, &fixture).await;
        let api = target.home.api(&restored, &fixture.token);
        for (key, original) in before {
            let body = to_conversation(&fixture.group, &key);
            let again = api.post("/v1/messages").key(&key).json(&body).send().await;
            again.ok(201);
            assert_eq!(
                again.header("idempotent-replayed"),
                Some("true"),
                "{from:?}: the backup has the send with the key {key}"
            );
            assert_eq!(again.bytes, original, "a repeated key returns the original bytes (B-191)");
        }
    }
}

#[both_engines]
async fn a_backup_is_private_and_its_manifest_counts_everything(engine: Engine) -> Option<()> {
    let deployment = Deployment::new(engine).await?;
    let (process, fixture) = filled(&deployment).await;
    process.kill();
    let folder = deployment.folder.path().join("backup");
    // all users may read this empty folder; `backup` restricts its permissions
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let said = deployment.run(&["backup", text_of(&folder)]);
    assert!(said.contains("Backed up"), "{said}");
    assert_eq!(mode(&folder), 0o700);
    for path in below(&folder) {
        assert_eq!(mode(&path), if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    }
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["format"], 1);
    assert_eq!(manifest["engine"], if engine == Engine::Sqlite { "sqlite" } else { "postgres" });
    assert_eq!(manifest["schema_version"], switchboard::store::schema_version());
    assert_eq!(manifest["missing_files"], serde_json::json!([]));
    let sums = deployment.sums().await;
    let tables = manifest["tables"].as_array().unwrap();
    assert_eq!(tables.len(), sums.len());
    for table in tables {
        let sum = &sums[table["name"].as_str().unwrap()];
        assert_eq!((table["rows"].as_u64(), table["sha256"].as_str()), (Some(sum.rows), Some(&*sum.sha256)));
        // Each table is a file of JSON lines, compressed with Zstandard, so that common programs can read it. Each
        // row is a line.
        let file = folder.join(format!("tables/{}.jsonl.zst", table["name"].as_str().unwrap()));
        let lines = zstd::decode_all(fs::File::open(file).unwrap()).unwrap();
        assert_eq!(lines.iter().filter(|byte| **byte == b'\n').count() as u64, sum.rows);
    }
    let file =
        manifest["files"].as_array().unwrap().iter().find(|file| file["key"] == *fixture.file).unwrap();
    assert_eq!(file["size"], CONTENT.len());
    assert_eq!(fs::read(folder.join("files").join(&fixture.file)).unwrap(), CONTENT);
    // `filled` has deleted one of the two files. Its content is in the backup, because links to the file still work for
    // a while.
    assert_eq!(manifest["files"].as_array().unwrap().len(), 2);
    Some(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_file_content_is_recorded() {
    let deployment = Deployment::new(Engine::Sqlite).await.unwrap();
    let (process, fixture) = filled(&deployment).await;
    process.kill();
    fs::remove_file(deployment.files().join(&fixture.file)).unwrap();
    let folder = deployment.folder.path().join("backup");
    let summary: Value =
        serde_json::from_str(&deployment.run(&["backup", text_of(&folder), "--json"])).unwrap();
    assert_eq!(summary["missing_files"], serde_json::json!([fixture.file]));
    assert_eq!(summary["warnings"].as_array().unwrap().len(), 1);
    let target = Deployment::new(Engine::Sqlite).await.unwrap();
    target.run(&["restore", text_of(&folder)]);
    // If the contents of all files are missing, the configured folder is probably wrong. So `backup` fails.
    fs::remove_dir_all(deployment.files()).unwrap();
    let folder = deployment.folder.path().join("second");
    deployment.refused(&["backup", text_of(&folder)], "the storage has none of the 2 files");
    target.refused(&["restore", text_of(&folder)], "this backup is incomplete");
}

/// The content of a deleted file may be purged after the snapshot of the database and before the files are copied. So
/// the missing content of a deleted file does not show that the configured folder is wrong.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_content_of_deleted_files_does_not_fail_the_backup() {
    let deployment = Deployment::new(Engine::Sqlite).await.unwrap();
    let (process, fixture) = filled(&deployment).await;
    process.kill();
    deployment.execute("UPDATE files SET deleted_at = created_at, purge_after = created_at").await;
    fs::remove_dir_all(deployment.files()).unwrap();
    let folder = deployment.folder.path().join("backup");
    let summary: Value =
        serde_json::from_str(&deployment.run(&["backup", text_of(&folder), "--json"])).unwrap();
    assert_eq!(summary["missing_files"].as_array().unwrap().len(), 2);
    assert!(summary["missing_files"].as_array().unwrap().contains(&serde_json::json!(fixture.file)));
    let target = Deployment::new(Engine::Sqlite).await.unwrap();
    target.run(&["restore", text_of(&folder)]);
}
