//! The OAuth part of `switchboard connect`: discovery, registration, consent, tokens, and the saved connection.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;
use switchboard::store::Engine;

use super::*;
use crate::support::{oauth::ClientHost, receiver::authority_pem};

#[both_engines]
async fn connect_signs_in_refreshes_and_revokes(server: Server) {
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    let more = ["--login-only", "--refresh", "--revoke", "--save", "kept.json"];
    let (document, code) = folder.connect(&server, &employee, &more).await;
    assert_eq!((code, &document["ok"]), (0, &json!(true)), "the command succeeds: {document:#}");
    let completed = steps(&document);
    let expected = ["resource", "server", "registration", "authorization", "token", "refresh", "revoke"];
    assert_eq!(
        completed[completed.len() - expected.len()..],
        expected,
        "these are the last steps, in this order: {document:#}"
    );
    // the steps show the metadata of RFC 9728 and RFC 8414
    assert_eq!(step(&document, "resource")["resource"], format!("{}/mcp", server.base));
    assert_eq!(step(&document, "server")["metadata"]["issuer"], server.base);
    let token = step(&document, "token");
    assert_eq!(token["scope"], "service:read service:write");
    assert_eq!(step(&document, "refresh")["rotated"], true);
    // tokens are never printed completely
    let shown = token["access_token"].as_str().unwrap();
    assert!(shown.starts_with("svc_mcp_at_test_") && shown.ends_with('…') && shown.chars().count() < 25);
    employee.assert_revoked_for("client").await;
    let file = folder.file("kept.json");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(saved_connection(&file)["tokens"], Value::Null);
}

#[tokio::test]
async fn only_what_the_server_sent_is_reported() {
    let folder = RunFolder::new();
    for registers in [true, false] {
        let server = fake::terse(registers.then(|| json!({"client_id": "a"}))).await;
        let mcp = format!("{}/mcp", server.url);
        let who = ["--sign-in", "ada@example.com", "--password-file", "password"];
        let output = folder.run(&[&["--json", "--login-only", "--mcp", &mcp][..], &who].concat()).await;
        let (document, code) = read(&output);
        assert_eq!(code == 0, registers, "{document:#}");
        assert_eq!(
            step(&document, "challenge")["said"],
            "without a token: 401, without the URL of the metadata",
            "{document:#}"
        );
        let said = text(step(&document, "server"), "/said");
        let clients = match registers {
            true => "; clients by registration",
            false => "; neither metadata documents nor registration of clients",
        };
        assert!(said.ends_with(clients), "{said}");
        if registers {
            let said = text(step(&document, "authorization"), "/said");
            assert!(
                said.ends_with("state of the response is correct, and the response has no iss"),
                "{said}"
            );
            assert_eq!(step(&document, "authorization")["iss"], Value::Null);
        }
    }
}

#[tokio::test]
async fn a_client_uses_the_authentication_method_that_the_server_registered() {
    let folder = RunFolder::new();
    let mut registered = json!({"client_id": "a", "client_secret": "s"});
    // the command does not support `private_key_jwt`, so it fails
    for (method, expected) in [("client_secret_basic", 0), ("private_key_jwt", 1)] {
        registered["token_endpoint_auth_method"] = json!(method);
        let server = fake::terse(Some(registered.clone())).await;
        let mcp = format!("{}/mcp", server.url);
        let who = ["--sign-in", "ada@example.com", "--password-file", "password"];
        let arguments = ["--json", "--login-only", "--mcp", &mcp, "--auth", "post", "--save", method];
        let run = async || read(&folder.run(&[&arguments[..], &who].concat()).await);
        let (document, code) = run().await;
        assert_eq!(code, expected, "{document:#}");
        // the command requested `client_secret_post`, so a warning or the error names the registered method
        let said = match expected {
            0 => document["warnings"].to_string(),
            _ => text(&document, "/failed/message"),
        };
        assert!(said.contains(method), "{document:#}");
        if expected == 0 {
            // the same command, run again, uses the saved access token
            let (document, code) = run().await;
            assert_eq!((code, steps(&document)), (0, vec!["saved"]), "{document:#}");
        }
    }
}

