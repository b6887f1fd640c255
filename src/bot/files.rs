//! Files of messages the bot can read.

use super::Bot;
use crate::{
    contract::Problem,
    domain::ids::{ConversationId, FileId},
    generated::bot::{
        FilesHandlers, GetConversationFileError, GetConversationFileRequest, GetConversationFileSuccess,
        types,
    },
    workspace::access::BotCaller,
};

impl FilesHandlers for Bot {
    async fn get_conversation_file(
        &self,
        caller: BotCaller,
        request: GetConversationFileRequest,
    ) -> Result<GetConversationFileSuccess, Problem<GetConversationFileError>> {
        let conversation = ConversationId::parse(&request.conversation_id);
        let file = self.world.readable_file(caller, conversation, FileId::parse(&request.id)).await?;
        let url = self.world.file_link(file.id);
        Ok(types::FileResult {
            ok: types::True,
            file: types::File {
                id: file.id.encode(),
                name: file.name,
                mimetype: file.mimetype,
                size: file.size,
                url,
            },
        }
        .into())
    }
}
