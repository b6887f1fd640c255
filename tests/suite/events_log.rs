//! The log of deliveries at volume (W-34).

use switchboard::domain::ids::{AppId, InstallationId};

use crate::{staged, support::*};

/// Microseconds far ahead of every clock here.
const FAR: i64 = 9_000_000_000_000_000;

staged! {
    async fn a_filter_passes_over_so_much_at_a_time(stage: Stage) {
        let app = AppId::parse(&stage.bot.app.id).unwrap().0;
        let installation = stage.company.installation_of(&stage.bot).await;
        let installation = InstallationId::parse(&installation).unwrap().0;
        // one in 12,000 is of a rare type; the ids are before those of everything else
        let fill = format!(
            "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state, attempts, next_at)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
             SELECT i, {app}, {installation}, 1, CASE WHEN i % 12000 = 1 THEN 'interaction' ELSE 'directory.changed' END,
                '{{}}', i, 1, 1, {FAR} FROM n;
             INSERT INTO delivery_attempts (event_id, attempt, id, app_id, workspace_id, at, delivered, latency_ms)
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
             SELECT i, 1, i, {app}, 1, i, 1, 1 FROM n;"
        );
        stage.server.database.execute(&fill).await;
        for (filter, found) in [("type=interaction", 3), ("state=failed", 0)] {
            let (mut ids, mut pages, mut cursor) = (Vec::new(), 0, String::new());
            loop {
                let path = stage.app_path(&format!("/deliveries?limit=100&{filter}{cursor}"));
                let page = stage.server.operator().get(&path).ok(200).await;
                let entries = page["deliveries"].as_array().unwrap();
                assert!(entries.len() <= 2, "a page looks at ten thousand");
                ids.extend(entries.iter().map(|entry| text(entry, "/event_id")));
                pages += 1;
                let Some(next) = page["next_cursor"].as_str() else { break };
                cursor = format!("&cursor={next}");
            }
            assert_eq!((ids.len(), pages), (found, 3), "{filter}");
            ids.dedup();
            assert_eq!(ids.len(), found, "each once");
        }
        // full pages follow one another as ever
        let path = stage.app_path("/deliveries?limit=1&type=interaction");
        let page = stage.server.operator().get(&path).ok(200).await;
        assert_eq!(page["deliveries"].as_array().unwrap().len(), 1);
    }
}
