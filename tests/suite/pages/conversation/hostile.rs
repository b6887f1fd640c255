//! Stored text cannot become markup. `support::browser` checks every tag of every page.

use super::*;

const HOSTILE: [&str; 12] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg/onload=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "</article></div><form action=https://evil.example>",
    "javascript:alert(1)",
    "https://a.example/\"onmouseover=\"alert(1)",
    "https://a.example/'><b>",
    "{{ shell.me }} {% raw %} ${1} <%= 1 %>",
    "&lt;b&gt; &#60;b&#62; <!-- -->",
    "\u{202e}gpj.exe\u{202c} \u{2066}x\u{200b}",
    "http://user:pass@evil.example/ data:text/html,<b>",
];

/// Asserts that nothing of a text was taken for markup.
#[track_caller]
fn is_text(page: &Page, text: &str) {
    assert!(page.text.contains("&#60;") || !text.contains('<'));
    if text.contains(['<', '"', '\'']) {
        page.hides(text);
    }
}

#[both_engines]
async fn texts_names_and_files(server: Server) {
    let mut team = Team::new(&server).await;
    let bot = team.company.bot(&server).await;
    for text in HOSTILE {
        let (person, mut browser) = colleague(&server, &team.company, json!({"name": text})).await;
        let members = json!({"name": text, "topic": text, "member_ids": [person, team.ann, bot.user_id]});
        let group = team.company.conversation(members).await;
        let file = team.company.file(&person, &percent(text), "image/png", b"x").await;
        let parts = json!({"text": text, "file_ids": [file]});
        let message = team.company.post_with(&group, &person, parts).await;
        team.company.post_with(&group, &person, json!({"text": text, "thread_id": message})).await;
        let mut body = to_conversation(&group, text);
        body["blocks"] = json!([
            {"type": "header", "text": text},
            {"type": "section", "text": text},
            {"type": "context", "text": text},
            {"type": "fields", "fields": [{"label": text, "value": text}]},
            {"type": "actions", "items": [{"action_id": "\"><b>'&", "text": text.chars().take(40).collect::<String>()}]},
        ]);
        bot.send(&body).await;
        for path in [format!("/c/{group}"), format!("/c/{group}/{message}")] {
            for browser in [&mut browser, &mut team.anns] {
                let page = browser.get(&path).await;
                is_text(&page, text);
                assert_eq!(ids(&page).len(), 3, "{}", page.text);
            }
        }
        // in the form again
        let page = browser.get(&format!("/c/{group}")).await;
        let long = format!("{text}{}", "x".repeat(4_000));
        let refused = browser.submit_on(&page, &format!("/c/{group}/messages"), &[("text", &long)]).await;
        assert_eq!(typed(refused.is(422, "at most 4000")), long);
        is_text(&refused, text);
        let edit = format!("/c/{group}/{message}/edit");
        let page = browser.get(&format!("/c/{group}/{message}")).await;
        is_text(browser.submit_on(&page, &edit, &[("text", &long)]).await.is(422, "at most 4000"), text);
    }
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[both_engines]
async fn fifty_ordinary_messages_are_a_small_page(server: Server) {
    let mut team = Team::new(&server).await;
    for number in 0..50 {
        let (sender, words) = if number % 3 == 0 { (&team.ann, 60) } else { (&team.bob, 20) };
        team.company.post(&team.group, sender, &"words ".repeat(words)).await;
    }
    let page = team.anns.get(&team.path()).await;
    assert_eq!(ids(&page).len(), 50);
    assert!(page.text.len() < 100_000, "{} bytes", page.text.len());
}
