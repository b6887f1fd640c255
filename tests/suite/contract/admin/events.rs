//! Tests of the operations `listDeliveries`, `redeliverEvent`, `redeliverEvents` and `createTestEvent`.

use serde_json::json;

use super::*;
use crate::support::*;

const BEGINNING: &str = "2026-11-20T00:00:00Z";

#[both_engines]
async fn list_deliveries(fixture: EventsFixture) {
    let first = fixture.event().await;
    fixture.server.settle().await;
    fixture.advance(10).await;
    let second = fixture.event().await;
    fixture.server.settle().await;
    let operator = Client::of(&fixture.server.operator());
    let app = fixture.bot.app.id.as_str();
    let delivered = Some(types::DeliveryState::Delivered);
    let page = succeeds!(
        200,
        operator.list_deliveries(app, None, None, None, Some(typed(1)), None, None, delivered, None, None)
    );
    let newest = &page.deliveries[0];
    assert_eq!((&newest.event_id, newest.attempt, newest.status), (&second, 1, Some(200)));
    assert_eq!(
        (newest.type_.as_str(), &newest.workspace_id),
        ("directory.changed", &fixture.company.id),
        "{newest:?}"
    );
    let cursor = typed(page.next_cursor.as_deref().expect("another page"));
    let rest = succeeds!(
        200,
        operator.list_deliveries(app, Some(&cursor), None, None, None, None, None, delivered, None, None)
    );
    assert_eq!(rest.deliveries[0].event_id, first);
    let one = typed(first.as_str());
    let kind = Some(types::EventType::DirectoryChanged);
    let until = Some("2026-11-20T12:00:10Z");
    let one = succeeds!(
        200,
        operator.list_deliveries(app, None, Some(&one), None, None, None, Some(BEGINNING), None, kind, until)
    );
    assert_eq!(one.deliveries.len(), 1, "{one:?}");
    let order = Some(types::LogOrder::Ingested);
    let followed =
        succeeds!(200, operator.list_deliveries(app, None, None, None, None, order, None, None, None, None));
    assert_eq!(followed.deliveries[0].event_id, first, "the order `ingested` begins with the oldest entry");

    let other = NO_APP;
    refused!(
        404,
        "not_found",
        operator.list_deliveries(other, None, None, None, None, None, None, None, None, None)
    );
    refused!(
        400,
        "invalid_request",
        operator.list_deliveries(app, None, None, None, None, None, Some("yesterday"), None, None, None)
    );
    let unknown = typed("unknown");
    refused!(
        400,
        "invalid_cursor",
        operator.list_deliveries(app, Some(&unknown), None, None, None, None, None, None, None, None)
    );
    let token = typed("svc_bot_test_");
    refused!(
        400,
        "token_in_query",
        operator.list_deliveries(app, Some(&token), None, None, None, None, None, None, None, None)
    );
}

#[both_engines]
async fn redeliver_event(fixture: EventsFixture) {
    let event = fixture.event().await;
    fixture.server.settle().await;
    let operator = Client::of(&fixture.server.operator());
    let app = fixture.bot.app.id.as_str();
    let queued = succeeds!(202, operator.redeliver_event(app, &event));
    assert_eq!(queued.event_id, event);
    fixture.server.settle().await;
    assert_eq!(
        numbers(&fixture.receiver.hits()),
        [1, 2],
        "a redelivery continues the attempt numbers of the event"
    );
    refused!(404, "not_found", operator.redeliver_event(app, NO_EVENT));
    fixture.set_app(json!({"callback_url": null})).await;
    refused!(409, "conflict", operator.redeliver_event(app, &event));
}

#[both_engines]
async fn redeliver_events(fixture: EventsFixture) {
    fixture.event().await;
    fixture.server.settle().await;
    let operator = Client::of(&fixture.server.operator());
    let app = fixture.bot.app.id.as_str();
    let all = typed(json!({"since": BEGINNING, "state": "all", "type": "directory.changed"}));
    assert_eq!(succeeds!(202, operator.redeliver_events(app, &all)).redelivered, 1);
    let failed = typed(json!({"since": BEGINNING}));
    fixture.server.settle().await;
    assert_eq!(succeeds!(202, operator.redeliver_events(app, &failed)).redelivered, 0);
    refused!(404, "not_found", operator.redeliver_events(NO_APP, &failed));
    refused!(400, "invalid_request", operator.redeliver_events(app, &typed(json!({"since": "yesterday"}))));
    let huge = typed(json!({"since": "x".repeat(1_048_577)}));
    refused!(413, "payload_too_large", operator.redeliver_events(app, &huge));
    fixture.set_app(json!({"callback_url": null})).await;
    refused!(409, "conflict", operator.redeliver_events(app, &failed));
}

#[both_engines]
async fn create_test_event(fixture: EventsFixture) {
    let operator = Client::of(&fixture.server.operator());
    let app = fixture.bot.app.id.as_str();
    let installation = fixture.company.installation_of(&fixture.bot).await;
    let body = json!({"type": "directory.changed", "kind": "user.created", "installation_id": installation});
    let queued = succeeds!(202, operator.create_test_event(app, &typed(body.clone())));
    let log = fixture.log().await;
    assert_eq!(log[0]["event_id"], queued.event_id.as_str());
    refused!(404, "not_found", operator.create_test_event(NO_APP, &typed(body.clone())));
    let wrong = typed(json!({"type": "app.uninstalled", "kind": "user.created"}));
    refused!(400, "invalid_request", operator.create_test_event(app, &wrong));
    refused!(409, "conflict", operator.create_test_event(app, &typed(json!({"type": "interaction"}))));
    let huge = typed(json!({"type": "interaction", "installation_id": "x".repeat(1_048_577)}));
    refused!(413, "payload_too_large", operator.create_test_event(app, &huge));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, list_deliveries(NO_APP, None, None, None, None, None, None, None, None, None));
    refuses_callers!(callers, redeliver_event(NO_APP, NO_EVENT));
    refuses_callers!(callers, redeliver_events(NO_APP, &typed(json!({"since": BEGINNING}))));
    refuses_callers!(callers, create_test_event(NO_APP, &typed(json!({"type": "interaction"}))));
}
