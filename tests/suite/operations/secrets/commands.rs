//! The commands `secrets new-key`, `secrets rotate` and `secrets decrypt`. Also `backup`, `restore` and `move` of
//! databases with encrypted secrets, the warning of `serve` without a key, and the key that `dev` creates. All commands
//! run as real processes.

use std::{os::unix::fs::PermissionsExt as _, path::Path};

use serde_json::{Value, json};

use super::*;
use crate::support::postgres;

/// Writes keys to a file, one on each line, and returns the file's path. `secrets.key_file` and `secrets.old_keys_file`
/// need this format.
fn key_file(folder: &Path, keys: &[u8]) -> String {
    let path = folder.join(format!("key-{keys:?}"));
    let text: Vec<_> = keys.iter().map(|byte| key(*byte).expose()).collect();
    std::fs::write(&path, text.join("\n") + "\n").unwrap();
    path.to_str().unwrap().to_owned()
}

/// Configures the first of `keys` as the key, and the others as old keys.
fn with_key_files(home: Home, folder: &Path, keys: &[u8]) -> Home {
    let home = match keys.first() {
        Some(first) => home.with("SWITCHBOARD_SECRETS_KEY_FILE", key_file(folder, &[*first])),
        None => home,
    };
    match keys.get(1..) {
        Some(old @ [_, ..]) => home.with("SWITCHBOARD_SECRETS_OLD_KEYS_FILE", key_file(folder, old)),
        _ => home,
    }
}

async fn database(engine: Engine, folder: &Path) -> Option<(String, Option<postgres::Database>)> {
    match engine {
        Engine::Sqlite => Some((format!("sqlite://{}", folder.join("data.db").display()), None)),
        Engine::Postgres => {
            let database = postgres::empty_database().await?;
            Some((database.url.clone(), Some(database)))
        }
    }
}

fn document(said: &str) -> Value {
    serde_json::from_str(said).unwrap_or_else(|error| panic!("{error}: {said}"))
}

/// Posts a file and returns a link to the file. The master key authenticates the link. If the master key changed, the
/// link would be invalid.
async fn file_link(process: &Process, home: &Home) -> String {
    let company = Company::create(home.operator(process)).await;
    let app = App::register(&home.operator(process), &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let person = company.person().await;
    let group = company.group(&[&person, &bot.user_id]).await;
    let file = company.file(&person, "plan.bin", "application/octet-stream", b"the plan").await;
    company.post_with(&group, &person, json!({"type": "file", "file_ids": [file]})).await;
    let path = format!("/v1/conversations/{group}/files/{file}");
    text(&home.api(process, &bot.token).get(&path).ok(200).await, "/file/url")
}

/// Asserts that a link that [`file_link`] returned can still be opened.
async fn assert_opens(process: &Process, link: &str) {
    let path = &link[link.find("/files/").or_else(|| link.find("/file")).expect("a path")..];
    let answer = reqwest::get(format!("{}{path}", process.base)).await.unwrap();
    assert_eq!(answer.status(), 200, "an earlier link is still valid, because the master key is the same");
}

#[test]
fn new_keys_are_printed_in_the_format_of_the_key_file() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::sqlite(folder.path());
    let (code, said) = home.run(&["secrets", "new-key"]);
    assert_eq!(code, Some(0));
    let made = EncryptionKey::parse(said.trim()).expect("64 hexadecimal digits and nothing else");
    let (_, said) = home.run(&["secrets", "new-key", "--json"]);
    let said = document(&said);
    let other = EncryptionKey::parse(said["key"].as_str().unwrap()).unwrap();
    assert_eq!(said["key_id"], other.id().to_string());
    assert_ne!(made, other);
}

#[both_engines]
async fn secrets_are_encrypted_then_reencrypted_then_decrypted(engine: Engine) -> Option<()> {
    let folder = tempfile::tempdir().unwrap();
    let (url, _database) = database(engine, folder.path()).await?;
    let home = |keys: &[u8]| with_key_files(Home::on(folder.path(), url.clone()), folder.path(), keys);
    // first the secrets are in plain text
    let process = home(&[]).start();
    let link = file_link(&process, &home(&[])).await;
    if engine == Engine::Sqlite {
        assert_eq!(
            home(&[1]).run(&["secrets", "rotate"]).0,
            Some(1),
            "`secrets rotate` fails while a server uses the database file"
        );
        process.kill();
    }
    assert_eq!(
        home(&[]).run(&["secrets", "rotate"]).0,
        Some(2),
        "`secrets rotate` without a key is a usage error"
    );
    let (code, said) = home(&[1]).run(&["secrets", "rotate", "--json"]);
    assert_eq!(code, Some(0), "{said}");
    let expected = json!({"ok": true, "key_id": id(1).to_string(), "secrets": 2, "rewritten": 2});
    assert_eq!(document(&said), expected);
    // A server with no key or with another key does not start. A server with the right key starts.
    for keys in [&[][..], &[2]] {
        let reported = home(keys).spawn().refused();
        assert!(reported.contains(&id(1).to_string()), "{reported}");
    }
    for command in ["rotate", "decrypt"] {
        let (code, _) = home(&[2]).run(&["secrets", command]);
        assert_eq!(code, Some(1), "`secrets {command}` needs the key that encrypts the secrets");
    }
    let process = home(&[1]).start();
    assert_opens(&process, &link).await;
    process.kill();
    // the key is replaced by another key
    let (_, said) = home(&[2, 1]).run(&["secrets", "rotate", "--json"]);
    assert_eq!(
        (&document(&said)["key_id"], &document(&said)["rewritten"]),
        (&json!(id(2).to_string()), &json!(2))
    );
    let process = home(&[2]).start();
    assert_opens(&process, &link).await;
    process.kill();
    // the secrets are decrypted, so the server needs no key
    let (_, said) = home(&[2]).run(&["secrets", "decrypt", "--json"]);
    assert_eq!((&document(&said)["key_id"], &document(&said)["rewritten"]), (&json!(null), &json!(2)));
    let process = home(&[]).start();
    assert_opens(&process, &link).await;
    Some(())
}

