//! People as a bot sees them: the User object, the list and the single read. B-085 … B-103, B-326 … B-334.

use serde_json::{Value, json};

use crate::support::{ALL_SCOPES, Bot, BotFixture, Company, Server, both_engines, text};

/// The members of a User without `email`.
const MEMBERS: [&str; 10] = [
    "avatar_url",
    "display_name",
    "id",
    "is_active",
    "is_admin",
    "is_bot",
    "is_external",
    "name",
    "timezone",
    "title",
];

/// Returns all people that the bot may see.
async fn list(bot: &Bot) -> Vec<Value> {
    let page = bot.api.get("/v1/users?limit=1000").ok(200).await;
    page["users"].as_array().expect("users").clone()
}

/// Reads a person by the id. Asserts 200 and the id (B-329), and returns the person.
async fn read(bot: &Bot, id: &str) -> Value {
    let answer = bot.api.get(&format!("/v1/users/{id}")).ok(200).await;
    assert_eq!(answer["user"]["id"], id, "the person is returned (B-329): {answer}");
    answer["user"].clone()
}

/// Reads a person, and asserts that the list has the same object (B-103). Returns the person.
async fn seen(bot: &Bot, id: &str) -> Value {
    let user = read(bot, id).await;
    let listed: Vec<_> = list(bot).await.into_iter().filter(|u| u["id"] == id).collect();
    assert_eq!(listed, [user.clone()], "every read returns the same user object (B-103)");
    user
}

#[track_caller]
fn assert_members(user: &Value, email: bool) {
    let mut expected: Vec<_> = MEMBERS.to_vec();
    if email {
        expected.insert(2, "email");
    }
    let members: Vec<_> = user.as_object().expect("a user").keys().map(String::as_str).collect();
    assert_eq!(members, expected, "a user has exactly these members: {user}");
}

#[both_engines]
async fn a_user_has_all_members_and_null_for_missing_values(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let full = company.person_with(json!({
        "name": "Anna Maria Example", "display_name": "Anna", "email": "anna@example.com", "title": "Engineer",
        "timezone": "Europe/London", "avatar_url": "https://img.example/a.png",
    })).await;
    let user = seen(&bot, &full).await;
    assert_members(&user, true);
    assert!(full.starts_with("usr_"), "a user's id begins with usr_ (B-085)");
    // the comment beside a member is the rule for its value
    assert_eq!(
        user,
        json!({
            "id": full, // the public id (B-085)
            "name": "Anna Maria Example", // the full name (B-086)
            "display_name": "Anna", // the first name or null (B-087)
            "email": "anna@example.com", // with the scope `users:read.email` (B-088)
            "avatar_url": "https://img.example/a.png", // a URL or null (B-093)
            "title": "Engineer", // the job title or null (B-094)
            "timezone": "Europe/London", // an IANA time zone or null (B-095)
            "is_active": true, // true for active and onboarding people (B-098)
            "is_bot": false, // always false, because no bots are listed (B-099)
            "is_admin": false, // true for admins of the company (B-100)
            "is_external": false, // true for guests (B-101)
        })
    );
    let bare = company.person_with(json!({"name": "Bo", "email": "bo@example.com"})).await;
    let user = seen(&bot, &bare).await;
    assert_members(&user, true);
    for member in ["display_name", "avatar_url", "title", "timezone"] {
        assert_eq!(
            user[member],
            Value::Null,
            "a member without a value is null, never absent (B-087, B-093 … B-095): {member}"
        );
    }
}

#[both_engines]
async fn email_needs_the_scope(server: Server) {
    // B-089: if the token lacks the scope `users:read.email`, `email` is absent, never null
    let fixture = BotFixture::with(&server, &["users:read"]).await;
    assert_members(&seen(&fixture.bot, &fixture.person).await, false);
    let users = list(&fixture.bot).await;
    assert!(users.iter().all(|u| u.get("email").is_none()));
    // a new token with this scope gets the address
    let with_scope = fixture.company.install(&fixture.bot.app, &ALL_SCOPES).await;
    assert_members(&seen(&with_scope, &fixture.person).await, true);
}

#[both_engines]
async fn email_needs_the_consent_of_its_owner(server: Server) {
    // B-088, B-090: `email_visible` decides whether a bot sees the address
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let hidden = company.person_with(json!({"email_visible": false})).await;
    let shown = company.person_with(json!({"email_visible": true})).await;
    let guest = company.person_with(json!({"is_external": true, "email_visible": false})).await;
    assert_members(&seen(&bot, &hidden).await, false);
    assert_members(&seen(&bot, &shown).await, true);
    assert_members(&seen(&bot, &guest).await, false);
    company.update_user(&hidden, json!({"email_visible": true})).await;
    company.update_user(&shown, json!({"email_visible": false})).await;
    assert_members(&seen(&bot, &hidden).await, true);
    assert_members(&seen(&bot, &shown).await, false);
}

