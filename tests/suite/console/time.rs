//! The console's page that moves the test clock, shows the rate limits of a bot, and resets all rate limits.

use std::time::Duration;

use crate::support::*;

#[both_engines]
async fn the_clock_is_moved_and_reset(server: Server) {
    let mut console = server.console().await;
    let page = console.get("/console/time").await;
    page.shows("20 Nov, 12:00:00").shows("real time");
    for (seconds, time) in [
        ("60", "12:01:00"),
        ("3600", "13:01:00"),
        ("86400", "21 Nov, 13:01:00"),
        ("2592000", "21 Dec, 13:01:00"),
    ] {
        let moved =
            console.submit_on(&page, "/console/time", &[("action", "advance"), ("seconds", seconds)]).await;
        assert_eq!(moved.to(), "/console/time?done=moved");
        console.get("/console/time").await.shows(time).shows("ahead of real time");
    }
    let clock = server.operator().get("/admin/v1/clock").ok(200).await;
    assert_eq!(clock["offset_seconds"], 60 + 3600 + 86_400 + 2_592_000);
    for wrong in ["1", "-60", "x", ""] {
        let fields = [("action", "advance"), ("seconds", wrong)];
        console.submit_on(&page, "/console/time", &fields).await.is(400, "Choose one of the moves");
    }
    let reset = console.submit_on(&page, "/console/time", &[("action", "reset")]).await;
    assert_eq!(reset.to(), "/console/time?done=reset");
    console
        .get("/console/time?done=reset")
        .await
        .shows("20 Nov, 12:00:00")
        .shows("The clock shows real time again.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moving_the_clock_runs_the_retries_that_are_due() {
    let fixture = EventsFixture::sqlite().await;
    let mut console = fixture.server.console().await;
    fixture.receiver.then([Treatment::status(500)]);
    fixture.event().await;
    fixture.server.settle().await;
    let page = console.get("/console/time").await;
    console.submit_on(&page, "/console/time", &[("action", "advance"), ("seconds", "60")]).await;
    assert_eq!(numbers(&fixture.receiver.hits()), [1, 2], "a due retry runs before the form is answered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_cannot_be_moved_is_reported() {
    let configure: server::Configure = std::sync::Arc::new(|config| config.test_clock = false);
    let options = Options { configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await.unwrap();
    let mut console = server.console().await;
    let page = console.get("/console/time").await;
    page.shows("SWITCHBOARD_TEST_CLOCK=1").hides("value=\"advance\"");
    let fields = [("action", "advance"), ("seconds", "60")];
    console.submit_on(&page, "/console/time", &fields).await.is(400, "cannot be moved");
}

#[both_engines]
async fn what_is_left_of_each_limit_is_shown_and_reset(LimitedServer(server): LimitedServer) {
    let mut console = server.console().await;
    console.get("/console/time").await.shows("No bot is shown");
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let person = company.person().await;
    server.operator().post("/admin/v1/rate_limits/reset").ok(200).await;
    let fresh = console.get("/console/time").await;
    fresh.shows("listUsers").shows("20 of 20 left").shows("100 of 100 left").shows("exchangeToken");
    fresh.hides("19 of 20 left").hides("Messages to");
    bot.api.get("/v1/users").ok(200).await;
    bot.send(&to_user(&person, "Hello")).await;
    let used = console.get("/console/time").await;
    used.shows("19 of 20 left").shows("99 of 100 left").shows("4 of 5 left").shows("Messages to dm_");
    // opening the page does not count towards the rate limits
    let again = console.get("/console/time").await;
    assert_eq!(again.text.matches(" left<").count(), used.text.matches(" left<").count());
    again.shows("19 of 20 left").shows("4 of 5 left");
    let reset = console.submit_on(&again, "/console/time", &[("action", "reset_limits")]).await;
    assert_eq!(reset.to(), "/console/time?done=limits");
    console.get("/console/time").await.ok().hides("19 of 20 left").hides("4 of 5 left");
    let unknown = console.get("/console/time?bot=ins_0000000000001").await;
    unknown.shows("No bot is shown");
    server.advance(Duration::from_secs(1)).await;
}
