//! The delivery log with many entries (W-34).

use switchboard::domain::ids::{AppId, InstallationId};

use crate::support::*;

/// A time in microseconds that is later than every clock in these tests.
const FAR: i64 = 9_000_000_000_000_000;

#[both_engines]
async fn a_filtered_page_examines_a_bounded_number_of_entries(fixture: EventsFixture) {
    let app = AppId::parse(&fixture.bot.app.id).unwrap().0;
    let installation = fixture.company.installation_of(&fixture.bot).await;
    let installation = InstallationId::parse(&installation).unwrap().0;
    // The app has 25,000 events. Every 12,000th of them has a rare type. The events of the rare type have lower ids
    // than all other events of the app.
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
            assert!(entries.len() <= 2, "a page examines at most 10,000 entries");
            ids.extend(entries.iter().map(|entry| text(entry, "/event_id")));
            pages += 1;
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!((ids.len(), pages), (found, 3), "{filter}");
        ids.dedup();
        assert_eq!(ids.len(), found, "each entry is listed once");
    }
    // a page ends as soon as it has `limit` entries, before 10,000 entries are examined
    let path = fixture.app_path("/deliveries?limit=1&type=interaction");
    let page = fixture.server.operator().get(&path).ok(200).await;
    assert_eq!(page["deliveries"].as_array().unwrap().len(), 1);
}
