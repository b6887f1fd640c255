//! Finding a person by e-mail address. B-335 … B-342, B-386.

use serde_json::{Value, json};

use crate::support::{Bot, BotFixture, Server, api::Answer, both_engines, encoded, text};

async fn lookup(bot: &Bot, address: &str) -> Answer {
    bot.api.get(&format!("/v1/users/lookup?email={}", encoded(address))).send().await
}

async fn found(bot: &Bot, address: &str) -> String {
    text(&lookup(bot, address).await.ok(200), "/user/id")
}

async fn missed(bot: &Bot, address: &str) -> Answer {
    lookup(bot, address).await.refused(404, "user_not_found")
}

#[both_engines]
async fn a_visible_address_is_found(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let answer = fixture.bot.api.get("/v1/users/lookup?email=anna@example.com").ok(200).await;
    let members: Vec<_> = answer.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(members, ["ok", "user"], "the response has one user (B-335)");
    assert_eq!(
        answer["user"]["id"],
        fixture.person.as_str(),
        "the person with the address is returned (B-335)"
    );
    assert_eq!(answer["user"]["email"], "anna@example.com", "a user found by address has an email (B-337)");
    let read = fixture.bot.api.get(&format!("/v1/users/{}", fixture.person)).ok(200).await;
    assert_eq!(answer["user"], read["user"], "every read returns the same user object (B-103)");
    let only = fixture.company.install(&fixture.bot.app, &["users:read.email"]).await;
    assert_eq!(
        found(&only, "anna@example.com").await,
        fixture.person,
        "the look-up needs users:read.email alone (B-057, D-040)"
    );
    assert_eq!(
        lookup(&only, "anna@example.com").await.ok(200)["user"]["email"],
        "anna@example.com",
        "a user found by address has an email (B-337)"
    );
}

#[both_engines]
async fn letter_case_is_ignored(server: Server) {
    // B-336, D-141: addresses are trimmed and compared in lower case
    let fixture = BotFixture::new(&server).await;
    let greek = fixture.company.person_with(json!({"email": "Ärger.Σ@Example.COM"})).await;
    let nikos = fixture.company.person_with(json!({"email": "νίκος@example.com"})).await;
    for address in [
        "ANNA@EXAMPLE.COM",
        "Anna@Example.Com",
        "anna@EXAMPLE.com",
        " anna@example.com ",
        "\tanna@example.com",
    ] {
        assert_eq!(
            found(&fixture.bot, address).await,
            fixture.person,
            "letter case and white space are ignored (D-141): {address:?}"
        );
    }
    for address in ["ärger.σ@example.com", "ÄRGER.Σ@EXAMPLE.COM"] {
        assert_eq!(found(&fixture.bot, address).await, greek, "letter case is ignored (B-336): {address}");
    }
    for address in ["νίκος@example.com", "ΝΊΚΟΣ@EXAMPLE.COM"] {
        assert_eq!(
            found(&fixture.bot, address).await,
            nikos,
            "a final sigma and a capital sigma are the same letter (B-336, D-141): {address}"
        );
    }
    assert_eq!(
        lookup(&fixture.bot, "ärger.σ@example.com").await.ok(200)["user"]["email"],
        "Ärger.Σ@Example.COM",
        "the address is returned as it was entered"
    );
}

#[both_engines]
async fn a_hidden_address_is_like_an_unknown_one(server: Server) {
    // B-338, B-339, B-386: a hidden address and an unknown address get the same 404
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let hidden = company.person_with(json!({"email": "hidden@example.com", "email_visible": false})).await;
    let without_request_id = |answer: Answer| {
        let mut headers: Vec<_> = answer.headers.keys().map(|name| name.to_string()).collect();
        headers.sort();
        let mut body = answer.json();
        body["request_id"] = Value::Null;
        (answer.status, headers, body)
    };
    let concealed = without_request_id(missed(&bot, "hidden@example.com").await);
    let unknown = without_request_id(missed(&bot, "nobody@example.com").await);
    assert_eq!(concealed, unknown);
    missed(&bot, "HIDDEN@example.com").await;
    company.update_user(&hidden, json!({"email_visible": true})).await;
    assert_eq!(found(&bot, "hidden@example.com").await, hidden);
    company.update_user(&hidden, json!({"email_visible": false})).await;
    missed(&bot, "hidden@example.com").await;
}

