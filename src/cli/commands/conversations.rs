//! `switchboard conv`: groups, channels, direct conversations and their members (W-15 to W-21, W-47).

use clap::{Args, Subcommand};
use switchboard_clients::admin::types;

use crate::cli::{
    answer::{Answer, value},
    client::{Server, accept, with_nulls},
    failure::Result,
    paging::{self, PageArgs},
    table::{self, Column},
    values::{OrNone, one_of, switch},
};

const COLUMNS: &[Column] = &[
    ("ID", "id"),
    ("KIND", "kind"),
    ("NAME", "name"),
    ("PARENT", "parent_id"),
    ("TYPE", "type"),
    ("MEMBERS", "member_count"),
    ("ANNOUNCE", "announcement_only"),
    ("ARCHIVED", "is_archived"),
    ("DELETED", "is_deleted"),
];

const MEMBERS: &[Column] =
    &[("MEMBER", "user_id"), ("BOT", "is_bot"), ("JOINED", "joined_at"), ("LEFT", "left_at")];

const TYPES: &[&str] = &["channel", "private_channel"];

/// Groups, channels, direct conversations and their members.
#[derive(Clone, Debug, Subcommand)]
pub enum ConvCommand {
    /// Create a group, a channel of a group, or a direct conversation
    #[command(after_help = "Examples:
  switchboard conv create cmp_38f3jpq800005 --kind group --name 'Platform team' --type private_channel --member usr_38f3jtev4001a
  switchboard conv create cmp_38f3jpq800005 --kind channel --parent grp_38f3k5drc004s --name Incidents
  switchboard conv create cmp_38f3jpq800005 --kind dm --member usr_38f3jtev4001a --member usr_38f3jy2mc002f")]
    Create(Box<ConversationCreateArgs>),
    /// List the conversations of a company, including archived and deleted ones
    #[command(after_help = "Examples:\n  switchboard conv list cmp_38f3jpq800005")]
    List {
        /// Id of the company (cmp_...)
        workspace: String,
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a conversation with its first 200 members, including former members
    #[command(after_help = "Examples:\n  switchboard conv show grp_38f3k5drc004s")]
    Show {
        /// Id of the conversation (grp_..., chn_..., dm_...)
        conversation: String,
    },
    /// Change a group or channel; omitted options stay unchanged
    #[command(after_help = "Examples:
  switchboard conv set grp_38f3k5drc004s --name 'Platform' --announcement-only on
  switchboard conv set chn_38f3kshh00051 --topic none")]
    Set {
        /// Id of the group or channel (grp_..., chn_...)
        conversation: String,
        /// New name
        #[arg(long)]
        name: Option<types::ConversationUpdateName>,
        /// New topic, or `none`
        #[arg(long)]
        topic: Option<OrNone<types::ConversationUpdateTopic>>,
        /// Groups only: `channel` is open to every employee, `private_channel` is not
        #[arg(long = "type", value_parser = one_of::<types::ConversationType>(TYPES))]
        type_: Option<types::ConversationType>,
        /// Whether only admins may post
        #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
        announcement_only: Option<bool>,
    },
    /// Archive a group with its channels, so that nobody can post there
    #[command(after_help = "Examples:\n  switchboard conv archive grp_38f3k5drc004s")]
    Archive {
        /// Id of the group (grp_...)
        conversation: String,
    },
    /// Unarchive a group with its channels
    #[command(after_help = "Examples:\n  switchboard conv unarchive grp_38f3k5drc004s")]
    Unarchive {
        /// Id of the group (grp_...)
        conversation: String,
    },
    /// Delete a conversation; deleting a group deletes its channels
    #[command(after_help = "Examples:\n  switchboard conv delete chn_38f3kshh00051")]
    Delete {
        /// Id of the conversation (grp_..., chn_..., dm_...)
        conversation: String,
    },
    /// List the members of a conversation, including former members
    #[command(after_help = "Examples:\n  switchboard conv members grp_38f3k5drc004s")]
    Members {
        /// Id of the conversation (grp_..., chn_..., dm_...)
        conversation: String,
        #[command(flatten)]
        page: PageArgs,
    },
    /// Add a person, or an app by its bot's user id
    #[command(after_help = "Examples:\n  switchboard conv add-member grp_38f3k5drc004s usr_38f3jy2mc002f")]
    AddMember {
        /// Id of the group or channel (grp_..., chn_...)
        conversation: String,
        /// Id of the person or bot user (usr_...)
        user: String,
    },
    /// Remove a person or a bot
    #[command(after_help = "Examples:\n  switchboard conv remove-member grp_38f3k5drc004s usr_38f3jy2mc002f")]
    RemoveMember {
        /// Id of the group or channel (grp_..., chn_...)
        conversation: String,
        /// Id of the person or bot user (usr_...)
        user: String,
    },
}

/// The arguments of `conv create`.
#[derive(Args, Clone, Debug)]
pub struct ConversationCreateArgs {
    /// Id of the company (cmp_...)
    workspace: String,
    /// What to create
    #[arg(long, value_parser = one_of::<types::ConversationKind>(&["group", "channel", "dm"]))]
    kind: types::ConversationKind,
    /// Channels only: the group that contains the channel (grp_...)
    #[arg(long, value_name = "GROUP")]
    parent: Option<types::ConversationCreateParentId>,
    /// Name of a group or channel
    #[arg(long)]
    name: Option<types::ConversationCreateName>,
    /// Topic of a group or channel
    #[arg(long)]
    topic: Option<types::ConversationCreateTopic>,
    /// Groups only: `channel` (the default) is open to every employee, `private_channel` is not
    #[arg(long = "type", value_parser = one_of::<types::ConversationType>(TYPES))]
    type_: Option<types::ConversationType>,
    /// Whether only admins may post; off by default
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    announcement_only: Option<bool>,
    /// A member: a person or a bot user (usr_...); repeatable
    #[arg(long = "member", value_name = "USER")]
    members: Vec<types::ConversationCreateMemberIdsItem>,
}

impl ConvCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// - [`Failure::Usage`](crate::cli::failure::Failure::Usage) if the cursor of a list is malformed.
    /// - An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::Create(create) => create.run(server).await,
            Self::List { workspace, page } => {
                let found = paging::all("conversations", &page, async |cursor, limit| {
                    admin.list_conversations(&workspace, Option::as_ref(&cursor), limit).await
                });
                Ok(Answer::list(found.await?, "conversations", COLUMNS))
            }
            Self::Show { conversation } => show(server, &conversation).await,
            Self::Members { conversation, page } => {
                let found = paging::all("members", &page, async |cursor, limit| {
                    admin.list_members(&conversation, Option::as_ref(&cursor), limit).await
                });
                Ok(Answer::list(found.await?, "members", MEMBERS))
            }
            Self::Set { conversation, name, topic, type_, announcement_only } => {
                let (topic, no_topic) = OrNone::split(topic);
                let body =
                    types::ConversationUpdate { name, topic, type_, announcement_only, is_archived: None };
                let call = admin.update_conversation(&conversation, &body);
                let done = accept(with_nulls(&[("topic", no_topic)], call)).await?;
                Ok(Answer::details(done, "conversation"))
            }
            Self::Archive { conversation } => set_archived(server, &conversation, true).await,
            Self::Unarchive { conversation } => set_archived(server, &conversation, false).await,
            Self::Delete { conversation } => {
                accept(admin.delete_conversation(&conversation)).await?;
                Ok(Answer::done(format!("Deleted {conversation}.")))
            }
            Self::AddMember { conversation, user } => {
                accept(admin.add_member(&conversation, &user)).await?;
                Ok(Answer::done(format!("{user} is a member of {conversation}.")))
            }
            Self::RemoveMember { conversation, user } => {
                accept(admin.remove_member(&conversation, &user)).await?;
                Ok(Answer::done(format!("{user} is not a member of {conversation}.")))
            }
        }
    }
}

