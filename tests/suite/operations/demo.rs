//! Tests of `switchboard seed demo --json`. The output names people and an assistant client: an employee can open the
//! client's consent page. An invalid callback URL is rejected before anything is created.

use std::process::{Command, Output};

use serde_json::Value;
use switchboard::domain::token::{self, TokenKind};

use crate::support::{Process, assistant::CHALLENGE, browser::Browser};

/// Runs `switchboard seed demo --json` with additional arguments.
async fn seed(base: &str, operator_key: &str, more: &'static [&str]) -> Output {
    let (base, operator_key) = (base.to_owned(), operator_key.to_owned());
    let run = move || {
        Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .args(["seed", "demo", "--json", "--url", &base])
            .args(more)
            .env_clear()
            .env("SWITCHBOARD_OPERATOR_KEY", operator_key)
            .output()
            .unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_callback_url_is_refused_before_anything_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let operator_key = token::mint(TokenKind::Operator, &[9; 32]);
    let process = Process::start(folder.path(), &operator_key, &[]);
    let seeded = seed(&process.base, &operator_key, &["--callback-url", "localhost:8081"]).await;
    assert_eq!(seeded.status.code(), Some(2), "{}", String::from_utf8_lossy(&seeded.stderr));
    // the command accepts the syntax of this URL; the server rejects it, because the URL does not use https
    let seeded = seed(&process.base, &operator_key, &["--callback-url", "http://example.com/events"]).await;
    let said = String::from_utf8_lossy(&seeded.stderr);
    assert!(!seeded.status.success() && said.contains("callback_url must use https"), "{said}");
    let companies = process.api(&operator_key).get("/admin/v1/workspaces").ok(200).await;
    assert_eq!(companies["workspaces"], serde_json::json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_employee_of_the_demo_can_open_the_consent_page_of_its_assistant_client() {
    let folder = tempfile::tempdir().unwrap();
    let operator_key = token::mint(TokenKind::Operator, &[9; 32]);
    let process = Process::start(folder.path(), &operator_key, &[]);
    let base = process.base.clone();
    let seeded = seed(&base, &operator_key, &[]).await;
    assert!(seeded.status.success(), "{}", String::from_utf8_lossy(&seeded.stderr));
    let demo: Value = serde_json::from_slice(&seeded.stdout).unwrap();
    let client_id = demo["assistant_client"]["client_id"].as_str().expect("a client id");
    assert!(client_id.starts_with("mcpc_"), "{client_id}");
    // the admin API lists the client (W-43)
    let listed = process.api(&operator_key).get("/admin/v1/assistant_clients").ok(200).await;
    assert_eq!(listed["assistant_clients"][0]["client_id"], client_id);
    // An employee of the demo company opens the consent page of the client. The client's loopback redirect URI may have
    // any port.
    let redirect = demo["assistant_client"]["redirect_uri"].as_str().expect("a redirect URI");
    let redirect = redirect.replace("127.0.0.1", "127.0.0.1:53682");
    let query = serde_urlencoded::to_string([
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", &redirect),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]);
    let mut browser = Browser::at(&base);
    let consent = browser.get(&format!("/authorize?{}", query.unwrap())).await.to().to_owned();
    let employee = &demo["people"]["employee"];
    let [email, password] =
        ["email", "password"].map(|name| employee[name].as_str().expect("an e-mail address and a password"));
    browser.sign_in(email, password, &consent).await;
    browser.get(&consent).await.shows("Connect Desk Assistant?");
}
