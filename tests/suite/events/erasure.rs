//! Deleting a message erases the message's metadata and the value of its button from the stored events of clicks
//! (B-251). A pending event keeps its body until its last attempt, because all attempts of an event have the same body
//! (B-429).

use serde_json::{Value, json};
use switchboard::{
    domain::ids::EventId,
    store::{Op, Query, ReadOp, ReadSql, Result, Sql, args, event_erasure, statements},
};

use crate::support::*;

statements! {
    BODY: Query = "SELECT body FROM events WHERE id = $1";
    WITH_CONTENT: Query = "SELECT COUNT(*) FROM events WHERE type = 'interaction' AND body LIKE '%in-confidence%'";
    UNFINISHED: Query = "SELECT COUNT(*) FROM deleted_messages WHERE in_events = 1";
}

struct Body(EventId);

impl ReadOp for Body {
    const NAME: &'static str = "test_body";
    type Out = String;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<String> {
        Ok(c.one::<(String,)>(&BODY, args![self.0]).await?.0)
    }
}

struct Count(&'static Query);

impl ReadOp for Count {
    const NAME: &'static str = "test_count";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(self.0, args![]).await
    }
}

/// Calls `erase` for an event without checking first whether the event is pending. An operation that made this check
/// before the event was redelivered does the same.
struct Erase(EventId);

impl Op for Erase {
    const NAME: &'static str = "test_erase";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        event_erasure::erase(c, &[(self.0, "{}".to_owned())], switchboard::domain::time::Timestamp(1)).await
    }
}

/// A message of the bot with a button and metadata.
struct Clickable {
    id: String,
    person: String,
}

impl Clickable {
    async fn new(fixture: &EventsFixture) -> Self {
        let person = fixture.company.person().await;
        let group = fixture.company.group(&[&person, &fixture.bot.user_id]).await;
        let mut body = to_conversation(&group, "Release?");
        body["metadata"] = json!({"build": "in-confidence"});
        let button = json!({"action_id": "yes", "text": "Yes", "value": "in-confidence"});
        body["blocks"] = json!([{"type": "actions", "items": [button]}]);
        let id = text(&fixture.bot.send(&body).await, "/id");
        // wait until the events about the new person and the new group are delivered, so that only the events of clicks
        // are pending in the tests
        fixture.server.settle().await;
        Self { id, person }
    }

    /// Clicks the button, and returns the id of the event.
    async fn click(&self, fixture: &EventsFixture) -> String {
        let click = json!({"user_id": self.person, "action_id": "yes"});
        let path = format!("/admin/v1/messages/{}/interactions", self.id);
        fixture.server.operator().post(&path).json(&click).ok(202).await;
        let log = fixture.server.log_of(&fixture.bot.app, "type=interaction").await;
        log.iter().map(|entry| text(entry, "/event_id")).max().expect("the event is in the log")
    }
}

/// Returns a copy of the body of a click's event, without the content of the message.
fn without_content(body: &Value) -> Value {
    let mut body = body.clone();
    body["data"]["value"] = Value::Null;
    body["data"]["message"]["metadata"] = Value::Null;
    body
}

/// Returns the stored body of an event.
async fn stored(fixture: &EventsFixture, event: &str) -> Value {
    let id = EventId::parse(event).unwrap();
    let body = fixture.server.running().world().db.read(Body(id)).await.unwrap();
    serde_json::from_str(&body).unwrap()
}

async fn count(fixture: &EventsFixture, query: &'static Query) -> i64 {
    fixture.server.running().world().db.read(Count(query)).await.unwrap()
}

/// Returns the received requests that carry this event.
fn attempts(fixture: &EventsFixture, event: &str) -> Vec<ReceivedRequest> {
    fixture.receiver.hits().into_iter().filter(|hit| hit.id() == event).collect()
}

#[both_engines]
async fn a_deletion_erases_the_content_from_finished_events(fixture: EventsFixture) {
    for by_bot in [true, false] {
        let (deleted, other) = (Clickable::new(&fixture).await, Clickable::new(&fixture).await);
        let (event, kept) = (deleted.click(&fixture).await, other.click(&fixture).await);
        fixture.server.settle().await;
        let before = stored(&fixture, &event).await;
        assert_eq!(before["data"]["value"], "in-confidence");
        if by_bot {
            fixture.bot.deleting(&deleted.id).ok(200).await;
        } else {
            fixture.company.erase(&deleted.id).await;
        }
        let after = stored(&fixture, &event).await;
        assert_eq!(after, without_content(&before), "a deletion erases the content from events (B-251)");
        let kept = stored(&fixture, &kept).await;
        assert_eq!(kept["data"]["value"], "in-confidence", "events of other messages are unchanged");
        assert_eq!(count(&fixture, &UNFINISHED).await, 0, "nothing is left to the maintenance job");
    }
}

