//! Backups, folders and databases that `backup` and `restore` reject. A rejected command writes no rows, no contents of
//! files and no backup.

use std::{fs, path::Path};

use serde_json::Value;
use switchboard::store::Engine;

use super::{Deployment, filled, text_of};
use crate::support::both_engines;

/// Returns a stopped deployment, the folder of its backup, and the ids and credentials that the deployment has.
async fn backed_up() -> (Deployment, std::path::PathBuf, super::Filled) {
    let source = Deployment::new(Engine::Sqlite).await.unwrap();
    let (process, fixture) = filled(&source).await;
    process.kill();
    let folder = source.folder.path().join("backup");
    source.run(&["backup", text_of(&folder)]);
    (source, folder, fixture)
}

fn edit(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs::write(&path, serde_json::to_vec(&manifest).unwrap()).unwrap();
}

/// Copies a backup, so that a test can damage the copy.
fn copied(folder: &Path, name: &str) -> std::path::PathBuf {
    let copy = folder.with_file_name(name);
    for inner in ["tables", "files"] {
        fs::create_dir_all(copy.join(inner)).unwrap();
        for entry in fs::read_dir(folder.join(inner)).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), copy.join(inner).join(entry.file_name())).unwrap();
        }
    }
    fs::copy(folder.join("manifest.json"), copy.join("manifest.json")).unwrap();
    copy
}

/// Replaces the lines of a table in a backup by the result of `change`.
fn rewrite(folder: &Path, table: &str, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let path = folder.join(format!("tables/{table}.jsonl.zst"));
    let lines = zstd::decode_all(fs::File::open(&path).unwrap()).unwrap();
    fs::write(&path, zstd::encode_all(&change(lines)[..], 3).unwrap()).unwrap();
}

#[both_engines]
async fn damaged_and_incompatible_backups_are_refused_before_any_write(engine: Engine) -> Option<()> {
    let (_source, folder, fixture) = backed_up().await;
    let target = Deployment::new(engine).await?;
    let number = std::sync::atomic::AtomicU32::new(0);
    let refused = |why: &str, damage: &dyn Fn(&Path)| {
        let number = number.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let copy = copied(&folder, &format!("damaged-{engine:?}-{number}"));
        damage(&copy);
        target.refused(&["restore", text_of(&copy)], why);
    };
    refused("this backup is incomplete", &|copy| fs::write(copy.join("INCOMPLETE"), "").unwrap());
    refused("there is no manifest.json", &|copy| fs::remove_file(copy.join("manifest.json")).unwrap());
    refused("manifest.json is damaged", &|copy| fs::write(copy.join("manifest.json"), "{").unwrap());
    refused("has format 2", &|copy| edit(copy, |manifest| manifest["format"] = 2.into()));
    refused("made by a newer version", &|copy| edit(copy, |it| it["schema_version"] = 9999.into()));
    refused("made by an older version", &|copy| edit(copy, |it| it["schema_version"] = 0.into()));
    refused("is not a file id", &|copy| edit(copy, |it| it["files"][0]["key"] = "../manifest.json".into()));
    refused("do not have the same tables", &|copy| {
        edit(copy, |it| {
            it["tables"].as_array_mut().unwrap().retain(|table| table["name"] != "users");
        });
    });
    refused("table messages", &|copy| {
        let path = copy.join("tables/messages.jsonl.zst");
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    });
    refused("table users: its checksum differs from the manifest", &|copy| {
        rewrite(copy, "users", |lines| {
            String::from_utf8(lines).unwrap().replacen("quoted", "Quoted", 1).into_bytes()
        });
    });
    refused("table members: it has", &|copy| {
        rewrite(copy, "members", |lines| {
            lines.split_inclusive(|byte| *byte == b'\n').skip(1).collect::<Vec<_>>().concat()
        });
    });
    refused("users.jsonl.zst", &|copy| fs::remove_file(copy.join("tables/users.jsonl.zst")).unwrap());
    refused(&format!("file {}: its checksum", fixture.file), &|copy| {
        let path = copy.join("files").join(&fixture.file);
        let mut bytes = fs::read(&path).unwrap();
        bytes[0] ^= 1;
        fs::write(path, bytes).unwrap();
    });
    refused(&format!("file {}: it has", fixture.file), &|copy| {
        fs::write(copy.join("files").join(&fixture.file), "short").unwrap();
    });
    refused(&format!("file {}", fixture.file), &|copy| {
        fs::remove_file(copy.join("files").join(&fixture.file)).unwrap();
    });
    assert!(target.is_empty().await, "{engine:?}: no row was written");
    assert!(!target.is_marked().await, "{engine:?}: the database is not marked as the target of a restore");
    assert_eq!(fs::read_dir(target.files()).unwrap().count(), 0, "{engine:?}: no content was stored");
    // A storage that contains only `lost+found` counts as empty, because it can be the root folder of a file system.
    fs::create_dir(target.files().join("lost+found")).unwrap();
    fs::write(target.files().join("lost+found/recovered"), "x").unwrap();
    target.run(&["restore", text_of(&folder)]);
    Some(())
}

#[both_engines]
async fn a_restore_needs_an_empty_database_and_an_empty_storage(engine: Engine) -> Option<()> {
    let (source, folder, _fixture) = backed_up().await;
    source.refused(&["restore", text_of(&folder)], "is not empty: it has rows in ");
    let target = Deployment::new(engine).await?;
    fs::create_dir_all(target.files()).unwrap();
    fs::write(target.files().join("notes.txt"), "x").unwrap();
    target.refused(&["restore", text_of(&folder)], "the file storage is not empty: it has notes.txt");
    fs::remove_file(target.files().join("notes.txt")).unwrap();
    let process = target.home.start();
    let why = if engine == Engine::Sqlite { "another process uses" } else { "a server runs on" };
    target.refused(&["restore", text_of(&folder)], why);
    process.kill();
    target.refused(&["restore", text_of(&folder)], "is not empty: it has rows in server_secrets");
    let foreign = Deployment::new(engine).await?;
    foreign.execute("CREATE TABLE theirs (id BIGINT PRIMARY KEY)").await;
    foreign.refused(&["restore", text_of(&folder)], "theirs of another program");
    assert!(!foreign.files().exists(), "{engine:?}: a refused restore creates no folder of files");
    Some(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_needs_an_empty_folder_and_a_database_of_this_version() {
    let (source, folder, _fixture) = backed_up().await;
    source.refused(&["backup", text_of(&folder)], "is not empty");
    let file = source.folder.path().join("file");
    fs::write(&file, "x").unwrap();
    source.refused(&["backup", text_of(&file)], "cannot read the folder");
    let none = Deployment::new(Engine::Sqlite).await.unwrap();
    let folder = none.folder.path().join("backup");
    none.refused(&["backup", text_of(&folder)], "there is no database at");
    assert!(!none.folder.path().join("data.db").exists(), "a refused backup creates no database");
    assert!(!none.files().exists(), "a refused backup creates no folder of files");
    let below_a_file = format!("sqlite://{}", file.join("data.db").display());
    none.refused(&["backup", text_of(&folder), "--database-url", &below_a_file], "cannot read ");
    none.run(&["migrate"]);
    none.execute("DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)")
        .await;
    none.refused(&["backup", text_of(&folder)], "lacks 1 migrations");
    assert!(!folder.exists(), "a refused backup creates no folder");
}
