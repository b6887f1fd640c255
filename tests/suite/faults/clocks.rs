//! A node whose clock is off gives no ids, and one id of a wrong clock does not move those that follow.

use switchboard::{
    config::Config,
    domain::{ids::WorkspaceId, time::Timestamp},
    platform::clock::Clock,
    workspace::upkeep::Job,
};

use crate::support::{Scene, Server, mcp::MODERN, until};

/// By the machine's clock, as in production: the test clock is not there to be moved.
async fn measured() -> Option<Server> {
    let server = Server::postgres().await?;
    Some(beside(&server, Clock::system()).await)
}

async fn beside(server: &Server, clock: Clock) -> Server {
    server.beside(clock, |config: &mut Config| config.test_clock = false).await.unwrap()
}

async fn node_state(server: &Server) -> (u16, String) {
    let answer = server.api().http.get(format!("{}/readyz", server.base)).send().await.unwrap();
    let status = answer.status().as_u16();
    let body: serde_json::Value = answer.json().await.unwrap();
    (status, body["parts"]["node"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_whose_clock_is_off_writes_nothing_new() {
    let Some(server) = measured().await else { return };
    let scene = Scene::new(&server).await;
    assert_eq!(node_state(&server).await, (200, "ok".to_owned()));
    let sent = scene.bot.sending("before", &scene.post(serde_json::json!({}))).ok(201).await;
    for (micros, side) in [(3_600_000_000, "ahead of"), (-7_200_000_000, "behind")] {
        server.clock.shift(micros);
        // at once, before the next confirmation of the number
        scene.bot.sending("while-off", &scene.post(serde_json::json!({}))).refused(503, "server_error").await;
        until(async || node_state(&server).await.0 == 503).await;
        let said = node_state(&server).await.1;
        assert!(said.starts_with("its clock is 3") && said.contains(side), "{said}");
        let repeat = scene.bot.sending("before", &scene.post(serde_json::json!({}))).ok(201).await;
        assert_eq!(repeat["message"], sent["message"], "a repeat needs no id");
    }
    server.clock.reset();
    until(async || node_state(&server).await == (200, "ok".to_owned())).await;
    scene.bot.sending("while-off", &scene.post(serde_json::json!({}))).ok(201).await;
    assert_eq!(scene.standing().await.len(), 2, "what was refused was not written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stray_id_of_the_future_is_passed_over() {
    let Some(server) = Server::postgres().await else { return };
    // a node of before, or of a sandbox, that thought it was 2100
    let in_2100 = Clock::manual(Timestamp(4_102_444_800_000_000));
    let stray = server.beside(in_2100, |_| {}).await.unwrap();
    let scene = Scene::new(&stray).await;
    let far = WorkspaceId::parse(&scene.company.id).unwrap().0 >> 21;
    assert!(far > 4_102_000_000_000, "the id is of the year 2100");
    stray.stop().await;
    let measured = beside(&server, Clock::system()).await;
    assert_eq!(node_state(&measured).await, (200, "ok".to_owned()));
    for _ in 0..3 {
        let made = WorkspaceId::parse(&measured.company().await.id).unwrap().0 >> 21;
        let ahead = made - Clock::system().now().0 / 1_000;
        assert!((-5_000..=61_000).contains(&ahead), "ids go by the clock: {ahead} ms ahead");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_whose_clock_is_off_judges_no_expiry() {
    let Some(server) = measured().await else { return };
    let linked = server.linked().await;
    let asks = async || server.mcp(&linked.tokens.access, MODERN).works().await.status;
    let world = server.running().world();
    assert_eq!(asks().await, 200);
    // past the life of an access token, and behind; the database knows better
    for micros in [7_200_000_000, -14_400_000_000] {
        server.clock.shift(micros);
        assert_eq!(
            asks().await,
            503,
            "a good token is not refused with 401, and an expired one not accepted"
        );
        let refreshed = linked.client.refresh(&linked.tokens.refresh).await;
        assert_eq!(refreshed.status, 503, "nor is a refresh token");
        for job in Job::ALL {
            assert!(!world.claim_job(job, 1).await.unwrap(), "{}: nothing expires", job.name());
        }
    }
    server.clock.reset();
    assert_eq!(asks().await, 200, "the connection lives");
    linked.client.refresh(&linked.tokens.refresh).await.ok();
}
