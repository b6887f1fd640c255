//! Hostile texts in the event streams of open windows: texts of messages and names arrive as text, not as markup.

use serde_json::{Value, json};

use super::{corpus, document::Document};
use crate::{
    pages::{colleague, live::Window},
    support::*,
};

#[both_engines]
async fn events_of_a_stream_contain_texts_as_text(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let (ann, browser) = colleague(&server, &company, json!({"name": "Ann"})).await;
    let group = company.group(&[&ann, &bot.user_id]).await;
    let mut window = Window::on(&server, &browser, &group).await;
    let mut list = Window::open(&server, &browser, "/conversations/live", None).await;
    for (count, text) in (1..).zip(corpus()) {
        // the APIs reject U+0000
        let text = text.replace('\0', "");
        let name = text.chars().take(200).collect::<String>();
        company.update_user(&ann, json!({"name": name})).await;
        let body = json!({"text": text, "blocks": [{"type": "section", "text": text}]});
        let mut sent = to_conversation(&group, &text);
        sent["blocks"] = body["blocks"].clone();
        let id = crate::support::text(&bot.send(&sent).await, "/id");
        let mine = company.post_with(&group, &ann, json!({"text": text, "thread_id": id})).await;
        bot.api
            .patch(&format!("/v1/messages/{id}"))
            .json(&json!({"text": format!("{text} again")}))
            .ok(200)
            .await;
        for (kind, id, expected) in [
            ("message", &id, text.clone()),
            ("message", &mine, text.clone()),
            ("edited", &id, format!("{text} again")),
        ] {
            let event = window.next(kind).await;
            let read = Document::read_part(&text, &server.base, &event.data);
            assert!(read.has(&expected), "{expected:?} is not in {event:?}");
            assert!(*id != mine || read.has(&name), "{name:?} is not in {event:?}");
            assert_eq!(event.data.matches("<article ").count(), 1, "{event:?}");
            assert!(event.data.contains(&format!("id=\"{id}\"")), "{event:?}");
        }
        // An event `unread` of the conversation list has only an id and a number. The number counts the bot's messages
        // among the 120 newest messages. Every other message is Ann's.
        loop {
            let event = list.next("unread").await;
            let data: Value = serde_json::from_str(&event.data).unwrap();
            let members: Vec<_> = data.as_object().unwrap().keys().collect();
            assert_eq!(members, ["conversation", "unread"], "{event:?}");
            if data["unread"] == count.min(60) {
                break;
            }
        }
    }
}
