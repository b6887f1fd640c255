//! Files of messages in the web client: uploads, and links to files.

use super::open;
use crate::{
    domain::{ids::FileId, refusal::Code},
    service::{
        callers::{Person, ShownConversation},
        conversations::NamedConversation,
        employee::Employee,
        files::{
            FileView,
            uploads::{ReceivedFile, Upload},
        },
        refuse,
    },
    store::{ReadOp, ReadSql, Result, files, messages},
};

impl Person<'_> {
    /// Authorizes the upload of a file for a message.
    ///
    /// # Errors
    /// Errors of [`CompanyCaller::admit_upload`](crate::service::callers::CompanyCaller::admit_upload).
    pub async fn admit_file(self, name: String, mimetype: Option<String>) -> Result<Upload> {
        self.caller().in_company(self.company_id())?.admit_upload(None, name, mimetype, 1).await
    }

    /// Stores a file that was received.
    ///
    /// # Errors
    /// Errors of [`Caller::store_file`](crate::service::callers::Caller::store_file).
    pub async fn keep_file(self, received: ReceivedFile) -> Result<FileView> {
        self.caller().store_file(received).await
    }

    /// Returns a link to a file, and the conversation of the message that contains the file. The person must be allowed
    /// to see this message. Anyone who has the link can use it for 15 minutes. So immediately before the link is sent,
    /// the caller of this function must check with the returned [`ShownConversation`] that the person still sees the
    /// conversation.
    ///
    /// # Errors
    /// - `conversation_not_found` unless the person is a member.
    /// - `file_not_found` if `file` is `None`, if the file is deleted, or if none of the messages that the person sees
    ///   in the conversation contains the file.
    pub async fn file_link_in(
        self,
        id: NamedConversation,
        file: Option<FileId>,
    ) -> Result<(String, ShownConversation)> {
        let (found, shown) = self.world().db.read(FindPersonFile { employee: self.into(), id, file }).await?;
        Ok((self.world().file_link(found), shown))
    }
}

struct FindPersonFile {
    employee: Employee,
    id: NamedConversation,
    file: Option<FileId>,
}

impl ReadOp for FindPersonFile {
    const NAME: &'static str = "find_file_in_conversation";
    type Out = (FileId, ShownConversation);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (conversation, member) = open(c, self.employee, self.id).await?;
        let Some(id) = self.file else { return refuse(Code::FileNotFound) };
        let file = files::by_id(c, id).await?.filter(|file| file.deleted_at.is_none());
        if file.is_some() && messages::carries_file(c, conversation.id, member.visible_from, id).await? {
            let visible_from = member.visible_from;
            return Ok((id, ShownConversation { employee: self.employee, id: self.id, visible_from }));
        }
        refuse(Code::FileNotFound)
    }
}
