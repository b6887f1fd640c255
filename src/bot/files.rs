//! Handler for the files of messages that the bot can read.

use super::BotApi;
use crate::{
    contract::OperationError,
    domain::ids::{ConversationId, FileId},
    generated::bot::{
        FilesHandlers, GetConversationFileError, GetConversationFileRequest, GetConversationFileSuccess,
        types,
    },
    service::bot::access::Bot,
};

impl FilesHandlers for BotApi {
    async fn get_conversation_file(
        &self,
        bot: Bot,
        request: GetConversationFileRequest,
    ) -> Result<GetConversationFileSuccess, OperationError<GetConversationFileError>> {
        let conversation = ConversationId::parse(&request.conversation_id);
        let file = bot.file(conversation, FileId::parse(&request.id)).await?;
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