#[both_engines]
async fn only_visible_people_of_the_company_are_found(server: Server) {
    // B-341, D-143: people of other companies, removed people and hidden guests are not found; deactivated people and
    // people in onboarding are found
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let elsewhere = server.company().await;
    elsewhere.person_with(json!({"email": "stranger@example.com"})).await;
    missed(&bot, "stranger@example.com").await;

    let removed = company.person_with(json!({"email": "removed@example.com"})).await;
    company.set_state(&removed, "removed").await;
    missed(&bot, "removed@example.com").await;

    let guest = json!({"email": "unseen@example.com", "is_external": true, "guest_visible": false});
    let guest = company.person_with(guest).await;
    missed(&bot, "unseen@example.com").await;
    company.update_user(&guest, json!({"guest_visible": true})).await;
    assert_eq!(found(&bot, "unseen@example.com").await, guest);

    let deactivated = company.person_with(json!({"email": "away@example.com"})).await;
    company.set_state(&deactivated, "deactivated").await;
    let answer = lookup(&bot, "away@example.com").await.ok(200);
    assert_eq!((&answer["user"]["id"], &answer["user"]["is_active"]), (&json!(deactivated), &json!(false)));
    company.update_user(&deactivated, json!({"email_visible": false})).await;
    missed(&bot, "away@example.com").await;

    let onboarding = company.person_with(json!({"email": "new@example.com", "state": "onboarding"})).await;
    assert_eq!(found(&bot, "new@example.com").await, onboarding);
}

#[both_engines]
async fn an_address_used_in_two_companies_finds_the_person_of_the_bots_company(server: Server) {
    // one account, and so one address, can belong to a person in each of several companies
    let here = server.company().await;
    let there = server.company().await;
    let me_here = here.person_with(json!({"email": "both@example.com"})).await;
    let me_there = there.person_with(json!({"email": "both@example.com"})).await;
    let bot_here = here.bot(&server).await;
    let bot_there = there.install(&bot_here.app, &["users:read.email"]).await;
    assert_eq!(found(&bot_here, "both@example.com").await, me_here);
    assert_eq!(found(&bot_there, "both@example.com").await, me_there);
}

#[both_engines]
async fn a_changed_address_replaces_the_former_one(server: Server) {
    let fixture = BotFixture::new(&server).await;
    fixture.company.update_user(&fixture.person, json!({"email": "anna.new@example.com"})).await;
    missed(&fixture.bot, "anna@example.com").await;
    assert_eq!(found(&fixture.bot, "anna.new@example.com").await, fixture.person);
    let next = fixture.company.person_with(json!({"email": "anna@example.com"})).await;
    assert_eq!(found(&fixture.bot, "anna@example.com").await, next);
}

#[both_engines]
async fn invalid_addresses_are_not_found(server: Server) {
    // D-140: every address without a match gets the same response; addresses are neither patterns nor SQL
    let fixture = BotFixture::new(&server).await;
    for address in [
        "anna",
        "@",
        "anna@",
        "@example.com",
        "anna@example",
        "%",
        "a%",
        "anna_example.com",
        "_nna@example.com",
        "😀",
        "' OR 1=1 --",
        "usr_0000000000001",
        "anna@example.com,bo@example.com",
        "<anna@example.com>",
        "mailto:anna@example.com",
        "an na@example.com",
    ] {
        missed(&fixture.bot, address).await;
    }
    missed(&fixture.bot, &format!("{}@example.com", "x".repeat(3_000))).await;
    // D-025: U+0000 is refused
    for address in ["anna@example.com\0", "\0"] {
        lookup(&fixture.bot, address).await.refused(400, "invalid_request");
    }
}

#[tokio::test]
async fn the_email_parameter_is_required_once() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let plus = fixture.company.person_with(json!({"email": "a+b@example.com"})).await;
    // B-340, D-139: an `email` that is missing, empty or repeated is refused
    for query in [
        "",
        "?",
        "?email",
        "?email=",
        "?mail=anna@example.com",
        "?Email=anna@example.com",
        "?email=anna@example.com&email=anna@example.com",
        "?email=&email=anna@example.com",
        "?email=anna@example.com&email=bo@example.com",
    ] {
        fixture.bot.api.get(&format!("/v1/users/lookup{query}")).refused(400, "invalid_request").await;
    }
    // D-142: the query is decoded as a form, in which `+` is a space
    fixture.bot.api.get("/v1/users/lookup?email=a+b@example.com").refused(404, "user_not_found").await;
    let answer = fixture.bot.api.get("/v1/users/lookup?email=a%2Bb%40example.com").ok(200).await;
    assert_eq!(answer["user"]["id"], plus.as_str());
    fixture.bot.api.get("/v1/users/lookup?limit=0&cursor=x&email=anna@example.com").ok(200).await;
}

#[tokio::test]
async fn lookup_is_never_an_id() {
    // B-342: `/v1/users/lookup` is the look-up, never a user whose id is `lookup`
    let server = Server::sqlite().await;
    let fixture = BotFixture::with(&server, &["users:read"]).await;
    fixture.bot.api.get("/v1/users/lookup").refused(403, "missing_scope").await;
    fixture.bot.api.get("/v1/users/lookup?email=anna@example.com").refused(403, "missing_scope").await;
    let only = fixture.company.install(&fixture.bot.app, &["users:read.email"]).await;
    only.api.get("/v1/users/lookup").refused(400, "invalid_request").await;
    only.api.get(&format!("/v1/users/{}", fixture.person)).refused(403, "missing_scope").await;
}
