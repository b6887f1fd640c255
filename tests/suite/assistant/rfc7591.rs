//! RFC 7591: dynamic client registration.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use switchboard::config::Name;

use crate::support::{
    assistant::{CHALLENGE, Client, VERIFIER},
    both_engines,
    oauth::*,
    *,
};

#[both_engines]
async fn a_client_registers(server: Server) {
    // A-070, A-071, A-073: a client registers with a JSON body and without authentication, and gets the registered
    // metadata
    let made = server.register(json!({"client_name": "Example", "scope": "service:read"})).await;
    assert!(made.client_id.starts_with("mcpc_"), "the id of a registered client begins with mcpc_ (A-073)");
    assert_eq!(made.client_secret, None, "a public client gets no secret (A-074)");
    let mut answer = made.answer.clone();
    answer.as_object_mut().unwrap().remove("client_id");
    assert_eq!(
        answer,
        json!({
            // the time of the registration (A-077)
            "client_id_issued_at": 1_795_176_000,
            "client_name": "Example",
            "redirect_uris": ["http://127.0.0.1/callback"],
            // without `grant_types` a client gets both grant types (A-106)
            "grant_types": ["authorization_code", "refresh_token"],
            // `code` is the only response type (A-107)
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "scope": "service:read",
        })
    );
    // D-242: registering twice creates two clients
    let again = server.register(json!({"client_name": "Example"})).await;
    assert_ne!(again.client_id, made.client_id);
}

#[both_engines]
async fn secrets_are_shown_once(server: Server) {
    for method in ["client_secret_basic", "client_secret_post"] {
        let made = server.register(json!({"token_endpoint_auth_method": method})).await;
        // A-074, A-077: a client that authenticates by a secret gets a secret, which does not expire
        assert!(made.client_secret.is_some(), "a confidential client gets a secret (A-074): {method}");
        assert_eq!(made.answer["client_secret_expires_at"], 0);
        assert_eq!(made.answer["token_endpoint_auth_method"], method);
        let list = server.operator().get("/admin/v1/assistant_clients").ok(200).await;
        assert!(
            !list.to_string().contains(&made.client_secret.unwrap()),
            "the list of clients contains no client secret (A-076)"
        );
    }
    // A-075: the default method is `client_secret_basic`
    let made = server.register(json!({"token_endpoint_auth_method": null})).await;
    assert_eq!(made.answer["token_endpoint_auth_method"], "client_secret_basic");
    assert!(made.client_secret.is_some());
    // A-108: other methods are refused
    for method in [json!("private_key_jwt"), json!(""), json!(5), json!(["none"])] {
        cannot_register(&server.api(), json!({"token_endpoint_auth_method": method}), INVALID).await;
    }
}

#[both_engines]
async fn an_unused_client_expires_after_30_days(server: Server) {
    let made = server.register(json!({"token_endpoint_auth_method": "client_secret_post"})).await;
    let secret = made.client_secret.unwrap();
    let revoke_status = async || {
        let form = [("token", "x"), ("client_id", &made.client_id), ("client_secret", &secret)];
        server.api().post("/revoke").form(&form).send().await.status
    };
    let exchange = || {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", "x"),
            ("code_verifier", VERIFIER),
            ("redirect_uri", "http://127.0.0.1/callback"),
            ("client_id", &made.client_id),
            ("client_secret", &secret),
        ];
        server.api().post("/token").form(&form).send()
    };
    let page = async || {
        let query = [
            ("response_type", "code"),
            ("client_id", &made.client_id),
            ("redirect_uri", "http://127.0.0.1/callback"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ];
        let query = serde_urlencoded::to_string(query).unwrap();
        server.browser().get(&format!("/authorize?{query}")).await
    };
    server.advance(DAY * 30 - Duration::from_secs(1)).await;
    assert_eq!(revoke_status().await, 200);
    exchange().await.denied(400, "invalid_grant");
    assert!(page().await.to().starts_with("/authorize/consent?"));
    // A-112: the client expires after 30 days, even if the maintenance job has not run yet
    server.clock.advance(Duration::from_secs(1));
    assert_eq!(revoke_status().await, 401);
    // the page is the same before and after the maintenance job deletes the client
    for is_deleted in [false, true] {
        if is_deleted {
            server.advance(Duration::from_secs(60)).await;
        }
        let shown = page().await;
        shown.is(400, "This app cannot be connected");
        assert_eq!(shown.header("location"), None, "an expired client is refused without a redirect (A-112)");
        exchange().await.denied(401, "invalid_client");
    }
    let list = server.operator().get("/admin/v1/assistant_clients").ok(200).await;
    assert_eq!(list["assistant_clients"], json!([]));
}

