//! The number of round trips to PostgreSQL that a request takes. A proxy between the server and the database counts
//! them.

use std::time::Duration;

use serde_json::json;

use crate::support::{tcp_proxy::TcpProxy, *};

/// The number of times that a request is measured. The result is the lowest number of round trips, because higher
/// numbers may include the preparation of a statement on a connection, or statements of background jobs.
const TIMES: usize = 20;

/// Returns whether a round trip is a signal to the other nodes. The node sends signals in the background, so they are
/// not part of a request.
fn is_signal(sent: &[u8]) -> bool {
    sent.windows(SIGNAL.len()).any(|window| window == SIGNAL)
}

/// The beginning of the JSON in an argument of `pg_notify`.
const SIGNAL: &[u8] = b"{\"by\":";

/// Makes a request [`TIMES`] times. Returns the lowest number of round trips that it took.
async fn fewest(proxy: &TcpProxy, mut request: impl AsyncFnMut(usize)) -> usize {
    let mut fewest = usize::MAX;
    for n in 0..TIMES {
        proxy.record();
        request(n).await;
        let made: Vec<_> = proxy.recorded().into_iter().filter(|sent| !is_signal(sent)).collect();
        if made.len() < fewest {
            fewest = made.len();
            let sent: Vec<_> = made.iter().map(|sent| String::from_utf8_lossy(sent).into_owned()).collect();
            println!("{fewest} round trips: {sent:#?}");
        }
    }
    fewest
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_take_few_round_trips() {
    let Some(near) = Server::postgres().await else { return };
    let Some((proxy, url)) = near.database.proxied().await else { return };
    let server =
        near.another_node_with(near.clock.clone(), |config| config.database.url = url).await.unwrap();
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let person = company.person().await;
    let group = company.group(&[&person, &bot.user_id]).await;
    // the test uses the token of each of these bots only once, so the token is not in the token cache yet
    let mut unused = Vec::new();
    for _ in 0..2 * TIMES {
        unused.push(company.bot(&server).await);
    }
    let ann = server.assistant(&company, "Ann Example").await;
    let assistant = server.mcp(&ann.tokens.access, mcp::MODERN);
    // this first request of the connection writes `last_used_at`, so that the requests below do not
    assistant.list_tools().await;

    let body = to_conversation(&group, "few round trips");
    let sent = fewest(&proxy, async |n| {
        bot.sending(&format!("key-{n}"), &body).ok(201).await;
    })
    .await;
    // A send takes four round trips. If the last check of the token was more than 30 ms ago, another check takes one
    // more.
    assert!((4..=5).contains(&sent), "a send takes four round trips, or five with a token check, not {sent}");
    let replayed = fewest(&proxy, async |n| {
        bot.sending(&format!("key-{n}"), &body).ok(201).await;
    })
    .await;
    assert!(
        replayed <= 5,
        "a replay takes at most four round trips, or five with a token check, not {replayed}"
    );

    let checked = fewest(&proxy, async |n| {
        unused[n].api.get("/v1/users?limit=0").refused(400, "invalid_request").await;
    })
    .await;
    assert_eq!(
        checked, 1,
        "a token check takes one round trip, and the decision of the rate limit takes none"
    );
    let tested = fewest(&proxy, async |n| {
        unused[TIMES + n].api.get("/v1/auth/test").ok(200).await;
    })
    .await;
    assert!(tested <= 2, "auth.test takes at most two round trips, not {tested}");

    let whoami = fewest(&proxy, async |_| {
        assert_eq!(assistant.tool("whoami", json!({})).await.status, 200);
    })
    .await;
    println!("send {sent}, replay {replayed}, token check {checked}, auth.test {tested}, whoami {whoami}");
    assert!(whoami <= 3, "the tool whoami takes at most three round trips, not {whoami}");
    server.stop().await;
}

/// If a search is slow, the server confirms the memberships before it returns the result. One query confirms the
/// memberships in all conversations of the result.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_search_does_not_take_a_round_trip_for_each_conversation() {
    let Some(near) = Server::postgres().await else { return };
    let Some((proxy, url)) = near.database.proxied().await else { return };
    let server =
        near.another_node_with(near.clock.clone(), |config| config.database.url = url).await.unwrap();
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    for n in 0..30 {
        let group = company.group(&[ann.id()]).await;
        let words = if n == 0 { "every single" } else { "every" };
        company.post_with(&group, ann.id(), json!({"text": words})).await;
    }
    let assistant = server.mcp(&ann.tokens.access, mcp::MODERN);
    assistant.list_tools().await;
    // Permissions that were read more than 120 ms ago are read again before the response is sent. With this delay, a
    // search takes longer than 120 ms.
    proxy.delay(Duration::from_millis(25));
    let round_trips = async |query: &str, count: usize| {
        let mut fewest = usize::MAX;
        for _ in 0..3 {
            proxy.record();
            let found =
                assistant.tool("search_messages", json!({"query": query, "limit": 50})).await.result();
            let messages = found["structuredContent"]["messages"].as_array();
            assert_eq!(messages.map(Vec::len), Some(count), "{found}");
            let made = proxy.recorded().into_iter().filter(|sent| !is_signal(sent)).count();
            fewest = fewest.min(made);
        }
        fewest
    };
    let (one, many) = (round_trips("single", 1).await, round_trips("every", 30).await);
    assert!(
        many < one + 10,
        "30 results in 30 conversations take fewer than 10 more round trips than one result: {many} and {one}"
    );
    proxy.delay(Duration::ZERO);
    server.stop().await;
}
