//! `switchboard msg`: posts, lists, edits and erases messages, and clicks the buttons of bots' messages (W-22 to W-26).

use clap::{Args, Subcommand};

use switchboard_clients::admin::types;

use crate::cli::{
    answer::Answer,
    client::{Server, accept},
    failure::Result,
    paging::{self, PageArgs},
    requests::checked,
    table::Column,
    values::one_of,
};

const COLUMNS: &[Column] = &[
    ("ID", "id"),
    ("CREATED", "created_at"),
    ("SENDER", "user_id"),
    ("TYPE", "type"),
    ("TEXT", "text"),
    ("FILES", "files"),
    ("REPLY TO", "thread_id"),
    ("EDITED", "edited_at"),
    ("DELETED", "deleted_at"),
];

const TYPES: &[&str] =
    &["text", "image", "file", "system", "audio", "video", "location", "contact", "call", "poll", "survey"];

/// Post, list, edit and erase messages, and click the buttons of bots' messages.
#[derive(Clone, Debug, Subcommand)]
pub enum MsgCommand {
    /// Post a message as a person, or a system message
    ///
    /// With a session, the sender is the session's person. The operator names the sender with --as. Without --as, the
    /// operator can post only with `--type system`.
    #[command(after_help = "Examples:
  switchboard msg post grp_38f3k5drc004s --as usr_38f3jy2mc002f --text 'Shipping it.'
  switchboard msg post grp_38f3k5drc004s --as usr_38f3jy2mc002f --type file --file fil_38f3t4rvm00aj
  switchboard msg post grp_38f3k5drc004s --type system --text 'The office is closed tomorrow.'")]
    Post(Box<MessagePostArgs>),
    /// List a conversation's messages, newest first, including deleted ones
    #[command(after_help = "Examples:
  switchboard msg list grp_38f3k5drc004s --limit 20
  switchboard msg list grp_38f3k5drc004s --json")]
    List {
        /// Id of the conversation (grp_..., chn_..., dm_...)
        conversation: String,
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Replace the text of a person's message
    #[command(
        after_help = "Examples:\n  switchboard msg edit gmsg_38f3tawmg0088 --text 'Shipping it tomorrow.'"
    )]
    Edit {
        /// Id of the message (gmsg_..., dmsg_...)
        message: String,
        /// The new text
        #[arg(long)]
        text: types::MessageUpdateText,
    },
    /// Erase a message
    #[command(after_help = "Examples:\n  switchboard msg delete gmsg_38f3tawmg0088")]
    Delete {
        /// Id of the message (gmsg_..., dmsg_...)
        message: String,
    },
    /// Click a button of a bot's message, as the person named by --as (sandbox only)
    #[command(
        after_help = "Examples:\n  switchboard msg click gmsg_38f3th2s6004q --as usr_38f3jy2mc002f --action approve"
    )]
    Click {
        /// Id of the message (gmsg_..., dmsg_...)
        message: String,
        /// The button's `action_id`
        #[arg(long)]
        action: types::InteractionCreateActionId,
        /// The value to send; by default the button's own value
        #[arg(long)]
        value: Option<types::InteractionCreateValue>,
    },
}

/// A new message.
#[derive(Args, Clone, Debug)]
pub struct MessagePostArgs {
    /// Id of the conversation (grp_..., chn_..., dm_...)
    conversation: String,
    /// The text; for messages with files or of other types than `text`, the caption
    #[arg(long)]
    text: Option<types::MessageCreateText>,
    /// Type of the message
    #[arg(long = "type", default_value = "text", value_parser = one_of::<types::MessageType>(TYPES))]
    type_: types::MessageType,
    /// An uploaded file to attach (fil_...); repeatable
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<types::MessageCreateFileIdsItem>,
    /// Id of the message to reply to
    #[arg(long, value_name = "MESSAGE")]
    thread: Option<types::MessageCreateThreadId>,
    /// Idempotency key of the message, unique in the conversation
    #[arg(long, value_name = "KEY")]
    client_key: Option<types::MessageCreateClientKey>,
}

impl MsgCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// - [`Failure::Usage`](crate::cli::failure::Failure::Usage) if a click has no `--as`, or an invalid one, or if the
    ///   cursor of a list is malformed.
    /// - An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::Post(post) => post.run(server).await,
            Self::List { conversation, page } => {
                let found = paging::all("messages", &page, async |cursor, limit| {
                    admin.list_messages(&conversation, Option::as_ref(&cursor), limit).await
                });
                Ok(Answer::list(found.await?, "messages", COLUMNS))
            }
            Self::Edit { message, text } => {
                let done = accept(admin.update_message(&message, &types::MessageUpdate { text })).await?;
                let text = format!("Edited {}.", done.message.id);
                Ok(Answer::new(&done, text))
            }
            Self::Delete { message } => {
                accept(admin.delete_message(&message)).await?;
                Ok(Answer::done(format!("Erased {message}.")))
            }
            Self::Click { message, action, value } => {
                let user_id = checked("--as", server.acting("it names the person who clicks")?)?;
                let body = types::InteractionCreate { user_id, action_id: action, value };
                accept(admin.create_interaction(&message, &body)).await?;
                Ok(Answer::done("The app is notified of the click."))
            }
        }
    }
}

impl MessagePostArgs {
    async fn run(self, server: &Server) -> Result<Answer> {
        let body = types::MessageCreate {
            // left out, so the sender is the person named by `--as`, or the session's person, or else the system
            user_id: None,
            type_: self.type_,
            text: self.text,
            file_ids: self.files,
            thread_id: self.thread,
            client_key: self.client_key,
        };
        let done = accept(server.admin().create_message(&self.conversation, None, &body)).await?;
        let text = format!("Posted {}.", done.message.id);
        Ok(Answer::new(&done, text))
    }
}