#[both_engines]
async fn the_operator_lists_clients(server: Server) {
    let first = server.register(json!({"client_name": "Tool ÄB"})).await;
    server.clock.advance(DAY);
    let uris = json!(["https://Claude.ai/cb", "https://claude.ai:8443/cb"]);
    let second = server.register(json!({"client_name": "x".repeat(41), "redirect_uris": uris})).await;
    let uris = json!(["com.example.app:/cb"]);
    server.register(json!({"client_name": "y".repeat(41), "redirect_uris": uris})).await;
    let list = server.operator().get("/admin/v1/assistant_clients").ok(200).await;
    let list = list["assistant_clients"].as_array().unwrap();
    assert_eq!(
        list[0],
        json!({
            "client_id": first.client_id, "kind": "registered", "display_name": "Tool ÄB",
            // with loopback redirect URIs, the block key is `local:` and the name in lower case (A-119)
            "block_keys": ["local:tool äb"],
            "created_at": "2026-11-20T12:00:00.000Z", "last_used_at": null,
        })
    );
    // A-118, A-122, A-126: the block key is the host of the redirect URIs in lower case. This key is well-known, so the
    // display name is the fixed name of the key, and not the `client_name`.
    assert_eq!(list[1]["client_id"], second.client_id.as_str());
    assert_eq!((&list[1]["display_name"], &list[1]["block_keys"]), (&json!("Claude"), &json!(["claude.ai"])));
    // A-121, A-128: the block key is the private-use scheme, and the display name is the `client_name`, cut to 40
    // characters
    assert_eq!(list[2]["display_name"], "y".repeat(40));
    assert_eq!(list[2]["block_keys"], json!(["com.example.app"]));
    let page = server.operator().get("/admin/v1/assistant_clients?limit=2").ok(200).await;
    let cursor = text(&page, "/next_cursor");
    let rest = server.operator().get(&format!("/admin/v1/assistant_clients?limit=2&cursor={cursor}"));
    let rest = rest.ok(200).await;
    assert_eq!(
        (rest["assistant_clients"].as_array().unwrap().len(), &rest["next_cursor"]),
        (1, &Value::Null)
    );
}

const DAY: Duration = Duration::from_secs(86_400);
const INVALID: &str = "invalid_client_metadata";
const REDIRECT: &str = "invalid_redirect_uri";

#[tokio::test]
async fn a_form_registers_a_client() {
    let server = Server::sqlite().await;
    // A-072, D-229: in a form, an array is a repeated parameter, whose name may end with `[]`
    let form = [
        ("client_name", "Form Tool"),
        ("redirect_uris", "http://127.0.0.1/a"),
        ("redirect_uris", "http://localhost/b"),
        ("grant_types[]", "authorization_code"),
        ("contacts", "ops@example.com"),
        ("token_endpoint_auth_method", "none"),
    ];
    let made = server.api().post("/register").form(&form).ok(201).await;
    assert_eq!(made["redirect_uris"], json!(["http://127.0.0.1/a", "http://localhost/b"]));
    assert_eq!(made["grant_types"], json!(["authorization_code"]));
    assert_eq!(made["contacts"], json!(["ops@example.com"]));
    let twice = [("client_name", "A"), ("client_name", "B"), ("redirect_uris", "http://127.0.0.1/a")];
    server.api().post("/register").form(&twice).denied(400, "invalid_request").await;
}