#[both_engines]
async fn an_event_without_its_content_is_not_redelivered(fixture: EventsFixture) {
    let message = Clickable::new(&fixture).await;
    let event = message.click(&fixture).await;
    fixture.server.settle().await;
    let operator = fixture.server.operator();
    operator.redeliver(&fixture.bot.app, &event).await;
    fixture.server.settle().await;
    fixture.bot.deleting(&message.id).ok(200).await;
    let path = format!("/admin/v1/apps/{}", fixture.bot.app.id);
    operator.post(&format!("{path}/events/{event}/redeliver")).refused(409, "conflict").await;
    let all = json!({"since": "2026-11-20T00:00:00Z", "state": "all", "type": "interaction"});
    let done = operator.post(&format!("{path}/redeliver")).json(&all).ok(202).await;
    assert_eq!(done["redelivered"], 0, "an event without its content is not redelivered (B-429)");
    fixture.server.settle().await;
    let bodies: Vec<_> = attempts(&fixture, &event).into_iter().map(|hit| hit.body).collect();
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[0], bodies[1], "every attempt has the same body (B-429)");
}

#[both_engines]
async fn a_pending_event_keeps_its_body_until_its_last_attempt(fixture: EventsFixture) {
    let message = Clickable::new(&fixture).await;
    fixture.receiver.always(Treatment::status(503));
    let event = message.click(&fixture).await;
    fixture.server.settle().await;
    let sent = stored(&fixture, &event).await;
    fixture.company.erase(&message.id).await;
    for (seconds, made) in [(60, 2), (300, 3), (1800, 4)] {
        assert_eq!(stored(&fixture, &event).await, sent, "a pending event keeps its body (B-429)");
        fixture.advance(seconds).await;
        let hits = attempts(&fixture, &event);
        assert_eq!(hits.len(), made);
        assert_eq!(hits[0].body, hits[made - 1].body, "every attempt has the same body (B-429)");
    }
    fixture.advance(60).await;
    let after = stored(&fixture, &event).await;
    assert_eq!(after, without_content(&sent), "the content is erased after the last attempt (B-251)");
    assert_eq!(count(&fixture, &UNFINISHED).await, 0, "the deletion is complete");
}

#[both_engines]
async fn an_event_that_is_pending_again_keeps_its_body(fixture: EventsFixture) {
    let message = Clickable::new(&fixture).await;
    let event = message.click(&fixture).await;
    fixture.server.settle().await;
    fixture.receiver.always(Treatment::status(503));
    fixture.server.operator().redeliver(&fixture.bot.app, &event).await;
    let sent = stored(&fixture, &event).await;
    let db = &fixture.server.running().world().db;
    let erased = db.write(Erase(EventId::parse(&event).unwrap())).await.unwrap();
    assert_eq!(erased, 0, "erasing skips an event that became pending again (B-429)");
    fixture.bot.deleting(&message.id).ok(200).await;
    fixture.server.settle().await;
    let hits = attempts(&fixture, &event);
    assert_eq!(hits.len(), 2);
    assert_eq!(hits[0].body, hits[1].body, "every attempt has the same body (B-429)");
    // a disconnect drops the pending event
    fixture.company.uninstall(&fixture.bot).await;
    fixture.advance(60).await;
    let after = stored(&fixture, &event).await;
    assert_eq!(after, without_content(&sent), "the content is erased from a dropped event (B-251)");
    assert_eq!(count(&fixture, &UNFINISHED).await, 0, "the deletion is complete");
}

#[both_engines]
async fn the_content_is_erased_from_many_events(fixture: EventsFixture) {
    const COPIES: i64 = 1_200;
    let message = Clickable::new(&fixture).await;
    let event = message.click(&fixture).await;
    fixture.server.settle().await;
    let id = EventId::parse(&event).unwrap().0;
    let copy = format!(
        "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state, attempts, next_at,
            message_id)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {COPIES})
         SELECT i, app_id, installation_id, workspace_id, type, body, created_at, state, attempts, next_at, message_id
         FROM events, n WHERE id = {id}"
    );
    fixture.server.database.execute(&copy).await;
    assert_eq!(count(&fixture, &WITH_CONTENT).await, COPIES + 1);
    fixture.bot.deleting(&message.id).ok(200).await;
    assert_eq!(
        count(&fixture, &WITH_CONTENT).await,
        COPIES + 1 - 100,
        "a deletion erases the content from at most 100 events"
    );
    fixture.advance(60).await;
    assert_eq!(count(&fixture, &WITH_CONTENT).await, 0, "the maintenance job erases the rest (B-251)");
    assert_eq!(count(&fixture, &UNFINISHED).await, 0, "the deletion is complete");
}