#[tokio::test]
async fn a_later_run_uses_the_saved_connection() {
    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    let (first, code) = folder.connect(&server, &employee, &["--login-only", "--save", "kept.json"]).await;
    assert_eq!(code, 0, "the command succeeds: {first:#}");
    let file = folder.file("kept.json");
    let tokens = saved_connection(&file)["tokens"].clone();
    // the second run needs no address, no employee and no browser
    let again = ["--json", "--save", "kept.json", "--login-only"];
    let (second, code) = read(&folder.run(&again).await);
    assert_eq!((code, steps(&second)), (0, vec!["saved"]), "the saved access token is used: {second:#}");
    assert_eq!(saved_connection(&file)["tokens"], tokens);
    // an expired access token is refreshed
    let mut expired = saved_connection(&file);
    expired["tokens"]["expires_at"] = json!(1);
    std::fs::write(&file, expired.to_string()).unwrap();
    let (third, code) = read(&folder.run(&again).await);
    assert_eq!(
        (code, steps(&third)),
        (0, vec!["saved", "refresh"]),
        "an expired access token is refreshed: {third:#}"
    );
    assert_ne!(saved_connection(&file)["tokens"]["access_token"], tokens["access_token"]);
    server.assert_active(&Tokens::of(&saved_connection(&file)["tokens"])).await;
    // after a revocation the same client makes a new connection
    let path = format!("/admin/v1/connections/{}", text(&employee.connections().await.pop().unwrap(), "/id"));
    server.operator().delete(&path).ok(200).await;
    let client = saved_connection(&file)["client"]["client_id"].clone();
    let mut expired = saved_connection(&file);
    expired["tokens"]["expires_at"] = json!(1);
    std::fs::write(&file, expired.to_string()).unwrap();
    let (fourth, code) = folder.connect(&server, &employee, &["--login-only", "--save", "kept.json"]).await;
    assert_eq!(
        (code, steps(&fourth)),
        (0, vec!["saved", "authorization", "token"]),
        "a revoked connection is replaced: {fourth:#}"
    );
    assert!(fourth["warnings"][0].as_str().unwrap().contains("connecting again"));
    assert_eq!(saved_connection(&file)["client"]["client_id"], client);
    // the saved connection is for `/mcp`, so `--readonly` is rejected, both with and without `--mcp`
    let with_address = folder.connect(&server, &employee, &["--readonly", "--save", "kept.json"]).await;
    let without_address =
        read(&folder.run(&["--json", "--readonly", "--save", "kept.json", "--login-only"]).await);
    for (other, code) in [with_address, without_address] {
        assert_eq!(
            (code, &other["failed"]["step"]),
            (2, &json!("arguments")),
            "`--readonly` is rejected for a connection to `/mcp`: {other:#}"
        );
        let message = other["failed"]["message"].as_str().unwrap();
        assert!(
            message.contains("--fresh") && message.contains("another file"),
            "the error says what to do: {message}"
        );
    }
}

#[tokio::test]
async fn options_that_differ_from_the_saved_connection_are_not_ignored() {
    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    let file = folder.file("kept.json");
    let with_scope = async |scope: &str| {
        let more = ["--login-only", "--scope", scope, "--save", "kept.json"];
        folder.connect(&server, &employee, &more).await
    };
    let (first, code) = with_scope("service:read").await;
    assert_eq!(code, 0, "the command succeeds: {first:#}");
    let client = saved_connection(&file)["client"]["client_id"].clone();
    let (same, code) = with_scope("service:read").await;
    assert_eq!((code, steps(&same)), (0, vec!["saved"]), "the saved access token is used: {same:#}");
    // the same client now requests both scopes
    let (wider, code) = with_scope("service:write service:read").await;
    assert_eq!((code, steps(&wider)), (0, vec!["saved", "authorization", "token"]), "{wider:#}");
    let kept = saved_connection(&file);
    assert_eq!(kept["tokens"]["scope"], "service:read service:write");
    assert_eq!(kept["client"]["client_id"], client);
    for more in [&["--scope", "service:read  service:write"][..], &[]] {
        let arguments = [&["--json", "--login-only", "--save", "kept.json"][..], more].concat();
        let (document, code) = read(&folder.run(&arguments).await);
        assert_eq!((code, steps(&document)), (0, vec!["saved"]), "{more:?}: {document:#}");
    }
    // options that describe another client than the saved client are rejected
    for option in [["--auth", "basic"], ["--cimd", "https://client.example/client.json"]] {
        let arguments = [&["--json", "--login-only", "--save", "kept.json"][..], &option].concat();
        let (document, code) = read(&folder.run(&arguments).await);
        assert_eq!((code, &document["failed"]["step"]), (2, &json!("arguments")), "{document:#}");
        let message = document["failed"]["message"].as_str().unwrap();
        assert!(message.contains(option[0]) && message.contains("--fresh"), "{message}");
    }
}

