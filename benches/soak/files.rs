//! Uploads files, and attaches them to messages, deletes them, or leaves them unattached. Also interrupts uploads.

use std::{sync::Arc, time::Instant};

use rand::{Rng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::json;

use super::{http::new_request, site::Site, wire};

pub const COUNT: usize = 2;
/// Average number of uploads per second of each of the [`COUNT`] clients, with the default `--rate`. Includes the
/// uploads that the client interrupts.
const RATE: f64 = 1.5;
/// Maximum size of an uploaded file in bytes.
const LARGEST: usize = 100_000;

pub async fn run(site: Arc<Site>, number: usize) {
    let (mut rng, mut pace) = (site.rng(4, number), site.rng(104, number));
    let company = &site.company;
    while !site.is_stopping() {
        let begun = Instant::now();
        let owner = &company.employees.choose(&mut rng).unwrap().id;
        if rng.random_bool(0.1) {
            cut_off(&site, owner).await;
            site.pace(&mut pace, begun, RATE).await;
            continue;
        }
        let text = "All 318 tests passed.\n".repeat(rng.random_range(1..LARGEST / 22));
        let path = company.path("/files?name=build.log");
        let request = new_request("admin: upload a file", Method::POST, path).body("text/plain", text);
        let made = site.http.admin(request.header("x-acting-user", owner.clone())).await;
        let file = made.text_at("/file/id");
        match rng.random_range(0..100) {
            // the upload failed
            _ if file.is_empty() => {}
            // the file is never attached, so the server deletes it after a day
            0..30 => {}
            30..50 => {
                let path = format!("/admin/v1/files/{file}");
                site.change("admin: delete a file", Method::DELETE, &path, None).await;
            }
            _ => {
                let group = company.groups.choose(&mut rng).unwrap();
                let body = json!({"type": "file", "user_id": owner, "text": "The log", "file_ids": [file]});
                let path = format!("/admin/v1/conversations/{group}/messages");
                let sent =
                    site.http.admin(new_request("admin: send a file", Method::POST, path).json(&body)).await;
                if sent.is_ok() {
                    company.attached(group, file);
                }
            }
        }
        site.pace(&mut pace, begun, RATE).await;
    }
}

/// Begins an upload whose connection is closed in the middle of the content.
async fn cut_off(site: &Site, owner: &str) {
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\nx-acting-user: {owner}\r\n\
         content-type: text/plain\r\ncontent-length: 500000\r\n\r\n",
        site.company.path("/files?name=cut-off.log"),
        site.http.operator_key(),
    );
    let bytes = [head.as_bytes(), &[b'x'; 100_000]].concat();
    wire::send_and_reset(site.address, wire::from(99), &bytes).await;
}
