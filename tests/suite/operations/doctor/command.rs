//! The output of `switchboard doctor`, and its exit code.

use std::process::{Command, Output};

use serde_json::Value;

use super::*;
use crate::support::{Process, receiver::authority_pem};

fn doctor(arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .arg("doctor")
        .args(arguments)
        .env_clear()
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

#[track_caller]
fn assert_prints_no_key(output: &Output, key: &Secret) {
    for printed in [&output.stdout, &output.stderr] {
        let printed = String::from_utf8_lossy(printed);
        assert!(!printed.contains(key.expose()), "no secret is printed: {printed}");
    }
}

#[test]
fn every_error_of_the_configuration_is_a_failed_check() {
    let settings = [("SWITCHBOARD_BASE_URL", "chat.example.com"), ("SWITCHBOARD_DATABSE_URL", "x")];
    let output = doctor(&["--offline"], &settings);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(8), "{out}{err}");
    assert!(err.contains("2 checks failed"), "{err}");
    assert!(out.contains("setting: SWITCHBOARD_BASE_URL"), "{out}");
    assert!(out.contains("did you mean SWITCHBOARD_DATABASE_URL?"), "{out}");
}

#[test]
fn an_unreadable_configuration_file_is_a_failed_check() {
    let output = doctor(&["--offline"], &[("SWITCHBOARD_CONFIG", "/nonexist/switchboard.toml")]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(8), "{out}{err}");
    assert!(out.contains("the configuration file (from /nonexist/switchboard.toml) cannot be read"), "{out}");
    assert!(out.contains("setting: SWITCHBOARD_CONFIG"), "{out}");
}

#[test]
fn a_server_can_run_while_it_is_checked() {
    let home = tempfile::tempdir().unwrap();
    let key = operator_key();
    let server = Process::start(home.path(), key.expose(), &[]);
    let listen = server.base.trim_start_matches("http://").to_owned();
    let database = format!("sqlite://{}", home.path().join("data.db").display());
    let files = home.path().join("files").display().to_string();
    let hash = switchboard::platform::secrets::hex(&token::hash(key.expose()));
    let settings = [
        ("SWITCHBOARD_ENVIRONMENT", "sandbox"),
        ("SWITCHBOARD_LISTEN", listen.as_str()),
        ("SWITCHBOARD_BASE_URL", server.base.as_str()),
        ("SWITCHBOARD_DATABASE_URL", database.as_str()),
        ("SWITCHBOARD_FILES_DIR", files.as_str()),
        ("SWITCHBOARD_OPERATOR_KEY_SHA256", hash.as_str()),
        ("SWITCHBOARD_OPERATOR_KEY", key.expose()),
    ];
    let output = doctor(&["--json"], &settings);
    assert_prints_no_key(&output, &key);
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "no check of a working deployment fails: {out}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let ok = |check: &str, words: &str| {
        let found =
            checks.iter().find(|one| one["check"] == check && one["found"].as_str().unwrap().contains(words));
        assert_eq!(found.unwrap_or_else(|| panic!("{check} {words}: {out}"))["state"], "ok");
    };
    // these checks run while the server has the database open
    ok("store", "a server has locked");
    ok("server", &listen);
    ok("streaming", "as they are sent");
    ok("caller", "127.0.0.1");
    let output = doctor(&["--offline", "--json"], &settings);
    let offline: Value = serde_json::from_slice(&output.stdout).unwrap();
    let store = offline["checks"].as_array().unwrap().iter().find(|one| one["check"] == "store");
    let store = store.expect("a finding");
    assert_eq!(store["state"], "skipped", "with --offline, a locked database is not checked: {offline}");
    assert_prints_no_key(&output, &key);
}

#[test]
fn missing_ca_certificates_are_reported() {
    const SAYS: &str = "no CA certificates found";
    let (home, key) = (tempfile::tempdir().unwrap(), operator_key());
    let none = ("SSL_CERT_FILE", "/dev/null");
    let database = format!("sqlite://{}", home.path().join("data.db").display());
    let files = home.path().join("files").display().to_string();
    let authority = home.path().join("authority.pem").display().to_string();
    std::fs::write(&authority, authority_pem()).unwrap();
    let settings = [
        none,
        ("SWITCHBOARD_ENVIRONMENT", "sandbox"),
        ("SWITCHBOARD_DATABASE_URL", database.as_str()),
        ("SWITCHBOARD_FILES_DIR", files.as_str()),
    ];
    let reported = |more: &[(&str, &str)]| {
        let process = Process::spawn(home.path(), key.expose(), &[&[none][..], more].concat());
        let log = process.keeping_log().listening().terminated_log();
        let output = doctor(&[], &[&settings[..], more].concat());
        (log.matches(SAYS).count(), String::from_utf8(output.stdout).unwrap())
    };
    let (logged, out) = reported(&[]);
    assert_eq!(logged, 1, "without CA certificates, the server logs one warning");
    assert!(out.contains(SAYS) && out.contains("setting: SWITCHBOARD_EXTRA_CA_FILE"), "{out}");
    let (logged, out) = reported(&[("SWITCHBOARD_EXTRA_CA_FILE", &authority)]);
    assert_eq!(logged, 0, "with a configured CA file, the server logs no warning");
    assert!(!out.contains(SAYS), "{out}");
}