#[tokio::test]
async fn clients_connect_with_every_authentication_method() {
    for auth in ["none", "basic", "post"] {
        let server = Server::sqlite().await;
        let (folder, employee) = (RunFolder::new(), server.employee().await);
        let more = ["--login-only", "--auth", auth, "--refresh", "--save", "kept.json", "--readonly"];
        let (document, code) = folder.connect(&server, &employee, &more).await;
        assert_eq!(code, 0, "the command succeeds: {auth}: {document:#}");
        let kept = saved_connection(&folder.file("kept.json"));
        assert_eq!(kept["client"]["client_secret"].is_string(), auth != "none");
        // RFC 8707: the token is for the requested endpoint
        assert_eq!(kept["mcp"], format!("{}/mcp/readonly", server.base));
        assert_eq!(kept["tokens"]["scope"], "service:read");
        let connection = employee.connections().await.pop().unwrap();
        assert_eq!(connection["resource"], kept["mcp"]);
        assert_eq!(connection["display_name"], "Connection Tester");
    }
}

#[tokio::test]
async fn a_client_with_a_metadata_document_connects() {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, false).await.unwrap();
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    std::fs::write(folder.file("ca.pem"), authority_pem()).unwrap();
    let more = ["--login-only", "--cimd", &host.client_id, "--ca-file", "ca.pem"];
    let (document, code) = folder.connect(&server, &employee, &more).await;
    assert_eq!(code, 0, "the command succeeds: {document:#}");
    assert_eq!(step(&document, "document")["client_id"], host.client_id);
    let connection = employee.connections().await.pop().unwrap();
    assert_eq!((&connection["client_id"], &connection["state"]), (&json!(host.client_id), &json!("active")));
    // a document that the command cannot use is reported before an authorization request is sent
    for (members, why) in [
        (json!({"client_id": "https://other.example/client.json"}), "client_id"),
        (json!({"token_endpoint_auth_method": "private_key_jwt"}), "public"),
        (json!({"redirect_uris": ["https://client.example/callback"]}), "127.0.0.1"),
    ] {
        host.publish(members, &[]);
        let (document, code) = folder.connect(&server, &employee, &more).await;
        assert_eq!((code, &document["failed"]["step"]), (1, &json!("document")));
        assert!(
            document["failed"]["message"].as_str().unwrap().contains(why),
            "the error names the problem: {document:#}"
        );
    }
}

#[tokio::test]
async fn the_redirect_uri_of_a_metadata_document_is_changed_only_in_its_port() {
    for (listed, rest) in [
        ("http://127.0.0.1/callback?app=a%20b", "/callback?app=a%20b"),
        ("http://127.0.0.1:3118", ""),
        ("http://127.0.0.1?app='1'", "?app='1'"),
    ] {
        let host = ClientHost::start().await;
        host.publish(json!({"redirect_uris": ["http://127.0.0.2/callback", listed]}), &[]);
        let server = host.server(Engine::Sqlite, false).await.unwrap();
        let (folder, employee) = (RunFolder::new(), server.employee().await);
        std::fs::write(folder.file("ca.pem"), authority_pem()).unwrap();
        let more = ["--login-only", "--cimd", &host.client_id, "--ca-file", "ca.pem"];
        let (document, code) = folder.connect(&server, &employee, &more).await;
        assert_eq!(code, 0, "the command succeeds: {listed}: {document:#}");
        let used = step(&document, "authorization")["redirect_uri"].as_str().unwrap();
        let after_port = used.strip_prefix("http://127.0.0.1:").expect("a port");
        // a server ignores a different port, but compares all other bytes (RFC 8252 §7.3)
        assert_eq!(after_port.trim_start_matches(|c: char| c.is_ascii_digit()), rest, "{used}");
    }
}

