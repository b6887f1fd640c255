//! The lifetime of file links (B-422). The tests of `events` check the other times of B-422.

use std::time::Duration;

use serde_json::json;

use crate::support::*;

#[both_engines]
async fn a_file_link_works_for_15_minutes(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let file = fixture.company.file(&fixture.person, "a.txt", "text/plain", b"a").await;
    let attached = json!({"type": "file", "file_ids": [file]});
    fixture.company.post_with(&fixture.group, &fixture.person, attached).await;
    let path = format!("/v1/conversations/{}/files/{file}", fixture.group);
    let url = text(&fixture.bot.api.get(&path).ok(200).await, "/file/url");
    let open = async || server.api().http.get(&url).send().await.unwrap().status();
    assert_eq!(open().await, 302, "a new link works (B-422)");
    server.advance(Duration::from_secs(14 * 60 + 59)).await;
    assert_eq!(open().await, 302, "a link works after 14 minutes and 59 seconds (B-422)");
    server.advance(Duration::from_secs(2)).await;
    assert_eq!(open().await, 404, "a link has expired after 15 minutes and 1 second (B-422)");
}