#[tokio::test]
async fn bodies_that_cannot_be_parsed_are_rejected() {
    let server = Server::sqlite().await;
    let post = || server.api().post("/register");
    let json = "application/json";
    for (media, body) in [
        (json, ""),
        (json, "{"),
        (json, "[]"),
        (json, "null"),
        (json, r#"{"client_name":"A","client_name":"B"}"#),
        (json, "{\"client_name\":\"\\ud800\"}"),
        ("text/plain", "{}"),
        ("application/x-www-form-urlencoded", "client_name=%FF"),
        ("application/json; charset=latin1", "{}"),
    ] {
        let answer = post().header("content-type", media).body(body).send().await;
        assert_eq!(
            answer.denied(400, "invalid_request").status,
            400,
            "a body that cannot be parsed is refused (A-084): {media} {body}"
        );
    }
    let large = format!("{{\"x\":\"{}\"}}", "y".repeat(1 << 20));
    // a body of more than 1 MiB is refused, as at the MCP endpoints (A-271)
    let answer = post().header("content-type", json).body(large).denied(413, "request_too_large").await;
    assert_eq!(answer.json(), json!({"error": "request_too_large"}));
    // `Accept` and the query are ignored
    let call = post().header("accept", "text/html").json(&metadata(json!({})));
    call.ok(201).await;
    server.api().post("/register?token=x").json(&metadata(json!({}))).ok(201).await;
}

#[both_engines]
async fn nul_is_rejected_with_the_code_of_its_member(server: Server) {
    // D-025: a member with U+0000 is refused with the error code of the member, and not as malformed JSON
    for (member, value, code) in [
        ("client_name", json!("a\0b"), INVALID),
        ("redirect_uris", json!(["http://127.0.0.1/\0"]), REDIRECT),
        ("redirect_uris", json!(["\0"]), REDIRECT),
        ("contacts", json!(["ops\0@example.com"]), INVALID),
        ("scope", json!("\0"), INVALID),
        ("grant_types", json!(["\0"]), INVALID),
        ("token_endpoint_auth_method", json!("none\0"), INVALID),
        ("unknown", json!({"a": ["\0"]}), INVALID),
        ("unknown\0", json!(1), INVALID),
    ] {
        let answer = server.api().post("/register").json(&metadata(json!({member: value}))).send().await;
        let text = answer.text();
        assert!(!text.contains("valid JSON"), "an escaped U+0000 is valid JSON (D-025): {member}: {text}");
        assert_eq!(
            (answer.status, &answer.json()["error"]),
            (400, &json!(code)),
            "the error code is that of the member (D-025): {member}: {text}"
        );
    }
    let form = "client_name=a%00b&redirect_uris=http%3A%2F%2F127.0.0.1%2Fa&token_endpoint_auth_method=none";
    for (form, code) in [
        (form.to_owned(), INVALID),
        (form.replace("%00", "").replace("Fa&", "F%00&"), REDIRECT),
        (form.replace("%00", "") + "&x=%00", INVALID),
    ] {
        let post = server.api().post("/register").header("content-type", "application/x-www-form-urlencoded");
        let answer = post.body(form.clone()).send().await;
        assert_eq!(
            (answer.status, &answer.json()["error"]),
            (400, &json!(code)),
            "the error code is that of the member (D-025): {form}: {}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn names_are_validated() {
    let configure = Arc::new(|config: &mut switchboard::config::Config| {
        config.service_name = Name::parse("Quorumchat").unwrap();
        config.maker_name = Name::parse("Acme Works").unwrap();
    });
    let server = Server::with(Options { configure: Some(configure), ..Options::default() }).await.unwrap();
    // A-078: 1 to 100 characters
    for name in ["x", "Tool", "Клиент", &"x".repeat(100), "Switchboard"] {
        let made = server.register(json!({"client_name": name})).await;
        assert_eq!(made.answer["client_name"], name);
    }
    // A-078, D-224: a name is converted to normalization form C, and then its length is counted
    assert_eq!(
        server.register(json!({"client_name": "Cafe\u{301}"})).await.answer["client_name"],
        "Caf\u{e9}"
    );
    let decomposed = "e\u{301}".repeat(100);
    assert_eq!(
        server.register(json!({"client_name": decomposed})).await.answer["client_name"],
        "\u{e9}".repeat(100)
    );
    for name in [
        json!(""),
        json!("x".repeat(101)),
        json!("e\u{301}".repeat(101)),
        json!("e\u{301}".repeat(300)),
        // A-079: missing, or not a string
        Value::Null,
        json!(5),
        json!(["x"]),
        // A-080: characters that are not printable, white space at the start
        json!("a\nb"),
        json!("a\u{202e}b"),
        json!("a\u{200b}b"),
        json!("a\u{e000}"),
        json!(" a"),
        // A-081: contains the name of the service
        json!("My QUORUMCHAT"),
        // A-082: contains the name of the service's maker
        json!("acmeworks app"),
        // A-083: contains a reserved word
        json!("AdMin"),
        json!("System tool"),
        json!("Support"),
        // D-225: a reserved word with separators, with look-alike letters, or inside another word
        json!("a d m i n"),
        json!("\u{430}dmin"),
        json!("Administrator"),
    ] {
        // an invalid name is invalid metadata (A-078 … A-084)
        cannot_register(&server.api(), json!({"client_name": name}), INVALID).await;
    }
}

#[tokio::test]
async fn redirect_uris_are_validated() {
    let server = Server::sqlite().await;
    let five: Vec<_> = (1..=5).map(|n| format!("https://a.example/{n}")).collect();
    for good in [
        // A-085: 1 to 5 redirect URIs
        json!(["https://a.example/1"]),
        json!(five),
        // A-086: an `https` URL, also with a port and a query
        json!(["https://a.example:8443/p?q=1"]),
        // A-087, A-088, A-089, A-102: the three loopback hosts, also together
        json!(["http://127.0.0.1:3000/cb", "http://localhost/cb", "http://[::1]:9/cb"]),
        // A-091, A-093: a private-use scheme with a period, and the schemes of editors
        json!(["com.example.app:/callback"]),
        json!(["vscode://publisher.extension/cb"]),
        json!(["vscode-insiders:/cb"]),
        json!(["cursor:/cb"]),
        json!(["windsurf:/cb"]),
        json!(["zed:/cb"]),
        // A-098, A-100, A-103, A-104: `https` URIs of one host, URIs of one private-use scheme, or loopback URIs
        // together with `https` URIs of any hosts
        json!(["https://a.example/1", "https://A.example:8443/2"]),
        json!(["com.example:/a", "com.example:/b"]),
        json!(["http://127.0.0.1/cb", "https://a.example/1", "https://b.example/1"]),
    ] {
        let made = server.register(json!({"redirect_uris": good})).await;
        assert_eq!(made.answer["redirect_uris"], good);
    }
    let mut six = five.clone();
    six.push("https://a.example/6".to_owned());
    for bad in [
        // A-085: none, more than 5, or not a list of strings
        json!([]),
        Value::Null,
        json!(six),
        json!("https://a.example/1"),
        json!([5]),
        // A-090: `http` with a host other than `127.0.0.1`, `localhost` and `[::1]`
        json!(["http://example.com/cb"]),
        json!(["http://127.0.0.2/"]),
        json!(["http://10.0.0.1/"]),
        json!(["http://localhost.evil.com/"]),
        // A-092, A-094: a scheme without a period, and forbidden schemes
        json!(["myapp:/cb"]),
        json!(["javascript:alert(1)"]),
        json!(["data:text/html,x"]),
        json!(["file:///x"]),
        json!(["vbscript:x"]),
        json!(["blob:https://a.example/x"]),
        json!(["about:blank"]),
        // A-095: a fragment, even an empty one
        json!(["https://a.example/#"]),
        json!(["https://a.example/#x"]),
        json!(["com.example:/cb#"]),
        // A-096: a user name
        json!(["https://user@a.example/"]),
        json!(["https://user:password@a.example/"]),
        json!(["http://user@127.0.0.1/cb"]),
        json!(["com.example://user@host/cb"]),
        // A-097: relative, a wildcard host, a forbidden character, an invalid port, too long
        json!(["/cb"]),
        json!(["https://*.a.example/"]),
        json!(["https://a.example\\b"]),
        json!(["https://a.example/ b"]),
        json!(["https://a.example/\u{e9}"]),
        json!(["https://a.example/\u{1}"]),
        json!(["https://a.example:0/"]),
        json!(["https://a.example:65536/"]),
        json!([format!("https://a.example/{}", "a".repeat(2048))]),
        // A-099 … A-101: `https` URIs of two hosts, URIs of two private-use schemes, or a private-use scheme together
        // with another kind of redirect URI
        json!(["https://a.example/", "https://b.example/"]),
        json!(["com.example:/cb", "org.example:/cb"]),
        json!(["com.example:/cb", "https://a.example/"]),
        json!(["com.example:/cb", "http://127.0.0.1/cb"]),
        // one invalid value beside a valid value
        json!(["https://a.example/", "http://a.example/"]),
    ] {
        // A-084: an invalid redirect URI has an error code of its own
        cannot_register(&server.api(), json!({"redirect_uris": bad}), REDIRECT).await;
    }
}

#[tokio::test]
async fn grant_types_and_response_types_are_validated() {
    let server = Server::sqlite().await;
    // A-105: only `authorization_code` and `refresh_token` are allowed
    let made = server.register(json!({"grant_types": ["authorization_code"]})).await;
    assert_eq!(made.answer["grant_types"], json!(["authorization_code"]));
    // a repeated value is stored once
    for (sent, kept) in [
        (json!(["authorization_code", "authorization_code"]), json!(["authorization_code"])),
        (
            json!(["refresh_token", "authorization_code", "refresh_token"]),
            json!(["refresh_token", "authorization_code"]),
        ),
    ] {
        assert_eq!(server.register(json!({"grant_types": sent})).await.answer["grant_types"], kept);
    }
    for bad in [
        json!(["implicit"]),
        json!(["authorization_code", "client_credentials"]),
        // A-106: no `authorization_code`, or not a list
        json!([]),
        json!(["refresh_token"]),
        json!("authorization_code"),
        // the length of the list is bounded, because anybody may register
        json!(vec!["authorization_code"; 11]),
        json!(vec!["authorization_code"; 40_000]),
    ] {
        cannot_register(&server.api(), json!({"grant_types": bad}), INVALID).await;
    }
    // A-107: only `["code"]` is allowed
    server.register(json!({"response_types": ["code"]})).await;
    for bad in [json!(["token"]), json!(["code", "token"]), json!([]), json!("code"), json!(["code", "code"])]
    {
        cannot_register(&server.api(), json!({"response_types": bad}), INVALID).await;
    }
}

#[tokio::test]
async fn extra_members_are_stored_and_never_used() {
    let server = Server::sqlite().await;
    // A-109: these members are stored and returned
    let extras = json!({
        "logo_uri": "https://client.example/logo.png", "client_uri": "https://client.example",
        "tos_uri": "https://client.example/tos", "policy_uri": "https://client.example/policy",
        "contacts": ["ops@client.example"], "scope": "service:read", "software_id": "x", "software_version": "1",
    });
    let made = server.register(extras.clone()).await;
    for (name, value) in extras.as_object().unwrap() {
        assert_eq!(&made.answer[name], value, "the member is stored and returned (A-109): {name}");
    }
    // the consent page shows none of these members (A-109), and the registered `scope` does not limit the scopes of an
    // authorization request (A-147)
    let client = Client {
        id: made.client_id,
        secret: None,
        redirect_uri: "http://127.0.0.1/callback".to_owned(),
        server: server.api(),
    };
    let (employee, scope) = (server.employee().await, "service:read service:write");
    let request = server.begin_for(&client, &[("scope", scope)]).await.request();
    let page = employee.open(&server, &request).await.expect("the consent page").page;
    assert!(
        !page.text.contains("client.example"),
        "the consent page does not show these members (A-109): {}",
        page.text
    );
    let code = employee.approve(&server, &client, &[("scope", scope)]).await;
    assert_eq!(
        client.exchange(&code).await.ok()["scope"],
        scope,
        "a request may name any scope of the resource, whatever scope was registered (A-147)"
    );
    // A-111, D-025: unknown members are not returned; they are ignored unless they contain U+0000
    let unknown = json!({"application_type": "native", "jwks": {"keys": []}, "software_statement": "x.y.z"});
    let made = server.register(unknown.clone()).await;
    for name in unknown.as_object().unwrap().keys() {
        assert!(made.answer.get(name).is_none(), "an unknown member is not returned (A-111): {name}");
    }
    // A-110, A-325: the eight members together have at most 4,096 bytes as compact JSON
    let sized = |bytes: usize| {
        let empty = json!({"logo_uri": "", "contacts": ["é"]}).to_string().len();
        json!({"logo_uri": "x".repeat(bytes - empty), "contacts": ["é"]})
    };
    assert_eq!(sized(4096).to_string().len(), 4096);
    server.register(sized(4096)).await;
    cannot_register(&server.api(), sized(4097), INVALID).await;
    // D-233: members of the wrong type
    for wrong in [
        json!({"logo_uri": 1}),
        json!({"contacts": "ops@client.example"}),
        json!({"contacts": [1]}),
        json!({"scope": ["service:read"]}),
        json!({"software_version": 1.5}),
    ] {
        cannot_register(&server.api(), wrong, INVALID).await;
    }
}