#[tokio::test]
async fn reasons_that_prevent_consent_are_reported() {
    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    std::fs::write(folder.file("password"), "wrong").unwrap();
    let (document, code) = folder.connect(&server, &employee, &["--login-only"]).await;
    assert_eq!((code, &document["failed"]["step"]), (1, &json!("authorization")));
    let message = document["failed"]["message"].as_str().unwrap();
    assert!(
        message.contains("Wrong e-mail address or password"),
        "the error of the sign-in is reported: {message}"
    );
    std::fs::write(folder.file("password"), PASSWORD).unwrap();
    // a company that has turned assistants off cannot be chosen
    let path = employee.company.path("");
    server.operator().patch(&path).json(&json!({"ai_assistants": false})).ok(200).await;
    let (document, code) = folder.connect(&server, &employee, &["--login-only"]).await;
    assert_eq!(code, 1, "the command fails: {document:#}");
    assert!(
        document["failed"]["message"].as_str().unwrap().contains("no company"),
        "the reason of the consent page is reported: {document:#}"
    );
}

#[tokio::test]
async fn a_trace_shows_requests_without_secrets() {
    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    let mcp = format!("{}/mcp", server.base);
    let arguments = [
        "--mcp",
        &mcp,
        "--sign-in",
        &employee.email,
        "--password-file",
        "password",
        "--login-only",
        "--trace",
        "--auth",
        "basic",
        "--save",
        "kept.json",
    ];
    let output = folder.run(&arguments).await;
    let all = output_text(&output);
    assert!(output.status.success(), "the command succeeds: {all}");
    for shown in ["> POST ", "/token\n", "< 200 OK", "> authorization: Basic ", "code_verifier="] {
        assert!(all.contains(shown), "the trace shows requests and responses: {shown}: {all}");
    }
    let kept = saved_connection(&folder.file("kept.json"));
    for secret in ["/tokens/access_token", "/tokens/refresh_token", "/client/client_secret"] {
        assert!(!all.contains(&text(&kept, secret)), "the trace hides secrets: {secret}");
    }
    let codes = all.matches("svc_mcp_code_").count();
    assert!(codes > 0 && !all.contains(PASSWORD) && !all.contains(&PASSWORD.replace(' ', "+")));
    let whole = regex::Regex::new("svc_mcp_code_[0-9A-Za-z]{40}").unwrap();
    assert!(!whole.is_match(&all), "the trace hides codes: {all}");
}

#[tokio::test]
async fn a_denial_in_the_browser_is_reported() {
    use std::{
        io::{BufRead, BufReader, Read},
        process::{Command, Stdio},
    };

    let server = Server::sqlite().await;
    let (folder, employee) = (RunFolder::new(), server.employee().await);
    let mut child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .args(["connect", "--login-only", "--json", "--mcp", &format!("{}/mcp", server.base)])
        .current_dir(folder.home.path())
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let url = tokio::task::spawn_blocking(move || {
        let url = err.by_ref().lines().map(Result::unwrap).find(|line| line.starts_with("http"));
        (url.expect("the command prints a URL"), err)
    });
    let (url, _err) = url.await.unwrap();
    // the employee denies the request in a browser
    let mut browser = server.signed_in(&employee.email, PASSWORD).await;
    let path = url.strip_prefix(&server.base).unwrap();
    let consent = browser.get(path).await.to().to_owned();
    let to = browser.submit(&consent, &[("decision", "deny")]).await.to().to_owned();
    let shown = reqwest::Client::builder().no_proxy().build().unwrap().get(&to).send().await.unwrap();
    assert!(shown.text().await.unwrap().contains("Not connected"));
    let output = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
    let (document, code) = read(&output);
    assert_eq!(code, 1, "the command fails: {document:#}");
    let message = document["failed"]["message"].as_str().unwrap();
    assert!(message.starts_with("access_denied"), "the denial is reported: {message}");
}
