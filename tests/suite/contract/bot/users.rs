//! `listUsers`, `lookupUser`, `getUser`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn list_users(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let bot = Client::of(&fixture.bot.api);
    let first = succeeds!(200, bot.list_users(None, Some(typed(1))));
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, bot.list_users(Some(&cursor), Some(typed(1000))));
    assert_eq!(second.next_cursor, None);
    let people: Vec<_> = first.users.iter().chain(&second.users).collect();
    assert_eq!(people.len(), 2, "the admin and the person, but no bot: {people:?}");
    let admin = people.iter().find(|user| user.id == fixture.company.admin).expect("the admin");
    assert!(admin.is_admin && !admin.is_bot);
    assert!(people.iter().any(|user| user.id == fixture.person && user.name == "Anna Example"));

    refused!(400, "invalid_cursor", bot.list_users(Some(&typed("unknown")), None));
    refused!(400, "token_in_query", bot.list_users(Some(&typed(fixture.bot.token.as_str())), None));
}

#[both_engines]
async fn get_user(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let members = json!({
        "display_name": "Anna", "title": "Engineer", "timezone": "Europe/Berlin",
        "avatar_url": "https://example.com/anna.png",
    });
    fixture.company.update_user(&fixture.person, members).await;
    let bot = Client::of(&fixture.bot.api);
    let found = succeeds!(200, bot.get_user(&fixture.person));
    let expected: types::User = typed(json!({
        "id": fixture.person, "name": "Anna Example", "display_name": "Anna", "email": fixture.email,
        "title": "Engineer", "timezone": "Europe/Berlin", "avatar_url": "https://example.com/anna.png",
        "is_active": true, "is_admin": false, "is_bot": false, "is_external": false,
    }));
    assert_eq!(found.user, expected);
    refused!(404, "user_not_found", bot.get_user(NOBODY));
}

#[both_engines]
async fn lookup_user(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let bot = Client::of(&fixture.bot.api);
    let found = succeeds!(200, bot.lookup_user(&typed("ANNA@example.com")));
    assert_eq!((&found.user.id, found.user.email.as_ref()), (&fixture.person, Some(&fixture.email)));
    refused!(404, "user_not_found", bot.lookup_user(&typed("nobody@example.com")));
    refused!(400, "invalid_request", bot.lookup_user(&typed("no\0body@example.com")));
    refused!(400, "token_in_query", bot.lookup_user(&typed(format!("{}@example.com", fixture.bot.token))));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_bots(server).await;
    refuses_callers!(callers, list_users(None, None));
    refuses_callers!(callers, get_user(NOBODY));
    refuses_callers!(callers, lookup_user(&typed("anna@example.com")));
}
