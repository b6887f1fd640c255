//! The delivery log with many entries (W-34).

use switchboard::domain::ids::{AppId, EventId, InstallationId};

use crate::support::*;

/// A time in microseconds that is later than every clock in these tests.
const FAR: i64 = 9_000_000_000_000_000;

#[both_engines]
async fn a_filtered_page_examines_a_bounded_number_of_entries(fixture: EventsFixture) {
    let app = AppId::parse(&fixture.bot.app.id).unwrap().0;
    let installation = fixture.company.installation_of(&fixture.bot).await;
    let installation = InstallationId::parse(&installation).unwrap().0;
    // The app has 25,000 events, with the ids 1 to 25,000. Three of them have the rare type `interaction`: those with
    // the ids 1, 12,001 and 24,001.
    let fill = format!(
        "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state, attempts, next_at)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
         SELECT i, {app}, {installation}, 1, CASE WHEN i % 12000 = 1 THEN 'interaction' ELSE 'directory.changed' END,
            '{{}}', i, 1, 1, {FAR} FROM n;
         INSERT INTO delivery_attempts (event_id, attempt, id, app_id, workspace_id, at, delivered, latency_ms)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
         SELECT i, 1, i, {app}, 1, i, 1, 1 FROM n;"
    );
    fixture.server.database.execute(&fill).await;
    for (filter, found) in [("type=interaction", 3), ("state=failed", 0)] {
        let (mut ids, mut pages, mut cursor) = (Vec::new(), 0, String::new());
        loop {
            let path = fixture.app_path(&format!("/deliveries?limit=100&{filter}{cursor}"));
            let page = fixture.server.operator().get(&path).ok(200).await;
            let entries = page["deliveries"].as_array().unwrap();
            assert!(
                entries.len() <= 1,
                "a page has at most one entry: it examines at most 10,000, and the matching entries are 12,000 apart"
            );
            ids.extend(entries.iter().map(|entry| text(entry, "/event_id")));
            pages += 1;
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!((ids.len(), pages), (found, 3), "{filter}");
        ids.dedup();
        assert_eq!(ids.len(), found, "each entry is listed once");
    }
    // if more than `limit` of the examined entries match, the next page begins after the last listed entry, and not
    // after the last examined entry
    let path = fixture.app_path("/deliveries?limit=1&state=delivered");
    let first = fixture.server.operator().get(&path).ok(200).await;
    let rest = format!("{path}&cursor={}", text(&first, "/next_cursor"));
    let second = fixture.server.operator().get(&rest).ok(200).await;
    for (page, id) in [(first, 25_000), (second, 24_999)] {
        assert_eq!(page["deliveries"].as_array().unwrap().len(), 1);
        assert_eq!(text(&page, "/deliveries/0/event_id"), EventId(id).encode());
    }
}
