//! `getConversationFile`.

use super::*;
use crate::support::*;

/// The id of a file that was never uploaded.
const NO_FILE: &str = "fil_0000000000001";

#[both_engines]
async fn get_conversation_file(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (group, id) = (fixture.group.as_str(), fixture.file.as_str());
    let bot = Client::of(&fixture.bot.api);
    let found = succeeds!(200, bot.get_conversation_file(group, id));
    let file = &found.file;
    assert_eq!((file.id.as_str(), file.name.as_str()), (id, "plan.txt"));
    assert_eq!((file.mimetype.as_str(), file.size), ("text/plain", 8));
    assert!(file.url.starts_with(&server.base), "the link is to this server: {}", file.url);

    refused!(404, "file_not_found", bot.get_conversation_file(group, NO_FILE));
    refused!(404, "conversation_not_found", bot.get_conversation_file(NOWHERE, id));
    fixture.company.remove(group, &fixture.bot.user_id).await;
    refused!(403, "not_in_conversation", bot.get_conversation_file(group, id));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_bots(server).await;
    refuses_callers!(callers, get_conversation_file(NOWHERE, NO_FILE));
}
