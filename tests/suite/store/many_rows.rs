//! On PostgreSQL, an operation that changes many rows of a table changes them with one statement. With a statement for
//! each row, the operation would hold its locks during a round trip for each row.

use serde_json::json;

use switchboard::{
    domain::{
        ids::{ConversationId, MessageId, WorkspaceId},
        time::Timestamp,
    },
    service::maintenance::Job,
    store::{Op, ReadOp, ReadSql, Result, Sql, changes},
};

use crate::support::{
    statement_counts::{count_statements, counted},
    *,
};

/// One statement adds all new members of a conversation. It is an `INSERT … ON CONFLICT … DO UPDATE`, for which
/// PostgreSQL runs the statement triggers of `UPDATE` even if it updates no row.
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
    assert_eq!(both().await, (1, 1), "three people join a group by one statement for each table");
    // two of the five people are not members of the group yet, so they also join the group
    let channel = company.channel(&group, &people).await;
    assert_eq!(both().await, (2, 2), "the group and the channel each take one statement for each table");
    company.channel(&group, &people).await;
    // The statement that adds members runs for the group and for the channel. All five people are already members of
    // the group, so in `conversations` only the channel gets a new count of members.
    assert_eq!(both().await, (2, 1), "the count of the group's members does not change");
    company.remove(&group, people[0]).await;
    assert_eq!(
        both().await,
        (1, 1),
        "a person leaves a group and its channels by one statement for each table"
    );
    for id in [&group, &channel] {
        let path = format!("/admin/v1/conversations/{id}");
        let conversation = &company.operator.get(&path).ok(200).await["conversation"];
        assert_eq!(conversation["member_count"], 4);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_installations_of_a_disabled_app_are_disconnected_by_one_statement() {
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

/// Records the deletion of a file of several messages. The first field has the messages, and the second field is the
/// time in microseconds.
struct RecordDeletion(Vec<(ConversationId, MessageId)>, i64);

impl Op for RecordDeletion {
    const NAME: &'static str = "test_record_deletion";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        changes::file_deleted(c, WorkspaceId(1), self.0.clone(), Timestamp(self.1)).await
    }
}

/// Returns the changes of a conversation: the number of each change, and the id of its message. The number is the time
/// of the change, or a higher number if the conversation already has a change with this number or a higher one.
struct Changes(ConversationId);

impl ReadOp for Changes {
    const NAME: &'static str = "test_changes";
    type Out = Vec<(i64, MessageId)>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let found = changes::after(c, self.0, 0, 100).await?;
        Ok(found.into_iter().map(|change| (change.number, change.message_id)).collect())
    }
}

#[both_engines]
async fn changes_by_file_deletions_get_ascending_numbers_in_each_conversation(server: Server) {
    let [one, two] = [1, 2].map(ConversationId);
    let [a, b, c] = [11, 12, 13].map(MessageId);
    let db = &server.running().world().db;
    for (now, messages) in [
        (100, vec![(one, a), (one, b), (two, c)]),
        // another file of `a` and `b` is deleted in the same microsecond as the first file
        (100, vec![(one, a), (one, b)]),
        (200, vec![(one, b), (two, c)]),
    ] {
        db.write(RecordDeletion(messages, now)).await.unwrap();
    }
    let of_one = db.read(Changes(one)).await.unwrap();
    assert_eq!(of_one, [(100, a), (101, b), (102, a), (103, b), (200, b)]);
    assert_eq!(db.read(Changes(two)).await.unwrap(), [(100, c), (200, c)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_deletion_of_a_file_is_recorded_for_all_its_messages_by_one_statement() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let person = company.person().await;
    let groups = [company.group(&[&person]).await, company.group(&[&person]).await];
    let file = company.file(&person, "a.txt", "text/plain", b"text").await;
    for group in [&groups[0], &groups[0], &groups[1]] {
        company.post_with(group, &person, json!({"type": "file", "file_ids": [file]})).await;
    }
    let mut outside = server.database.outside().await;
    count_statements(&mut outside, "INSERT", "message_changes").await;
    company.operator.delete(&format!("/admin/v1/files/{file}")).ok(200).await;
    assert_eq!(counted(&mut outside, "message_changes").await, 1);
    let rows = "SELECT COUNT(*) FROM message_changes";
    let rows: i64 = sqlx::query_scalar(rows).fetch_one(&mut outside).await.unwrap();
    assert_eq!(rows, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uncounted_files_are_added_to_all_totals_by_one_statement() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    for size in 1..=3 {
        let person = company.person().await;
        company.file(&person, "a.txt", "text/plain", &vec![b'x'; size]).await;
    }
    // restores the state that a version without the table `file_usage` leaves
    server.database.execute("UPDATE files SET counted = 0; DELETE FROM file_usage").await;
    let mut outside = server.database.outside().await;
    count_statements(&mut outside, "INSERT", "file_usage").await;
    let world = server.running().world();
    world.run_job(Job::Files, server.clock.now()).await.unwrap();
    assert_eq!(counted(&mut outside, "file_usage").await, 1);
    let totals = "SELECT bytes FROM file_usage ORDER BY bytes";
    let totals: Vec<i64> = sqlx::query_scalar(totals).fetch_all(&mut outside).await.unwrap();
    assert_eq!(totals, [1, 2, 3, 6], "the totals of three people and of their company");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_search_words_of_people_are_stored_by_one_statement() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let mut outside = server.database.outside().await;
    count_statements(&mut outside, "INSERT", "user_words").await;
    for _ in 0..3 {
        company.person_with(json!({"name": "Ada Augusta King Lovelace"})).await;
        assert_eq!(counted(&mut outside, "user_words").await, 1, "one statement stores a person's words");
    }
    let stored = "SELECT string_agg(encode(word, 'escape'), ' ' ORDER BY user_id, word) FROM user_words";
    let before: String = sqlx::query_scalar(stored).fetch_one(&mut outside).await.unwrap();
    assert!(before.contains("augusta"));
    // restores the state that a version without the table `user_words` leaves
    server.database.execute("UPDATE users SET has_words = 0; DELETE FROM user_words").await;
    count_statements(&mut outside, "UPDATE", "users").await;
    let world = server.running().world();
    world.run_job(Job::People, server.clock.now()).await.unwrap();
    let counts = (counted(&mut outside, "user_words").await, counted(&mut outside, "users").await);
    assert_eq!(counts, (1, 1), "one statement stores all words, and one updates `has_words` of all people");
    let after: String = sqlx::query_scalar(stored).fetch_one(&mut outside).await.unwrap();
    assert_eq!(after, before);
}