#[both_engines]
async fn the_state_of_a_person_decides_what_a_bot_sees(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let profile = json!({
        "name": "Full Name", "display_name": "Full", "title": "Engineer", "timezone": "Europe/London",
        "avatar_url": "https://img.example/a.png",
    });
    let mut ids = Vec::new();
    for state in ["active", "onboarding", "deactivated", "removed"] {
        let mut members = profile.clone();
        if state == "onboarding" {
            members["state"] = json!(state);
        }
        let id = company.person_with(members).await;
        if ["deactivated", "removed"].contains(&state) {
            company.set_state(&id, state).await;
        }
        ids.push(id);
    }
    for (id, active, email) in [
        (&ids[0], true, true),
        // B-098, D-124: onboarding
        (&ids[1], true, true),
        // B-092, B-096, B-328: deactivated
        (&ids[2], false, true),
        // B-091, B-097, B-328, B-334: removed
        (&ids[3], false, false),
    ] {
        let user = seen(&bot, id).await;
        assert_eq!(user["is_active"], active, "is_active depends on the state: {user}");
        assert_members(&user, email);
        assert_eq!(user["name"], "Full Name");
        assert_eq!(user["display_name"], "Full");
    }
    let removed = read(&bot, &ids[3]).await;
    for member in ["avatar_url", "title", "timezone"] {
        assert_eq!(removed[member], Value::Null, "a removed person keeps only the names (D-126): {member}");
    }
    let deactivated = read(&bot, &ids[2]).await;
    assert_eq!(deactivated["title"], "Engineer");
    company.set_state(&ids[2], "active").await;
    assert_eq!(seen(&bot, &ids[2]).await["is_active"], true);
    // B-091: the address of a removed person is absent, whether it was hidden or not
    let hidden = company.person_with(json!({"email_visible": false})).await;
    company.set_state(&hidden, "removed").await;
    assert_members(&seen(&bot, &hidden).await, false);
    // B-090: a hidden address stays hidden when the person is deactivated
    let hidden = company.person_with(json!({"email_visible": false})).await;
    company.set_state(&hidden, "deactivated").await;
    assert_members(&seen(&bot, &hidden).await, false);
}

#[both_engines]
async fn is_admin_and_is_external_are_those_of_the_person(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let person = company.person().await;
    let guest = company.guest(true).await;
    for (id, admin, external) in
        [(&company.admin, true, false), (&person, false, false), (&guest, false, true)]
    {
        let user = seen(&bot, id).await;
        assert_eq!(user["is_admin"], admin, "is_admin is true for admins only (B-100): {user}");
        assert_eq!(user["is_external"], external, "is_external is true for guests only (B-101): {user}");
        assert_eq!(user["is_bot"], false, "is_bot is always false (B-099): {user}");
    }
    company.update_user(&person, json!({"is_admin": true})).await;
    assert_eq!(seen(&bot, &person).await["is_admin"], true, "is_admin is true for admins only (B-100)");
    company.update_user(&person, json!({"is_admin": false, "is_external": true})).await;
    let user = seen(&bot, &person).await;
    assert_eq!(
        (&user["is_admin"], &user["is_external"]),
        (&json!(false), &json!(true)),
        "is_admin and is_external change with the person (B-100, B-101)"
    );
}

#[both_engines]
async fn changes_show_at_once(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let id = company.person().await;
    for (member, value) in [
        ("name", json!("New Name")),
        ("display_name", json!("New")),
        ("display_name", json!(null)),
        ("title", json!("Chief")),
        ("title", json!(null)),
        ("timezone", json!("Asia/Tokyo")),
        ("email", json!("renamed@example.com")),
        ("avatar_url", json!("https://img.example/b.png")),
        ("avatar_url", json!(null)),
    ] {
        company.update_user(&id, json!({member: value})).await;
        assert_eq!(seen(&bot, &id).await[member], value, "a change of {member} is visible at once");
    }
}

