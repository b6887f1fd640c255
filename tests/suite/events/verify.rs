//! Runs the commands `switchboard listen` and `switchboard events verify` as processes. Checks their output, the files
//! that `listen` saves, and the exit code of each verdict about a signature (B-441).

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;
use switchboard::domain::signature;

const SECRET: &str = "whsec_process";
const AT: i64 = 1_794_826_964;
const BODY: &[u8] = br#"{"id":"evt_38f40r646007j","type":"directory.changed","data":{}}"#;

fn switchboard(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.env_clear().env("SWITCHBOARD_SIGNING_SECRET", SECRET).current_dir(folder);
    command
}

/// Runs `events verify` with the body on standard input. Returns the exit code, and the standard output followed by the
/// standard error.
fn verify(folder: &Path, timestamp: &str, value: &str, body: &[u8], more: &[&str]) -> (i32, String) {
    let mut child = switchboard(folder)
        .args(["events", "verify", "--timestamp", timestamp, "--signature", value])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(body).unwrap();
    result_of(&child.wait_with_output().unwrap())
}

fn result_of(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn every_verdict_has_an_exit_code() {
    let home = tempfile::tempdir().unwrap();
    let (at, late) = (AT.to_string(), (AT + 301).to_string());
    let good = signature::sign(SECRET, AT, BODY);
    let verify_at = |timestamp: &str, value: &str, body: &[u8], at: &str| {
        verify(home.path(), timestamp, value, body, &["--at", at])
    };
    let (code, text) = verify_at(&at, &good, BODY, &at);
    assert!(code == 0 && text.contains("The signature is valid"), "{code} {text}");
    assert_eq!(verify_at(&at, &good, b"{}", &at).0, 4, "code 4: no value of the signature matches");
    assert_eq!(verify_at(&at, &good, BODY, &late).0, 5, "code 5: the timestamp is too old");
    assert_eq!(verify_at("soon", &good, BODY, &at).0, 6, "code 6: the timestamp is malformed");
    assert_eq!(verify_at(&at, "v1=?", BODY, &at).0, 7, "code 7: the signature is malformed");
    // if a common change of the body, such as an added line break, explains the mismatch, the output names the change
    let (code, text) = verify_at(&at, &good, &[BODY, b"\n"].concat(), &at);
    assert!(code == 4 && text.contains("line break"), "{code} {text}");
    // without `--at`, the timestamp is compared with the current time
    let now = switchboard::platform::clock::Clock::system().now().seconds();
    for (at, expected) in [(now, 0), (now - 600, 5)] {
        let signature = signature::sign(SECRET, at, BODY);
        assert_eq!(verify(home.path(), &at.to_string(), &signature, BODY, &[]).0, expected);
    }
    let (code, text) = verify(home.path(), &at, &good, BODY, &["--at", &at, "--json"]);
    assert_eq!((code, serde_json::from_str::<Value>(&text).unwrap()["matched_value"].clone()), (0, 1.into()));
    let no_secret = switchboard(home.path())
        .env_remove("SWITCHBOARD_SIGNING_SECRET")
        .args(["events", "verify", "--timestamp", "1", "--signature", "x"])
        .output()
        .unwrap();
    assert_eq!(no_secret.status.code(), Some(2));
}

/// A receiver in a process of its own, whose output is read line by line.
struct Process {
    child: Child,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Process {
    fn start(folder: &Path, arguments: &[&str]) -> (Self, Value) {
        let mut child = switchboard(folder)
            .args(["listen", "--listen", "127.0.0.1:0", "--json"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut process = Self { child, lines };
        let started = process.next();
        (process, started)
    }

    fn next(&mut self) -> Value {
        let line = self.lines.next().expect("the receiver prints another line").unwrap();
        serde_json::from_str(&line).unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn saved_requests_can_be_verified_later() {
    let home = tempfile::tempdir().unwrap();
    let (mut process, started) =
        Process::start(home.path(), &["--http", "--save", "kept", "--status", "204"]);
    let url = started["callback_url"].as_str().unwrap();
    let host = url.strip_prefix("http://").unwrap().strip_suffix("/events").unwrap();
    assert_eq!(started["settings"]["SWITCHBOARD_ALLOW_PRIVATE_HOSTS"], host);
    switchboard::platform::tls::install_provider();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let now = switchboard::platform::clock::Clock::system().now().seconds();
    let mut kept = Vec::new();
    for (number, secret) in [(1, SECRET), (2, "whsec_other")] {
        let sent = http
            .post(url)
            .header("x-service-timestamp", now)
            .header("x-service-signature", signature::sign(secret, now, BODY))
            .body(BODY)
            .send()
            .await
            .unwrap();
        let reported = process.next();
        assert_eq!(
            (&reported["number"], &reported["status"]),
            (&number.into(), &sent.status().as_u16().into())
        );
        let right = secret == SECRET;
        assert_eq!((sent.status() == 204, &reported["verified"]), (right, &Value::from(right)));
        let saved = PathBuf::from(reported["saved"].as_str().unwrap());
        let verified = switchboard(home.path()).args(["events", "verify"]).arg(&saved).output().unwrap();
        assert_eq!(verified.status.code(), Some(if right { 0 } else { 4 }), "{}", result_of(&verified).1);
        let later = switchboard(home.path())
            .args(["events", "verify", "--at", "2100-01-01T00:00:00Z"])
            .arg(&saved)
            .output()
            .unwrap();
        assert_eq!(later.status.code(), Some(if right { 5 } else { 4 }));
        kept.push(saved);
    }
    // several files at once, as when the shell expands a pattern
    let all = |files: &[&Path], more: &[&str]| {
        let output =
            switchboard(home.path()).args(["events", "verify"]).args(files).args(more).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap(), output.stderr)
    };
    let (good, bad) = (kept[0].as_path(), kept[1].as_path());
    let (code, reported, error) = all(&[good, bad], &[]);
    let lines: Vec<_> = reported.lines().collect();
    assert_eq!((code, lines.len()), (4, 2), "{reported}");
    assert!(lines[0].starts_with(&format!("{}: The signature is valid", good.display())), "{reported}");
    assert!(lines[1].starts_with(&format!("{}: rejected: no value", bad.display())), "{reported}");
    assert!(String::from_utf8(error).unwrap().contains("rejected: 1 of 2"));
    let (code, reported, error) = all(&[good, good], &[]);
    assert_eq!((code, reported.lines().count(), error), (0, 2, Vec::new()));
    // The first invalid request decides the exit code. In 2100 the timestamp of `good` is too old, and the signature of
    // `bad` matches no secret.
    let late = ["--at", "2100-01-01T00:00:00Z"];
    assert_eq!((all(&[good, bad], &late).0, all(&[bad, good], &late).0), (5, 4));
    for (files, expected) in [(&[good][..], 0), (&[good, bad], 4)] {
        let (code, reported, _) = all(files, &["--json"]);
        let document: Value = serde_json::from_str(&reported).unwrap();
        assert_eq!((code, &document["ok"]), (expected, &Value::from(expected == 0)), "{reported}");
        let requests = document["requests"].as_array().unwrap();
        assert_eq!(requests.len(), files.len());
        for (request, file) in requests.iter().zip(files) {
            assert_eq!(request["file"], file.display().to_string());
            assert_eq!(request["ok"], *file == good, "{reported}");
        }
    }
    // if one of the files is no saved request, the command names this file and gives no verdict about any file
    let stray = home.path().join("stray.json");
    std::fs::write(&stray, "{}").unwrap();
    let (code, reported, error) = all(&[good, stray.as_path()], &[]);
    assert_eq!((code, reported.as_str()), (1, ""));
    assert!(String::from_utf8(error).unwrap().contains("stray.json"));
}
