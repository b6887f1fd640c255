//! On PostgreSQL, a change of many rows of a table is one statement: each statement is a round trip, during which the
//! operation holds its locks.

use serde_json::json;

use crate::support::{
    statement_counts::{count_statements, counted},
    *,
};

/// A statement that adds members counts as an update, because it has `ON CONFLICT … DO UPDATE`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_many_memberships_is_one_statement() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let mut people = Vec::new();
    for _ in 0..5 {
        people.push(company.person().await);
    }
    let people: Vec<&str> = people.iter().map(String::as_str).collect();
    let mut outside = server.database.outside().await;
    for table in ["members", "conversations"] {
        count_statements(&mut outside, "UPDATE", table).await;
    }
    let mut both =
        async || (counted(&mut outside, "members").await, counted(&mut outside, "conversations").await);
    let group = company.group(&people[..3]).await;
    assert_eq!(both().await, (1, 1), "three people join a new group");
    // five people join the channel, of whom two join the group before
    let channel = company.channel(&group, &people).await;
    assert_eq!(both().await, (2, 2), "five people join a new channel");
    company.channel(&group, &people).await;
    assert_eq!(both().await, (2, 1), "the members of a group join a new channel");
    company.remove(&group, people[0]).await;
    assert_eq!(both().await, (1, 1), "a person leaves a group and its two channels");
    for id in [&group, &channel] {
        let path = format!("/admin/v1/conversations/{id}");
        let conversation = &company.operator.get(&path).ok(200).await["conversation"];
        assert_eq!(conversation["member_count"], 4);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disabled_app_is_disconnected_by_one_statement() {
    let Some(server) = Server::postgres().await else { return };
    let app = server.app(&ALL_SCOPES).await;
    let mut bots = Vec::new();
    for _ in 0..3 {
        bots.push(server.company().await.install(&app, &ALL_SCOPES).await);
    }
    let mut outside = server.database.outside().await;
    count_statements(&mut outside, "UPDATE", "installations").await;
    let path = format!("/admin/v1/apps/{}", app.id);
    server.operator().patch(&path).json(&json!({"disabled": true})).ok(200).await;
    assert_eq!(counted(&mut outside, "installations").await, 1);
    for bot in &bots {
        bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    }
}