#[both_engines]
async fn members_and_visible_guests_are_listed(server: Server) {
    // B-326, B-327: the list has the employees, and the guests whom members see
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let elsewhere = server.company().await;
    elsewhere.person().await;
    elsewhere.bot(&server).await;
    let mut expected = vec![company.admin.clone()];
    expected.push(company.person().await);
    let visible = company.guest(true).await;
    expected.push(visible.clone());
    let invisible = company.guest(false).await;
    let other_bot = company.bot(&server).await;
    expected.push(company.person_with(json!({"state": "onboarding"})).await);
    for state in ["deactivated", "removed"] {
        let id = company.person().await;
        company.set_state(&id, state).await;
        expected.push(id);
    }
    // `guest_visible` has no effect on employees
    expected.push(company.person_with(json!({"guest_visible": false})).await);
    // membership in the same conversation does not make a guest visible to the bot
    let group = company.group(&[&bot.user_id, &invisible, &other_bot.user_id]).await;
    company.post(&group, &invisible, "hello").await;

    let page = bot.api.get("/v1/users").ok(200).await;
    let members: Vec<_> = page.as_object().expect("a page").keys().map(String::as_str).collect();
    assert_eq!(members, ["next_cursor", "ok", "users"], "a page has users and a cursor (B-326)");
    assert_eq!(page["next_cursor"], Value::Null);
    let ids: Vec<_> = page["users"].as_array().expect("users").iter().map(|u| text(u, "/id")).collect();
    // D-110: the order is that of creation; B-099: no bot is listed, not even the calling bot
    assert_eq!(ids, expected);

    company.update_user(&invisible, json!({"guest_visible": true})).await;
    company.update_user(&visible, json!({"guest_visible": false})).await;
    let ids: Vec<_> = list(&bot).await.iter().map(|u| text(u, "/id")).collect();
    assert!(
        ids.contains(&invisible) && !ids.contains(&visible),
        "only guests whom members see are listed (B-327)"
    );
}

#[both_engines]
async fn ids_of_bots_hidden_guests_and_other_companies_are_not_found(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let other_bot = company.bot(&server).await;
    let elsewhere = server.company().await;
    let their_bot = elsewhere.bot(&server).await;
    let deactivated_guest = company.guest(false).await;
    company.set_state(&deactivated_guest, "deactivated").await;
    let group = company.group(&[&bot.user_id]).await;
    let good = company.person().await;
    let body = good.strip_prefix("usr_").expect("usr_").to_owned();
    for id in [
        // B-330: bots
        bot.user_id.as_str(),
        &other_bot.user_id,
        &their_bot.user_id,
        // B-331: a person of another company
        &elsewhere.admin,
        // B-332: guests whom members do not see
        &company.guest(false).await,
        &deactivated_guest,
        // B-333: unknown and malformed ids
        "usr_0000000000001",
        "usr_zzzzzzzzzzzzz",
        "usr_7zzzzzzzzzzzz",
        "usr_",
        "usr_x",
        "x",
        "0",
        "-1",
        "me",
        "Lookup",
        &body,
        &format!("grp_{body}"),
        &format!("cmp_{body}"),
        &format!("USR_{body}"),
        &format!("usr-{body}"),
        &good.to_uppercase(),
        &format!("{good}0"),
        &good[..good.len() - 1],
        &format!("{good}%20"),
        &format!("%20{good}"),
        &format!("{good}%00"),
        "usr_%00",
        "%ff",
        "usr_%F0%9F%98%80",
        "%2F",
        "..%2F..%2Fadmin",
        "usr_'%20OR%201=1--",
        &group,
        &company.id,
        &"x".repeat(2_000),
    ] {
        bot.api.get(&format!("/v1/users/{id}")).refused(404, "user_not_found").await;
    }
    // a percent-encoded id is the same id
    bot.api.get(&format!("/v1/users/%75sr_{body}")).ok(200).await;
}

#[both_engines]
async fn removed_people_can_be_read(server: Server) {
    // B-334: `is_active` is false, and there is no `email`
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let id = company.person_with(json!({"email_visible": true})).await;
    company.set_state(&id, "removed").await;
    let user = read(&bot, &id).await;
    assert_eq!(user["is_active"], false);
    assert!(user.get("email").is_none());
    // a removed guest who was hidden stays hidden (B-332)
    let guest = company.guest(false).await;
    company.set_state(&guest, "removed").await;
    bot.api.get(&format!("/v1/users/{guest}")).refused(404, "user_not_found").await;
}

#[tokio::test]
async fn bots_are_never_listed() {
    // B-099, B-327: neither the calling bot nor an uninstalled bot
    let server = Server::sqlite().await;
    let company: Company = server.company().await;
    let person = company.person().await;
    let bot = company.bot(&server).await;
    let uninstalled = company.bot(&server).await;
    company.uninstall(&uninstalled).await;
    let listed = list(&bot).await;
    assert!(listed.iter().any(|user| user["id"] == person.as_str()), "people are listed: {listed:?}");
    for user in listed {
        assert_eq!(user["is_bot"], false);
        assert_ne!(user["id"], uninstalled.user_id.as_str());
        assert_ne!(user["id"], bot.user_id.as_str());
    }
    bot.api.get(&format!("/v1/users/{}", uninstalled.user_id)).refused(404, "user_not_found").await;
}
