//! The rules for JSON bodies (B-027, B-147, B-160, D-012, D-022 … D-028, D-071).

use serde_json::{Value, json};

use crate::support::{BotFixture, Server, api::Answer, both_engines, fresh_key, to_conversation};

/// Sends these bytes as the body of `POST /v1/messages`.
async fn post(fixture: &BotFixture, body: impl Into<Vec<u8>>) -> Answer {
    let call =
        fixture.bot.api.post("/v1/messages").key(&fresh_key()).header("content-type", "application/json");
    call.body(body.into()).send().await
}

/// Returns a body with a valid `to` and `text`, followed by `members`. `members` is inserted unchanged, so it begins
/// with a comma unless it is empty.
fn with_members(fixture: &BotFixture, members: &str) -> String {
    format!(r#"{{"to":{{"type":"conversation","id":"{}"}},"text":"x"{members}}}"#, fixture.group)
}

#[tokio::test]
async fn bodies_other_than_json_objects_are_refused() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let valid = with_members(&fixture, "");
    for body in [
        // B-147: not JSON, or not an object
        "x".to_owned(),
        "null".into(),
        "5".into(),
        "\"text\"".into(),
        "[]".into(),
        format!("[{valid}]"),
        "{".into(),
        " ".into(),
        valid[..valid.len() - 1].to_owned(),
        format!("{valid}{valid}"),
        format!("{valid},"),
        format!("{valid} x"),
        with_members(&fixture, ","),
        valid.replace('"', "'"),
        with_members(&fixture, ", // a comment\n \"a\": 1"),
        with_members(&fixture, r#", "a": NaN"#),
        with_members(&fixture, r#", "a": 01"#),
        with_members(&fixture, r#", "a": +1"#),
        with_members(&fixture, r#", "a": .5"#),
        with_members(&fixture, r#", "a": "\x41""#),
        with_members(&fixture, ", \"a\": \"a\nb\""),
        with_members(&fixture, ", a: 1"),
    ] {
        let answer = post(&fixture, body.clone()).await;
        assert_eq!(
            answer.status,
            400,
            "a body that is no JSON object is refused (B-147): {body}: {}",
            answer.text()
        );
        answer.refused(400, "invalid_request");
    }
    post(&fixture, format!(" \r\n\t{valid}\n")).await.ok(201);
}

#[tokio::test]
async fn repeated_members_are_refused() {
    // D-022: a member must not occur twice in one object
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for members in [
        r#","text":"x""#,
        r#","te\u0078t":"x""#,
        r#","to":{"type":"user","id":"x"}"#,
        r#","unknown":1,"unknown":1"#,
        r#","metadata":{"a":1,"a":1}"#,
        r#","metadata":{"a":{"b":[{"c":1,"c":2}]}}"#,
        r#","metadata":{"a":1,"\u0061":1}"#,
        r#","blocks":[{"type":"header","type":"header","text":"x"}]"#,
        r#","blocks":[{"type":"header","text":"x","other":{"a":1,"a":1}}]"#,
        r#","blocks":[{"type":"fields","fields":[{"label":"a","label":"a","value":"b"}]}]"#,
    ] {
        let answer = post(&fixture, with_members(&fixture, members)).await;
        assert_eq!(answer.status, 400, "a body with a repeated member is refused: {members}");
        answer.refused(400, "invalid_request");
    }
    let twice = format!(
        r#"{{"to":{{"type":"conversation","type":"conversation","id":"{}"}},"text":"x"}}"#,
        fixture.group
    );
    post(&fixture, twice).await.refused(400, "invalid_request");
    // the same name in different objects is not a duplicate
    post(&fixture, with_members(&fixture, r#","metadata":{"text":{"text":1},"a":[{"a":1},{"a":1}]}"#))
        .await
        .ok(201);
    // edits are parsed in the same way
    let path = format!("/v1/messages/{}", fixture.message().await);
    let call = fixture.bot.api.patch(&path).header("content-type", "application/json");
    call.body(r#"{"text":"a","text":"b"}"#).refused(400, "invalid_request").await;
}

#[tokio::test]
async fn nesting_is_bounded() {
    // D-023: a body has at most 64 levels; the body itself is the first level
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let objects = |levels: usize| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    let arrays = |levels: usize| format!(r#"{{"a":{}1{}}}"#, "[".repeat(levels - 1), "]".repeat(levels - 1));
    for metadata in [objects(63), arrays(63)] {
        post(&fixture, with_members(&fixture, &format!(r#","metadata":{metadata}"#))).await.ok(201);
    }
    for metadata in [objects(64), arrays(64), objects(127), objects(128), objects(10_000), arrays(300_000)] {
        let answer = post(&fixture, with_members(&fixture, &format!(r#","metadata":{metadata}"#))).await;
        answer.refused(400, "invalid_request");
        // the limit also applies to members that the operation does not read
        let answer = post(&fixture, with_members(&fixture, &format!(r#","unknown":{metadata}"#))).await;
        answer.refused(400, "invalid_request");
    }
    post(&fixture, "[".repeat(500_000)).await.refused(400, "invalid_request");
    post(&fixture, "{\"a\":".repeat(150_000)).await.refused(400, "invalid_request");
}

#[tokio::test]
async fn only_utf8_without_a_byte_order_mark_is_accepted() {
    // D-024: a byte order mark and UTF-16 are refused
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let valid = with_members(&fixture, "");
    let with_byte_order_mark = [b"\xef\xbb\xbf", valid.as_bytes()].concat();
    post(&fixture, with_byte_order_mark).await.refused(400, "invalid_request");
    let little_endian: Vec<u8> = valid.encode_utf16().flat_map(u16::to_le_bytes).collect();
    post(&fixture, little_endian.clone()).await.refused(400, "invalid_request");
    post(&fixture, [b"\xff\xfe", &little_endian[..]].concat()).await.refused(400, "invalid_request");
    let big_endian: Vec<u8> = valid.encode_utf16().flat_map(u16::to_be_bytes).collect();
    post(&fixture, [b"\xfe\xff", &big_endian[..]].concat()).await.refused(400, "invalid_request");
    // bytes that are not UTF-8: stray, overlong, a surrogate, beyond U+10FFFF, truncated
    for bytes in [&b"\xff"[..], b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"] {
        let body = [&valid.as_bytes()[..valid.len() - 2], bytes, b"\"}"].concat();
        post(&fixture, body).await.refused(400, "invalid_request");
    }
}

#[both_engines]
async fn nul_is_refused(server: Server) {
    // B-160, D-025: a body with U+0000 never causes a 500, on either engine
    let fixture = BotFixture::new(&server).await;
    for (members, code) in [
        (r#","text2":"\u0000""#, "invalid_request"),
        (r#","metadata":{"a":"x\u0000y"}"#, "invalid_request"),
        (r#","metadata":{"a\u0000":1}"#, "invalid_request"),
        (r#","metadata":{"a":{"b":["\u0000"]}}"#, "invalid_request"),
        (r#","blocks":[{"type":"header","text":"\u0000"}]"#, "invalid_blocks"),
        (r#","blocks":[{"type":"fields","fields":[{"label":"a","value":"\u0000"}]}]"#, "invalid_blocks"),
        (r#","blocks":[{"type":"header","text":"x","more":"\u0000"}]"#, "invalid_blocks"),
        (r#","blocks":[{"type":"header","text":"x","\u0000":1}]"#, "invalid_blocks"),
        (r#","thread_id":"gmsg_\u0000""#, "invalid_request"),
        (r#","\u0000":1"#, "invalid_request"),
        (r#","unknown":{"a":[{"b\u0000":1}]}"#, "invalid_request"),
    ] {
        let answer = post(&fixture, with_members(&fixture, members)).await;
        assert_eq!(answer.status, 400, "U+0000 is refused: {members}: {}", answer.text());
        // the body is valid JSON, so the error must not call it invalid JSON
        assert!(
            !answer.text().contains("valid JSON"),
            "the error does not call the body invalid JSON: {members}: {}",
            answer.text()
        );
        answer.refused(400, code);
    }
    let text = to_conversation(&fixture.group, "a\0b");
    post(&fixture, text.to_string()).await.refused(400, "invalid_request");
    let raw = with_members(&fixture, "").replace("\"x\"", "\"a\0b\"");
    post(&fixture, raw).await.refused(400, "invalid_request");
    let destination = to_conversation("grp_\0", "x");
    post(&fixture, destination.to_string()).await.refused(400, "invalid_request");
    let path = format!("/v1/messages/{}", fixture.message().await);
    fixture.bot.api.patch(&path).json(&json!({"text": "\0"})).refused(400, "invalid_request").await;
}

#[both_engines]
async fn nul_is_refused_by_the_admin_api_and_the_oauth_endpoints(server: Server) {
    // D-025: U+0000 is refused in every string and in every member name
    let operator = server.operator();
    for body in [
        json!({"name": "a\0b"}),
        json!({"name": "Acme", "unknown": ["\0"]}),
        json!({"name": "Acme", "unknown\0": 1}),
    ] {
        let answer = operator.post("/admin/v1/workspaces").json(&body).send().await;
        assert!(
            !answer.text().contains("valid JSON"),
            "the error does not call the body invalid JSON: {body}: {}",
            answer.text()
        );
        answer.refused(400, "invalid_request");
    }
    let session = json!({"email": "a@example.com\0", "password": "x"});
    server.api().post("/admin/v1/sessions").json(&session).refused(400, "invalid_request").await;
    let session = json!({"email": "a@example.com", "password": "\0"});
    server.api().post("/admin/v1/sessions").json(&session).refused(400, "invalid_request").await;
    // the OAuth endpoints of the bot API reject U+0000 as well
    let (app, fixture) = (server.app(&["users:read"]).await, BotFixture::new(&server).await);
    let client = json!({"client_id": app.client_id, "client_secret": app.client_secret});
    for (path, member) in
        [("/oauth/token", "code"), ("/oauth/token", "grant_type"), ("/oauth/revoke", "token")]
    {
        let mut body = client.clone();
        body["grant_type"] = json!("authorization_code");
        body["code"] = json!("x");
        body["token"] = json!(fixture.bot.token);
        body[member] = json!("a\0");
        server.api().post(path).json(&body).refused(400, "invalid_request").await;
    }
}

#[tokio::test]
async fn lone_surrogates_are_refused() {
    // D-026: an escape sequence of a lone surrogate is refused
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for lone in [r"\ud83d", r"\ude00", r"\ude00\ud83d", r"\ud83dx", r"\ud83d\ud83d\ude00", r"\uD800\u0041"] {
        for members in [
            format!(r#","metadata":{{"a":"{lone}"}}"#),
            format!(r#","metadata":{{"{lone}":1}}"#),
            format!(r#","unknown":"{lone}""#),
        ] {
            post(&fixture, with_members(&fixture, &members)).await.refused(400, "invalid_request");
        }
        let text = with_members(&fixture, "").replace("\"x\"", &format!("\"{lone}\""));
        post(&fixture, text).await.refused(400, "invalid_request");
    }
    post(&fixture, with_members(&fixture, r#","metadata":{"a":"\ud83d\ude00"}"#)).await.ok(201);
}

#[both_engines]
async fn control_characters_are_kept(server: Server) {
    // D-027: control characters other than U+0000 are stored, and so are format characters and noncharacters
    let fixture = BotFixture::new(&server).await;
    let text: String =
        (1..32u8).map(char::from).chain(['\u{7f}', '\u{80}', '\u{feff}', '\u{200b}', '\u{fffe}']).collect();
    fixture.bot.send(&to_conversation(&fixture.group, &text)).await;
    assert_eq!(fixture.bot.history(&fixture.group).await[0]["text"], text);
}

#[both_engines]
async fn numbers_are_kept_as_written(server: Server) {
    // D-028: numbers in metadata keep their digits
    let fixture = BotFixture::new(&server).await;
    for number in [
        "0",
        "-1",
        "1.0",
        "1.50",
        "9007199254740993",
        "18446744073709551616",
        "123456789012345678901234567890",
        "0.10000000000000000000000000001",
        "1e+308",
        "-1.7976931348623157e+308",
        "1e-400",
    ] {
        let members = format!(r#","metadata":{{"number":{number}}}"#);
        post(&fixture, with_members(&fixture, &members)).await.ok(201);
        let path = format!("/admin/v1/conversations/{}/messages?limit=1", fixture.group);
        let answer = fixture.company.operator.get(&path).send().await;
        let stored = answer.text();
        let compact = stored.replace(": ", ":");
        assert!(
            compact.contains(&format!(r#""number":{number}}}"#)),
            "the digits of {number} are kept: {stored}"
        );
    }
    for number in ["1e309", "-1e309", "1e400", "1e99999999999", "123e999"] {
        for members in [
            format!(r#","metadata":{{"number":{number}}}"#),
            format!(r#","metadata":{{"deep":[{{"number":{number}}}]}}"#),
        ] {
            let answer = post(&fixture, with_members(&fixture, &members)).await;
            assert_eq!(
                answer.status,
                400,
                "a number that is not finite as a 64-bit float is refused (D-028): {number}: {}",
                answer.text()
            );
            answer.refused(400, "invalid_request");
        }
    }
}

#[tokio::test]
async fn unknown_members_are_accepted() {
    // B-027, D-012: unknown members of a body are accepted, also inside `to`. D-071: unknown members of a block are
    // accepted too
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let extra = json!({"nested": [1, null, {"deep": true}]});
    let mut body = to_conversation(&fixture.group, "with more");
    body["future"] = extra.clone();
    body["to"]["future"] = extra.clone();
    body["blocks"] = json!([{"type": "section", "text": "x", "future": extra}]);
    let message = fixture.bot.send(&body).await;
    let path = format!("/v1/messages/{}", message["id"].as_str().expect("a message has an id"));
    fixture.bot.api.patch(&path).json(&json!({"text": "edited", "future": extra, "id": 5})).ok(200).await;

    let app = server.app(&["users:read"]).await;
    let code = fixture.company.install_code(&app, &["users:read"]).await;
    let body = json!({
        "grant_type": "authorization_code", "code": code, "future": extra,
        "client_id": app.client_id, "client_secret": app.client_secret,
    });
    let answer = server.api().post("/oauth/token").json(&body).ok(200).await;
    let revoke = json!({
        "token": answer["access_token"], "future": extra, "token_type_hint": "access_token",
        "client_id": app.client_id, "client_secret": app.client_secret,
    });
    assert_eq!(server.api().post("/oauth/revoke").json(&revoke).ok(200).await["ok"], Value::Bool(true));
}
