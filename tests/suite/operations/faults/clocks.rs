//! A node with a wrong clock creates no ids and decides no expiry. An id with a time in the future does not affect
//! later ids.

use switchboard::{
    config::Config,
    domain::{browser::BrowserId, ids::WorkspaceId, time::Timestamp, token},
    platform::clock::Clock,
    service::maintenance::Job,
    store::{Error, StoreError},
};

use crate::support::{BotFixture, Server, assistant::PASSWORD, mcp::MODERN, until};

/// Starts a node with the machine's clock, as in production. Returns `None` if the tests have no PostgreSQL.
async fn node_with_system_clock() -> Option<Server> {
    let server = Server::postgres().await?;
    Some(node_with_clock(&server, Clock::system()).await)
}

/// Starts another node, with this clock. A node without `test_clock` compares its clock with the database's clock.
async fn node_with_clock(server: &Server, clock: Clock) -> Server {
    server.another_node_with(clock, |config: &mut Config| config.test_clock = false).await.unwrap()
}

async fn node_state(server: &Server) -> (u16, String) {
    let answer = server.api().http.get(format!("{}/readyz", server.base)).send().await.unwrap();
    let status = answer.status().as_u16();
    let body: serde_json::Value = answer.json().await.unwrap();
    (status, body["parts"]["node"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_with_a_wrong_clock_creates_no_ids() {
    let Some(server) = node_with_system_clock().await else { return };
    let fixture = BotFixture::new(&server).await;
    assert_eq!(node_state(&server).await, (200, "ok".to_owned()));
    let sent = fixture.bot.sending("before", &fixture.post(serde_json::json!({}))).ok(201).await;
    let path = format!("/v1/messages/{}", sent["message"]["id"].as_str().unwrap());
    let edit = || fixture.bot.api.patch(&path).json(&serde_json::json!({"text": "edited"}));
    // one hour ahead, and then one hour behind, because the shifts add up
    for (micros, side) in [(3_600_000_000, "ahead of"), (-7_200_000_000, "behind")] {
        server.clock.shift(micros);
        // the node refuses sends immediately; `/readyz` reports the clock only after the next confirmation of the node
        // number
        fixture
            .bot
            .sending("while-off", &fixture.post(serde_json::json!({})))
            .refused(503, "server_error")
            .await;
        until(async || node_state(&server).await.0 == 503).await;
        let said = node_state(&server).await.1;
        assert!(said.starts_with("its clock is 3") && said.contains(side), "{said}");
        let repeat = fixture.bot.sending("before", &fixture.post(serde_json::json!({}))).ok(201).await;
        assert_eq!(repeat["message"], sent["message"], "a replay succeeds, because it needs no new id");
        // the node also rejects edits and deletions, whose time would be stored wrong
        edit().refused(503, "server_error").await;
        fixture.bot.api.delete(&path).refused(503, "server_error").await;
    }
    server.clock.reset();
    until(async || node_state(&server).await == (200, "ok".to_owned())).await;
    fixture.bot.sending("while-off", &fixture.post(serde_json::json!({}))).ok(201).await;
    assert_eq!(fixture.visible_messages().await.len(), 2, "a refused send is not written");
    edit().ok(200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_id_from_the_future_does_not_affect_later_ids() {
    let Some(server) = Server::postgres().await else { return };
    // a node whose clock shows the year 2100 stores ids of this year
    let in_2100 = Clock::manual(Timestamp(4_102_444_800_000_000));
    let stray = server.another_node_with(in_2100, |_| {}).await.unwrap();
    let fixture = BotFixture::new(&stray).await;
    let far = WorkspaceId::parse(&fixture.company.id).unwrap().0 >> 21;
    assert!(far > 4_102_000_000_000, "the id is of the year 2100");
    stray.stop().await;
    let node = node_with_clock(&server, Clock::system()).await;
    assert_eq!(node_state(&node).await, (200, "ok".to_owned()));
    for _ in 0..3 {
        let made = WorkspaceId::parse(&node.company().await.id).unwrap().0 >> 21;
        let ahead = made - Clock::system().now().0 / 1_000;
        // new ids begin at the latest plausible time: the database's time plus `database.max_clock_skew_seconds` (60 s)
        assert!((-5_000..=61_000).contains(&ahead), "a new id is close to the clock: {ahead} ms ahead");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_can_be_revoked_at_a_node_with_a_wrong_clock() {
    let Some(server) = node_with_system_clock().await else { return };
    for micros in [3_600_000_000, -7_200_000_000] {
        let linked = server.connected_assistant().await;
        let fixture = BotFixture::new(&server).await;
        let company = &linked.employee.company;
        company
            .operator
            .patch(&company.path(""))
            .json(&serde_json::json!({"max_session_hours": 1}))
            .ok(200)
            .await;
        server.clock.shift(micros);
        linked.client.revoke(&linked.tokens.access).await.ok();
        let body = fixture.bot.app.body(serde_json::json!({"token": fixture.bot.token}));
        server.api().post("/oauth/revoke").json(&body).ok(200).await;
        server.clock.reset();
        until(async || node_state(&server).await == (200, "ok".to_owned())).await;
        fixture.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
        linked.client.refresh(&linked.tokens.refresh).await.refused(400, "invalid_grant");
        // With the clock an hour ahead, the connection has reached `max_session_hours` and seems expired. Nevertheless
        // the stored reason must be the client's revocation.
        linked.employee.assert_revoked_for("client").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_with_a_wrong_clock_decides_no_expiry() {
    let Some(server) = node_with_system_clock().await else { return };
    let linked = server.connected_assistant().await;
    let list_status = async || server.mcp(&linked.tokens.access, MODERN).list_tools().await.status;
    let world = server.running().world();
    assert_eq!(list_status().await, 200);
    let query = serde_urlencoded::to_string(linked.client.authorization_query(&[])).unwrap();
    let mut browser = server.browser();
    let request = browser.get(&format!("/authorize?{query}")).await;
    let (_, pending) = request.to().split_once("request=").expect("a request that waits for its decision");
    browser.sign_in(&linked.employee.email, PASSWORD, "/").await;
    let session = world.session(token::hash(browser.session().unwrap())).await.unwrap();
    let company = server.company().await;
    let app = server.app(&["users:read"]).await;
    let operator = &company.operator;
    let person = company.person().await;
    let file = format!("/admin/v1/files/{}", company.file(&person, "a.txt", "text/plain", b"a").await);
    // the node's clock is ahead by more than the lifetime of an access token, and then behind; the database's clock is
    // right
    for micros in [7_200_000_000, -14_400_000_000] {
        server.clock.shift(micros);
        assert_eq!(
            list_status().await,
            503,
            "a node that cannot decide the expiry of an access token neither accepts nor rejects the token"
        );
        let refreshed = linked.client.refresh(&linked.tokens.refresh).await;
        assert_eq!(refreshed.status, 503, "a refresh token is neither accepted nor rejected as invalid");
        let begun = server.browser().get(&format!("/authorize?{query}")).await;
        assert_eq!(begun.wire.status, 503, "no consent request begins, because its expiry would be wrong");
        let viewed = session.signed_in().unwrap().consent_view(pending, &BrowserId([0; 32])).await;
        assert!(
            matches!(viewed, Err(Error::Store(StoreError::Unavailable(_)))),
            "the expiry of a consent request is not decided: {viewed:?}"
        );
        let approval = operator.post(&company.path("/installations"));
        approval.json(&serde_json::json!({"app_id": app.id})).refused(503, "server_error").await;
        // The next three operations would store or use the wrong time:
        // - the rotation: the previous signing secret would expire too early or too late;
        // - the deletion of the file: the content would be purged while links to the file are valid;
        // - the change of `max_session_hours`: connections would be revoked although they are not old enough.
        let rotation = operator.post(&format!("/admin/v1/apps/{}/rotate", app.id));
        rotation.json(&serde_json::json!({"secret": "signing"})).refused(503, "server_error").await;
        operator.delete(&file).refused(503, "server_error").await;
        let limit = operator.patch(&company.path(""));
        limit.json(&serde_json::json!({"max_session_hours": 1})).refused(503, "server_error").await;
        operator.get(&company.path("")).ok(200).await;
        for job in Job::ALL {
            let is_claimed = world.claim_job(job, 1).await.unwrap();
            assert!(!is_claimed, "{}: a node with a wrong clock runs no maintenance job", job.name());
        }
    }
    server.clock.reset();
    until(async || node_state(&server).await == (200, "ok".to_owned())).await;
    operator.delete(&file).ok(200).await;
    assert_eq!(list_status().await, 200, "the connection is still valid");
    linked.client.refresh(&linked.tokens.refresh).await.ok();
}