#[both_engines]
async fn a_restore_needs_the_key_that_the_backup_does_not_contain(engine: Engine) -> Option<()> {
    let folder = tempfile::tempdir().unwrap();
    let (url, _database) = database(engine, folder.path()).await?;
    let home = with_key_files(Home::on(folder.path(), url), folder.path(), &[1]);
    let process = home.start();
    let link = file_link(&process, &home).await;
    let backup = folder.path().join("backup");
    let (code, said) = home.run(&["backup", backup.to_str().unwrap(), "--json"]);
    assert_eq!((code, &document(&said)["secret_keys"]), (Some(0), &json!([id(1).to_string()])), "{said}");
    process.kill();
    for file in walk(&backup) {
        let bytes = std::fs::read(&file).unwrap();
        for form in forms(key(1).expose().as_bytes()).into_iter().chain([vec![1; 32]]) {
            assert!(
                !bytes.windows(form.len()).any(|part| part == form),
                "{} must not contain the key",
                file.display()
            );
        }
    }
    let other = tempfile::tempdir().unwrap();
    let (url, _target) = database(engine, other.path()).await?;
    let target = |keys: &[u8]| with_key_files(Home::on(other.path(), url.clone()), folder.path(), keys);
    for keys in [&[][..], &[2]] {
        let (code, _) = target(keys).run(&["restore", backup.to_str().unwrap()]);
        assert_eq!(code, Some(1), "a restore with only the keys {keys:?} is rejected");
    }
    // the failed restores have written nothing, so the next restore finds an empty database
    let (code, said) = target(&[2, 1]).run(&["restore", backup.to_str().unwrap(), "--json"]);
    assert_eq!(code, Some(0), "{said}");
    let process = target(&[1]).start();
    assert_opens(&process, &link).await;
    Some(())
}

#[both_engines]
async fn a_move_copies_the_encrypted_secrets(engine: Engine) -> Option<()> {
    let folder = tempfile::tempdir().unwrap();
    let (url, _database) = database(engine, folder.path()).await?;
    let (to, _target) = match engine {
        Engine::Sqlite => database(Engine::Postgres, folder.path()).await?,
        Engine::Postgres => database(Engine::Sqlite, folder.path()).await?,
    };
    let home = with_key_files(Home::on(folder.path(), url), folder.path(), &[1]);
    let process = home.start();
    let link = file_link(&process, &home).await;
    process.kill();
    assert_eq!(home.run(&["move", "--to", &to]).0, Some(0));
    let moved = |keys: &[u8]| with_key_files(Home::on(folder.path(), to.clone()), folder.path(), keys);
    assert!(moved(&[]).spawn().refused().contains(&id(1).to_string()));
    let process = moved(&[1]).start();
    assert_opens(&process, &link).await;
    Some(())
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(walk(&path)) } else { files.push(path) }
    }
    files
}

#[test]
fn production_without_a_key_starts_and_warns_once() {
    let warnings = |settings: &[(&'static str, &str)], keys: &[u8]| {
        let folder = tempfile::tempdir().unwrap();
        let home = with_key_files(Home::sqlite(folder.path()), folder.path(), keys);
        let home = settings.iter().fold(home, |home, (name, value)| home.with(name, *value));
        let log = home.spawn().keeping_log().listening().killed_log();
        log.lines().filter(|line| line.contains("WARN")).map(str::to_owned).collect::<Vec<_>>()
    };
    let production =
        [("SWITCHBOARD_ENVIRONMENT", "production"), ("SWITCHBOARD_BASE_URL", "https://chat.example.com")];
    let reported = warnings(&production, &[]);
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].contains("secrets.key is not set"), "{reported:?}");
    assert_eq!(warnings(&production, &[1]), Vec::<String>::new());
    assert_eq!(warnings(&[], &[]), Vec::<String>::new(), "a sandbox does not warn");
}

#[test]
fn dev_encrypts_with_a_new_key_that_only_its_owner_can_read() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("dev");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["dev", "--dir", folder.to_str().unwrap(), "--listen", "127.0.0.1:0", "--json"])
        .env_clear()
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let printed = serde_json::Deserializer::from_reader(child.stdout.take().unwrap());
    let demo = printed.into_iter::<Value>().next().expect("the sandbox's document").unwrap();
    let dump = Dump::of_sqlite(&folder.join("switchboard.db"));
    child.kill().unwrap();
    child.wait().unwrap();
    let file = folder.join("secrets-key");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let key = EncryptionKey::parse(std::fs::read_to_string(&file).unwrap().trim()).expect("a key");
    let mut issued = Issued::default();
    for (_, app) in demo["apps"].as_object().expect("apps") {
        issued.add("signing secret", app["signing_secret"].as_str().expect("a secret"));
    }
    assert!(!issued.0.is_empty());
    let is_of_database = |location: &str| location != "file demo.json";
    let found = issued.found_in(&dump);
    let found: Vec<_> = found.iter().filter(|(_, location)| is_of_database(location)).collect();
    assert!(found.is_empty(), "{found:?}");
    let ciphertext = dump.parts.iter().filter(|(location, _)| location == "apps.signing_secret");
    let keys: BTreeSet<_> = ciphertext
        .map(|(_, text)| switchboard::platform::encryption::key_of(std::str::from_utf8(text).unwrap()))
        .collect();
    assert_eq!(keys, BTreeSet::from([Some(key.id())]));
}