async fn show(server: &Server, conversation: &str) -> Result<Answer> {
    let document = value(accept(server.admin().get_conversation(conversation)).await?);
    let mut shown = document["conversation"].clone();
    let (mut members, mut has_more) = (None, false);
    if let Some(fields) = shown.as_object_mut() {
        members = fields.remove("members");
        has_more = fields.remove("members_cursor").is_some_and(|cursor| cursor.is_string());
    }
    let members = members.as_ref().and_then(|members| members.as_array()).map_or(&[][..], Vec::as_slice);
    let more = if has_more {
        format!("\nMore members: switchboard conv members {conversation}\n")
    } else {
        String::new()
    };
    let text = format!("{}\n{}{more}", table::details(&shown), table::table(members, MEMBERS));
    Ok(Answer::new(document, text))
}

async fn set_archived(server: &Server, conversation: &str, archived: bool) -> Result<Answer> {
    let body = types::ConversationUpdate {
        is_archived: Some(archived),
        name: None,
        topic: None,
        type_: None,
        announcement_only: None,
    };
    let done = accept(server.admin().update_conversation(conversation, &body)).await?;
    let state = if done.conversation.is_archived { "archived" } else { "not archived" };
    let text = format!("{} is {state}.", done.conversation.id);
    Ok(Answer::new(&done, text))
}

impl ConversationCreateArgs {
    async fn run(self, server: &Server) -> Result<Answer> {
        let body = types::ConversationCreate {
            kind: self.kind,
            parent_id: self.parent,
            name: self.name,
            topic: self.topic,
            type_: self.type_,
            announcement_only: self.announcement_only,
            member_ids: self.members,
        };
        let done = accept(server.admin().create_conversation(&self.workspace, &body)).await?;
        // the text is not "Created …", because the server can return an existing direct conversation
        let kind = match done.conversation.kind {
            types::ConversationKind::Group => "group",
            types::ConversationKind::Channel => "channel",
            types::ConversationKind::Dm => "direct conversation",
        };
        let text = format!("The {kind} is {}.", done.conversation.id);
        Ok(Answer::new(&done, text))
    }
}
