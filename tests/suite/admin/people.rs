//! Companies and people through the admin API (W-03 … W-14).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use switchboard::store::{ReadOp, ReadSql, Result, args, statements};

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

const ADMIN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/admin.json"));

statements! {
    BLOCKS: Query = "SELECT COUNT(*) FROM app_blocks";
}

/// Returns the number of stored app blocks.
struct CountBlocks;

impl ReadOp for CountBlocks {
    const NAME: &'static str = "test_count_blocks";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&BLOCKS, args![]).await
    }
}

async fn user(company: &Company, id: &str) -> Value {
    company.operator.get(&format!("/admin/v1/users/{id}")).ok(200).await["user"].clone()
}

#[both_engines]
async fn companies_are_created_read_and_changed(server: Server) {
    let operator = server.operator();
    let body = json!({"name": "Works", "domain": "works.example"});
    let made = operator.post("/admin/v1/workspaces").json(&body).ok(201).await["workspace"].clone();
    assert_eq!(made["ai_assistants"], true);
    assert_eq!(made["max_session_hours"], Value::Null);
    let path = format!("/admin/v1/workspaces/{}", made["id"].as_str().unwrap());
    assert_eq!(operator.get(&path).ok(200).await["workspace"], made);

    let change = json!({"domain": null, "ai_assistants": false, "max_session_hours": 720});
    let changed = operator.patch(&path).json(&change).ok(200).await["workspace"].clone();
    assert_eq!(changed["name"], "Works");
    assert_eq!(changed["domain"], Value::Null);
    assert_eq!(changed["ai_assistants"], false);
    assert_eq!(changed["max_session_hours"], 720);
    let cleared = operator.patch(&path).json(&json!({"max_session_hours": null})).ok(200).await;
    assert_eq!(cleared["workspace"]["max_session_hours"], Value::Null);
    operator.patch(&path).json(&json!({"max_session_hours": 0})).refused(400, "invalid_request").await;
    operator.patch(&path).json(&json!({"name": null})).refused(400, "invalid_request").await;

    let (mut path, mut seen) = ("/admin/v1/workspaces?limit=1".to_owned(), Vec::new());
    loop {
        let page = operator.get(&path).ok(200).await;
        seen.extend(page["workspaces"].as_array().unwrap().iter().map(|w| w["id"].clone()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/admin/v1/workspaces?limit=1&cursor={cursor}");
    }
    assert!(seen.contains(&made["id"]));
    operator.get("/admin/v1/workspaces?cursor=x").refused(400, "invalid_cursor").await;
}

#[both_engines]
async fn a_person_is_created_with_the_defaults(server: Server) {
    let company = server.company().await;
    let id = company.person_with(json!({"name": "Ada", "email": "Ada@Made.example"})).await;
    let mut ada = user(&company, &id).await;
    let created_at = ada.as_object_mut().unwrap().remove("created_at");
    assert!(created_at.is_some_and(|at| at.as_str().is_some_and(|at| at.ends_with('Z'))));
    assert_eq!(
        ada,
        json!({
            "id": id, "workspace_id": company.id, "name": "Ada", "display_name": null,
            "email": "Ada@Made.example", "avatar_url": null, "title": null, "timezone": null,
            "state": "active", "is_active": true, "is_bot": false, "is_admin": false, "is_external": false,
            "email_visible": true, "guest_visible": true, "app_id": null,
        })
    );
    for state in ["active", "onboarding", "deactivated", "removed"] {
        let id = company.person_with(json!({"state": state})).await;
        let made = user(&company, &id).await;
        assert_eq!(made["state"], state);
        assert_eq!(made["is_active"], matches!(state, "active" | "onboarding"));
        assert_eq!(made["email"].is_null(), state == "removed");
    }
}

/// A removed person has no e-mail address, so the address in the request can be that of another person.
#[both_engines]
async fn a_removed_person_can_be_added_with_the_address_of_another_person(server: Server) {
    let company = server.company().await;
    company.person_with(json!({"email": "twice@removed.example"})).await;
    let body = json!({"name": "Former", "email": "twice@removed.example", "state": "removed"});
    let made = company.operator.post(&company.path("/users")).json(&body).ok(201).await["user"].clone();
    assert_eq!((&made["email"], &made["state"]), (&Value::Null, &json!("removed")));
    let unknown = format!("/admin/v1/workspaces/{}/users", switchboard::domain::ids::WorkspaceId(7));
    company.operator.post(&unknown).json(&body).refused(404, "not_found").await;
    let body = json!({"name": "Second", "email": "twice@removed.example"});
    company.operator.post(&company.path("/users")).json(&body).refused(409, "conflict").await;
}

#[both_engines]
async fn a_removed_person_is_not_an_admin(server: Server) {
    let company = server.company().await;
    let made = company.person_with(json!({"state": "removed", "is_admin": true})).await;
    assert_eq!(user(&company, &made).await["is_admin"], false);
    let removed = company.person_with(json!({"is_admin": true})).await;
    company.set_state(&removed, "removed").await;
    assert_eq!(user(&company, &removed).await["is_admin"], false);
}

#[both_engines]
async fn addresses_are_compared_without_case_and_normalized(server: Server) {
    // e-mail addresses are compared in lower case and in Unicode normalization form C (D-141)
    let company = server.company().await;
    let path = company.path("/users");
    let (composed, decomposed) = ("j\u{fc}rgen@x.example", "Ju\u{308}rgen@x.example");
    let id = company.person_with(json!({"email": decomposed})).await;
    assert_eq!(user(&company, &id).await["email"], "J\u{fc}rgen@x.example");
    for email in [composed, decomposed] {
        let body = json!({"name": "Other", "email": email});
        company.operator.post(&path).json(&body).refused(409, "conflict").await;
    }
    let other = company.person().await;
    let path = format!("/admin/v1/users/{other}");
    company.operator.patch(&path).json(&json!({"email": composed})).refused(409, "conflict").await;
    company.operator.patch(&path).json(&json!({"email": "u\u{308}@x.example"})).ok(200).await;
    assert_eq!(user(&company, &other).await["email"], "\u{fc}@x.example");
    // bots find the person by the composed and by the decomposed form of the address
    let bot = company.bot(&server).await;
    for email in [composed, decomposed] {
        let found = bot.api.get(&format!("/v1/users/lookup?email={}", encoded(email))).ok(200).await;
        assert_eq!(found["user"]["id"], id.as_str());
    }
    // σ and ς have the same capital letter Σ, so these two addresses are the same
    company.person_with(json!({"email": "νίκος@x.example"})).await;
    let body = json!({"name": "Other", "email": "ΝΊΚΟΣ@x.example"});
    company.operator.post(&company.path("/users")).json(&body).refused(409, "conflict").await;
    // addresses with invisible characters are rejected
    for email in [
        "a\u{200b}@x.example",
        "a@x\u{200b}.example",
        "\u{feff}a@x.example",
        "a\u{202e}@x.example",
        "a\u{85}b@x.example",
    ] {
        let body = json!({"name": "Hidden", "email": email});
        company.operator.post(&company.path("/users")).json(&body).refused(400, "invalid_request").await;
        company.operator.patch(&path).json(&json!({"email": email})).refused(400, "invalid_request").await;
    }
}

#[both_engines]
async fn an_address_stored_by_an_earlier_version_is_found_after_it_is_entered_again(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let address = "νίκος@old.example";
    let id = with_password(&company, address, false).await;
    // People are found by `email_key`, the form in which addresses are compared. Earlier versions kept the final sigma
    // in this form.
    for table in ["users", "accounts"] {
        let sql = format!("UPDATE {table} SET email_key = replace(email_key, 'σ@old', 'ς@old')");
        server.database.execute(&sql).await;
    }
    let lookup = format!("/v1/users/lookup?email={}", encoded(address));
    bot.api.get(&lookup).refused(404, "user_not_found").await;
    let path = format!("/admin/v1/users/{id}");
    company.operator.patch(&path).json(&json!({"email": address})).ok(200).await;
    assert_eq!(bot.api.get(&lookup).ok(200).await["user"]["id"], id.as_str());
    sign_in(&company, "ΝΊΚΟΣ@old.example").await.get(&path).ok(200).await;
    // the address can be entered a second time, and the person can still sign in
    company.operator.patch(&path).json(&json!({"email": address})).ok(200).await;
    sign_in(&company, address).await;
}

#[both_engines]
async fn invalid_people_are_refused(server: Server) {
    let company = server.company().await;
    let path = company.path("/users");
    company.person_with(json!({"email": "taken@made.example"})).await;
    for (members, status, code) in [
        (json!({"email": "Taken@made.example"}), 409, "conflict"),
        (json!({"email": "nobody"}), 400, "invalid_request"),
        (json!({"email": "a@b@c"}), 400, "invalid_request"),
        (json!({"timezone": "Mars/Olympus"}), 400, "invalid_request"),
        (json!({"avatar_url": "http://example.com/a.png"}), 400, "invalid_request"),
        (json!({"is_admin": true, "is_external": true}), 400, "invalid_request"),
        (json!({"state": "asleep"}), 400, "invalid_request"),
        (json!({"password": "short"}), 400, "invalid_request"),
    ] {
        let mut body = json!({"name": "Ada", "email": "fresh@made.example"});
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        company.operator.post(&path).json(&body).refused(status, code).await;
    }
}

/// Changes a person, and asserts that the response and a later read have the new values. Adds the changed members to
/// `changed`.
async fn assert_changes(caller: &Api, path: &str, change: &Value, changed: &mut BTreeSet<String>) {
    let after = caller.patch(path).json(change).ok(200).await["user"].clone();
    for (name, value) in change.as_object().unwrap() {
        assert_eq!(&after[name], value, "{name} is changed");
        changed.insert(name.clone());
    }
    assert_eq!(caller.get(path).ok(200).await["user"], after, "the changes are stored");
}

#[both_engines]
async fn admins_change_every_field_and_people_their_own_settings(server: Server) {
    let company = server.company().await;
    with_password(&company, "boss@change.example", true).await;
    let ada = with_password(&company, "ada@change.example", false).await;
    let path = format!("/admin/v1/users/{ada}");
    let own = sign_in(&company, "ada@change.example").await;
    let mut changed = BTreeSet::new();
    let change = json!({
        "name": "Ada King", "display_name": "Ada", "title": "Countess", "timezone": "Europe/London",
        "avatar_url": "https://example.com/ada.png", "email_visible": false,
    });
    assert_changes(&own, &path, &change, &mut changed).await;
    let cleared = own.patch(&path).json(&json!({"title": null})).ok(200).await;
    assert_eq!((&cleared["user"]["title"], &cleared["user"]["name"]), (&Value::Null, &json!("Ada King")));
    for theirs in [
        json!({"email": "x@change.example"}),
        json!({"is_admin": true}),
        json!({"is_external": false}),
        json!({"guest_visible": true}),
    ] {
        own.patch(&path).json(&theirs).refused(403, "forbidden").await;
    }
    own.post(&format!("{path}/state")).json(&json!({"state": "removed"})).refused(403, "forbidden").await;

    let boss = sign_in(&company, "boss@change.example").await;
    for change in [
        json!({"is_admin": true}),
        json!({"is_admin": false}),
        json!({"email": "king@change.example", "is_external": true, "guest_visible": false}),
    ] {
        assert_changes(&boss, &path, &change, &mut changed).await;
    }
    let document: Value = serde_json::from_str(ADMIN).unwrap();
    let members = document["components"]["schemas"]["UserUpdate"]["properties"].as_object().unwrap();
    let members = members.keys().filter(|name| !name.ends_with("password")).cloned().collect();
    assert_eq!(changed, members, "every member of `UserUpdate` except the passwords is changed above");
    boss.patch(&path).json(&json!({"is_admin": true})).refused(400, "invalid_request").await;
    boss.patch(&path).json(&json!({"email": "boss@change.example"})).refused(409, "conflict").await;
    sign_in(&company, "king@change.example").await.get(&path).ok(200).await;
}

#[both_engines]
async fn an_admin_cannot_change_a_password_that_signs_in_to_two_companies_and_the_person_can(server: Server) {
    let (one, other) = (server.company().await, server.company().await);
    with_password(&one, "boss@secret.example", true).await;
    with_password(&other, "ada@secret.example", false).await;
    let linked = one.person_with(json!({"email": "ada@secret.example"})).await;
    let boss = sign_in(&one, "boss@secret.example").await;
    let new = json!({"password": "difference engine"});
    boss.patch(&format!("/admin/v1/users/{linked}")).json(&new).refused(409, "conflict").await;
    let taken = json!({"name": "Eve", "email": "boss@secret.example", "password": "difference engine"});
    boss.post(&one.path("/users")).json(&taken).refused(409, "conflict").await;

    let (kept, ended) =
        (sign_in(&one, "ada@secret.example").await, sign_in(&one, "ada@secret.example").await);
    let path = format!("/admin/v1/users/{linked}");
    let own = json!({"password": "difference engine", "current_password": "analytical engine"});
    kept.patch(&path).json(&own).ok(200).await;
    kept.get(&path).ok(200).await;
    ended.get(&path).refused(401, "invalid_auth").await;
}

/// A company that adds a person with the e-mail address of an existing account gains no access to the account. If an
/// admin of another company set the account's password, this admin can still replace it when it is forgotten
/// (docs/decisions/0002-reach-of-a-password.md).
#[both_engines]
async fn an_admin_replaces_a_password_of_their_own_company_only(server: Server) {
    let (own, other) = (server.company().await, server.company().await);
    with_password(&own, "boss@own.example", true).await;
    with_password(&other, "boss@other.example", true).await;
    let (boss, stranger) =
        (sign_in(&own, "boss@own.example").await, sign_in(&other, "boss@other.example").await);
    let bob = json!({"name": "Bob", "email": "bob@own.example", "password": "analytical engine"});
    let made = boss.post(&own.path("/users")).json(&bob).ok(201).await;
    let path = format!("/admin/v1/users/{}", text(&made, "/user/id"));
    let added = json!({"name": "Bob", "email": "bob@own.example"});
    let added = stranger.post(&other.path("/users")).json(&added).ok(201).await;
    let theirs = format!("/admin/v1/users/{}", text(&added, "/user/id"));

    let session = sign_in(&own, "bob@own.example").await;
    let new = json!({"password": "difference engine"});
    boss.patch(&path).json(&new).ok(200).await;
    session.get(&path).refused(401, "invalid_auth").await;
    let again = json!({"email": "bob@own.example", "password": "difference engine"});
    let signed_in = server.api().post("/admin/v1/sessions").json(&again).ok(201).await;
    let companies: Vec<_> =
        signed_in["memberships"].as_array().unwrap().iter().map(|found| &found["workspace_id"]).collect();
    assert_eq!(companies, [own.id.as_str()], "the new password signs in to the company of the admin only");
    let bobs = own.operator.bearer(&text(&signed_in, "/session_token"));
    bobs.get(&path).ok(200).await;
    bobs.get(&theirs).refused(404, "user_not_found").await;

    // the admin of the other company cannot set the password of an account of the first company, neither by changing a
    // person nor by adding one
    stranger.patch(&theirs).json(&new).refused(409, "conflict").await;
    let taken = json!({"name": "Bob", "email": "boss@own.example", "password": "difference engine"});
    stranger.post(&other.path("/users")).json(&taken).refused(409, "conflict").await;
    // a password that the operator set signs in to both companies, so neither company's admin may replace it
    own.operator.patch(&path).json(&new).ok(200).await;
    boss.patch(&path).json(&new).refused(409, "conflict").await;
    stranger.patch(&theirs).json(&new).refused(409, "conflict").await;
}

#[both_engines]
async fn the_app_blocks_of_a_removed_person_are_deleted(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (removed, kept) = (company.person().await, company.person().await);
    let blocks = async || server.running().world().db.read(CountBlocks).await.unwrap();
    let before = blocks().await;
    company.block_app(&removed, &bot).await;
    company.block_app(&kept, &bot).await;
    company.set_state(&removed, "deactivated").await;
    assert_eq!(blocks().await, before + 2, "the app blocks of a deactivated person are kept");
    company.set_state(&removed, "removed").await;
    assert_eq!(blocks().await, before + 1, "the app blocks of a removed person are deleted");
}

#[both_engines]
async fn only_valid_state_changes_are_accepted(server: Server) {
    let company = server.company().await;
    let newcomer = company.person_with(json!({"state": "onboarding"})).await;
    let set = |id: &str, state: &str| {
        let path = format!("/admin/v1/users/{id}/state");
        company.operator.post(&path).json(&json!({"state": state}))
    };
    set(&newcomer, "onboarding").ok(200).await;
    // a person who is onboarding can only become active or be removed (D-380)
    set(&newcomer, "deactivated").refused(409, "conflict").await;
    let left = company.person_with(json!({"state": "onboarding"})).await;
    set(&left, "removed").ok(200).await;
    set(&newcomer, "active").ok(200).await;
    set(&newcomer, "onboarding").refused(409, "conflict").await;
    set(&newcomer, "deactivated").ok(200).await;
    set(&newcomer, "active").ok(200).await;
    let removed = set(&newcomer, "removed").ok(200).await["user"].clone();
    for field in ["email", "avatar_url", "title", "timezone"] {
        assert_eq!(removed[field], Value::Null, "{field}");
    }
    set(&newcomer, "removed").ok(200).await;
    for state in ["active", "onboarding", "deactivated"] {
        set(&newcomer, state).refused(409, "conflict").await;
    }
    company
        .operator
        .patch(&format!("/admin/v1/users/{newcomer}"))
        .json(&json!({"name": "X"}))
        .refused(409, "conflict")
        .await;
    set("usr_0000000000000", "active").refused(404, "user_not_found").await;
}
