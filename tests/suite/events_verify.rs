//! `switchboard listen` and `switchboard events verify` as processes: what they print, what they keep, and the exit
//! code of each verdict. B-441.

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

/// The verdict over a request in pieces, judged at the moment it was signed.
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
    said(&child.wait_with_output().unwrap())
}

fn said(output: &Output) -> (i32, String) {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn every_verdict_has_an_exit_code() {
    let home = tempfile::tempdir().unwrap();
    let (at, late) = (AT.to_string(), (AT + 301).to_string());
    let good = signature::sign(SECRET, AT, BODY);
    let check = |timestamp: &str, value: &str, body: &[u8], at: &str| {
        verify(home.path(), timestamp, value, body, &["--at", at])
    };
    let (code, text) = check(&at, &good, BODY, &at);
    assert!(code == 0 && text.contains("The signature is right"), "{code} {text}");
    assert_eq!(check(&at, &good, b"{}", &at).0, 4);
    assert_eq!(check(&at, &good, BODY, &late).0, 5);
    assert_eq!(check("soon", &good, BODY, &at).0, 6);
    assert_eq!(check(&at, "v1=?", BODY, &at).0, 7);
    // what people do to bodies is told
    let (code, text) = check(&at, &good, &[BODY, b"\n"].concat(), &at);
    assert!(code == 4 && text.contains("line break"), "{code} {text}");
    // now it is long ago
    assert_eq!(verify(home.path(), &at, &good, BODY, &[]).0, 5);
    let (code, text) = verify(home.path(), &at, &good, BODY, &["--at", &at, "--json"]);
    assert_eq!((code, serde_json::from_str::<Value>(&text).unwrap()["matched_value"].clone()), (0, 1.into()));
    let no_secret = switchboard(home.path())
        .env_remove("SWITCHBOARD_SIGNING_SECRET")
        .args(["events", "verify", "--timestamp", "1", "--signature", "x"])
        .output()
        .unwrap();
    assert_eq!(no_secret.status.code(), Some(2));
}

/// A receiver in a process of its own; what it prints is read line by line.
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
        let line = self.lines.next().expect("it goes on").unwrap();
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
async fn what_was_received_can_be_verified_later() {
    let home = tempfile::tempdir().unwrap();
    let (mut process, started) =
        Process::start(home.path(), &["--http", "--save", "kept", "--status", "204"]);
    let url = started["callback_url"].as_str().unwrap();
    let host = url.strip_prefix("http://").unwrap().strip_suffix("/events").unwrap();
    assert_eq!(started["settings"]["SWITCHBOARD_ALLOW_PRIVATE_HOSTS"], host);
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
        let told = process.next();
        assert_eq!((&told["number"], &told["status"]), (&number.into(), &sent.status().as_u16().into()));
        let right = secret == SECRET;
        assert_eq!((sent.status() == 204, &told["verified"]), (right, &Value::from(right)));
        let saved = PathBuf::from(told["saved"].as_str().unwrap());
        let verified = switchboard(home.path()).args(["events", "verify"]).arg(&saved).output().unwrap();
        assert_eq!(verified.status.code(), Some(if right { 0 } else { 4 }), "{}", said(&verified).1);
        let later = switchboard(home.path())
            .args(["events", "verify", "--at", "2100-01-01T00:00:00Z"])
            .arg(&saved)
            .output()
            .unwrap();
        assert_eq!(later.status.code(), Some(if right { 5 } else { 4 }));
        kept.push(saved);
    }
    // all at once, as a shell's pattern gives them
    let all = |files: &[&Path], more: &[&str]| {
        let output =
            switchboard(home.path()).args(["events", "verify"]).args(files).args(more).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap(), output.stderr)
    };
    let (good, bad) = (kept[0].as_path(), kept[1].as_path());
    let (code, told, error) = all(&[good, bad], &[]);
    let lines: Vec<_> = told.lines().collect();
    assert_eq!((code, lines.len()), (4, 2), "{told}");
    assert!(lines[0].starts_with(&format!("{}: The signature is right", good.display())), "{told}");
    assert!(lines[1].starts_with(&format!("{}: refused: no value", bad.display())), "{told}");
    assert!(String::from_utf8(error).unwrap().contains("refused: 1 of 2"));
    let (code, told, error) = all(&[good, good], &[]);
    assert_eq!((code, told.lines().count(), error), (0, 2, Vec::new()));
    // the first fault decides: the good one is too old by then, the bad one is nobody's
    let late = ["--at", "2100-01-01T00:00:00Z"];
    assert_eq!((all(&[good, bad], &late).0, all(&[bad, good], &late).0), (5, 4));
    for (files, expected) in [(&[good][..], 0), (&[good, bad], 4)] {
        let (code, told, _) = all(files, &["--json"]);
        let document: Value = serde_json::from_str(&told).unwrap();
        assert_eq!((code, &document["ok"]), (expected, &Value::from(expected == 0)), "{told}");
        let requests = document["requests"].as_array().unwrap();
        assert_eq!(requests.len(), files.len());
        for (request, file) in requests.iter().zip(files) {
            assert_eq!(request["file"], file.display().to_string());
            assert_eq!(request["ok"], *file == good, "{told}");
        }
    }
    // a file that is none of ours is named, and no verdict is given without it
    let stray = home.path().join("stray.json");
    std::fs::write(&stray, "{}").unwrap();
    let (code, told, error) = all(&[good, stray.as_path()], &[]);
    assert_eq!((code, told.as_str()), (1, ""));
    assert!(String::from_utf8(error).unwrap().contains("stray.json"));
}
