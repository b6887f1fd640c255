//! A name must have a visible character. The admin API and the registration of clients reject names that consist only
//! of blanks and invisible characters.

use serde_json::{Value, json};

use crate::support::{oauth::cannot_register, *};

/// Texts without visible characters.
const INVISIBLE: [&str; 8] = [
    " ",
    "\u{3164}",
    "\u{115f}\u{1160}",
    "\u{ffa0}",
    "\u{2800}",
    "\u{200b}\u{fe0f}",
    "\u{2800} \u{3164}",
    "\u{301}",
];

/// Asserts that the request is rejected if `member` of its body is one of [`INVISIBLE`], and accepted if `member` has a
/// visible character.
async fn assert_needs_visible_character(
    call: impl Fn(&Value) -> Call,
    member: &str,
    body: Value,
    accepted_status: u16,
) {
    let with = |name: &str| {
        let mut body = body.clone();
        body[member] = name.into();
        body
    };
    for name in INVISIBLE {
        let refused = call(&with(name)).refused(400, "invalid_request").await;
        let message = refused.json()["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.contains(member), "{message}");
    }
    call(&with("\u{3164}a\u{2800}")).ok(accepted_status).await;
    call(&with("\u{d55c}\u{ae00}")).ok(accepted_status).await;
}

#[both_engines]
async fn names_need_a_visible_character(server: Server) {
    let company = server.company().await;
    let operator = &company.operator;
    let post = |path: String| move |body: &Value| operator.post(&path).json(body);
    let patch = |path: String| move |body: &Value| operator.patch(&path).json(body);

    assert_needs_visible_character(post("/admin/v1/workspaces".into()), "name", json!({}), 201).await;
    assert_needs_visible_character(patch(company.path("")), "name", json!({}), 200).await;

    let person = company.person().await;
    let path = format!("/admin/v1/users/{person}");
    assert_needs_visible_character(patch(path.clone()), "name", json!({}), 200).await;
    assert_needs_visible_character(patch(path), "display_name", json!({}), 200).await;
    for member in ["name", "display_name"] {
        for name in INVISIBLE {
            let mut body = json!({"name": "Ada", "email": "ada@visible.example"});
            body[member] = name.into();
            operator.post(&company.path("/users")).json(&body).refused(400, "invalid_request").await;
        }
    }

    let path = company.path("/conversations");
    assert_needs_visible_character(
        post(path.clone()),
        "name",
        json!({"kind": "group", "member_ids": [person]}),
        201,
    )
    .await;
    let group = company.group(&[&person]).await;
    let channel = json!({"kind": "channel", "parent_id": group, "member_ids": [person]});
    assert_needs_visible_character(post(path), "name", channel, 201).await;
    let channel = company.channel(&group, &[&person]).await;
    for conversation in [group, channel] {
        let path = format!("/admin/v1/conversations/{conversation}");
        assert_needs_visible_character(patch(path), "name", json!({}), 200).await;
    }

    let app = json!({"redirect_uris": ["http://127.0.0.1:9/cb"], "scopes": ["messages:write"]});
    assert_needs_visible_character(post("/admin/v1/apps".into()), "name", app, 201).await;
    let app = server.app(&ALL_SCOPES).await;
    assert_needs_visible_character(patch(format!("/admin/v1/apps/{}", app.id)), "name", json!({}), 200).await;
}

#[both_engines]
async fn clients_need_a_name_with_a_visible_character(server: Server) {
    for name in INVISIBLE {
        cannot_register(&server.api(), json!({"client_name": name}), "invalid_client_metadata").await;
    }
    // only the beginning of a long name is displayed, so the beginning must have a visible character
    let hidden = format!("{}Example", "\u{3164}".repeat(60));
    cannot_register(&server.api(), json!({"client_name": hidden}), "invalid_client_metadata").await;
    server.register(json!({"client_name": "\u{d55c}\u{ae00}"})).await;
}
