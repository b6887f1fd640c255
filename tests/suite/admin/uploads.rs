//! Large uploads (W-27) are stored while they arrive, use bounded memory, and are deleted if they are not completed.

use std::path::Path;

use serde_json::Value;
use switchboard::domain::token::{self, TokenKind};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::*;

const MIB: usize = 1 << 20;
const MAX_SIZE: usize = 100 * MIB;

/// Returns the sizes of all contents in the folder, including incomplete contents.
fn stored(files: &Path) -> Vec<u64> {
    let entries = std::fs::read_dir(files).unwrap();
    // a file may be renamed or removed after it was listed
    entries.filter_map(|entry| Some(entry.unwrap().metadata().ok()?.len())).collect()
}

/// Sends the head of an upload. `length` is the header line `Content-Length` or `Transfer-Encoding`.
async fn begin(process: &Process, key: &str, company: &Company, length: &str) -> TcpStream {
    let authority = process.base.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(authority).await.unwrap();
    let head = format!(
        "POST {}?name=a HTTP/1.1\r\nhost: {authority}\r\nauthorization: Bearer {key}\r\n\
         content-type: text/plain\r\nconnection: close\r\n{length}\r\n\r\n",
        company.path("/files")
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

async fn send(socket: &mut TcpStream, bytes: usize) {
    for _ in 0..bytes / MIB {
        socket.write_all(&[b'x'; MIB]).await.unwrap();
    }
}

async fn answer(mut socket: TcpStream) -> (u16, Value) {
    let mut text = String::new();
    socket.read_to_string(&mut text).await.unwrap();
    let (head, body) = text.split_once("\r\n\r\n").expect("the response has a head and a body");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or_else(|e| panic!("{e}: {text}")))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_is_stored_as_it_arrives_and_deleted_if_incomplete() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("files");
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let process = Process::start(folder.path(), &key, &[]);
    let company = Company::create(process.api(&key)).await;
    let before = process.reset_peak_memory();

    let mut socket = begin(&process, &key, &company, &format!("content-length: {MAX_SIZE}")).await;
    send(&mut socket, 64 * MIB).await;
    // received bytes are stored before the upload is complete
    until(async || stored(&files).iter().sum::<u64>() >= 48 << 20).await;
    send(&mut socket, 36 * MIB).await;
    let (status, body) = answer(socket).await;
    assert_eq!((status, &body["file"]["size"]), (201, &Value::from(MAX_SIZE)), "{body}");
    assert_eq!(stored(&files), [MAX_SIZE as u64]);
    // the content of the deleted file remains stored until a maintenance job purges it
    company.operator.delete(&format!("/admin/v1/files/{}", text(&body, "/file/id"))).ok(200).await;

    // the client disconnects during the upload
    let mut socket = begin(&process, &key, &company, &format!("content-length: {MAX_SIZE}")).await;
    send(&mut socket, 32 * MIB).await;
    until(async || stored(&files).len() == 2).await;
    drop(socket);
    // the incomplete content is deleted
    until(async || stored(&files) == [MAX_SIZE as u64]).await;

    // an upload without `Content-Length` is larger than allowed
    let mut socket = begin(&process, &key, &company, "transfer-encoding: chunked").await;
    for _ in 0..MAX_SIZE / MIB {
        socket.write_all(format!("{MIB:x}\r\n").as_bytes()).await.unwrap();
        send(&mut socket, MIB).await;
        socket.write_all(b"\r\n").await.unwrap();
    }
    socket.write_all(b"1\r\nx\r\n0\r\n\r\n").await.unwrap();
    let (status, body) = answer(socket).await;
    assert_eq!((status, text(&body, "/error/code").as_str()), (413, "payload_too_large"));
    until(async || stored(&files) == [MAX_SIZE as u64]).await;

    let grown = process.peak_memory().saturating_sub(before);
    assert!(grown < 48 << 20, "three large uploads need less than 48 MiB of memory: {} MiB", grown >> 20);
}

/// Stalled uploads use little memory, because the received bytes are on disk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_uploads_hold_little_memory() {
    const SENT: usize = 7 * MIB;
    const UPLOADS: usize = 32;
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("files");
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let process = Process::start(folder.path(), &key, &[]);
    let company = Company::create(process.api(&key)).await;
    let before = process.reset_peak_memory();
    let mut stalled = Vec::new();
    for _ in 0..UPLOADS {
        let mut socket = begin(&process, &key, &company, &format!("content-length: {MAX_SIZE}")).await;
        send(&mut socket, SENT).await;
        stalled.push(socket);
    }
    until(async || stored(&files).iter().sum::<u64>() >= (UPLOADS * (SENT - MIB)) as u64).await;
    let grown = process.peak_memory().saturating_sub(before);
    assert!(
        grown < 64 << 20,
        "{UPLOADS} stalled uploads need less than 64 MiB of memory: {} MiB",
        grown >> 20
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn incomplete_uploads_of_a_killed_process_are_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let files = folder.path().join("files");
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let settings = [("SWITCHBOARD_TEST_CLOCK", "1")];
    let process = Process::start(folder.path(), &key, &settings);
    let company = Company::create(process.api(&key)).await;
    let mut socket = begin(&process, &key, &company, &format!("content-length: {MAX_SIZE}")).await;
    send(&mut socket, 32 * MIB).await;
    until(async || !stored(&files).is_empty()).await;
    process.kill();
    assert_eq!(stored(&files).len(), 1, "the incomplete content remains after the process is killed");

    let process = Process::start(folder.path(), &key, &settings);
    let operator = process.api(&key);
    let advance = |seconds: i64| {
        let moved = operator.post("/admin/v1/clock");
        async move { moved.json(&serde_json::json!({"advance_seconds": seconds})).ok(200).await }
    };
    // the content is kept for an hour, because another node may be receiving it
    advance(50 * 60).await;
    assert_eq!(stored(&files).len(), 1);
    let kept = operator
        .post(&format!("{}?name=b", company.path("/files")))
        .header("content-type", "text/plain")
        .body("x");
    let kept = kept.ok(201).await;
    advance(11 * 60).await;
    assert_eq!(stored(&files), [1], "only the incomplete content is deleted after an hour: {kept}");
    advance(2 * 60 * 60).await;
    assert_eq!(stored(&files), [1]);
}
