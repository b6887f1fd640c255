//! `switchboard conn`, `block`, `clients`: connections of employees' assistants, blocked clients, and the clients that
//! the server knows (W-38 to W-43).

use clap::Subcommand;
use switchboard_clients::admin::types;

use crate::{
    cli::{
        answer::Answer,
        client::{Server, accept},
        failure::Result,
        paging::{self, PageArgs},
        table::Column,
        values::one_of,
    },
    domain::assistant::keys::normal_key,
};

const CONNECTIONS: &[Column] = &[
    ("ID", "id"),
    ("USER", "user_id"),
    ("CLIENT", "display_name"),
    ("BLOCK KEY", "block_key"),
    ("STATE", "state"),
    ("REASON", "reason"),
    ("CREATED", "created_at"),
    ("LAST USED", "last_used_at"),
];

const BLOCKS: &[Column] = &[("KEY", "key"), ("CLIENT", "display_name"), ("SINCE", "created_at")];

const CLIENTS: &[Column] = &[
    ("CLIENT ID", "client_id"),
    ("KIND", "kind"),
    ("NAME", "display_name"),
    ("BLOCK KEYS", "block_keys"),
    ("LAST USED", "last_used_at"),
];

/// Assistants that employees have connected.
#[derive(Clone, Debug, Subcommand)]
pub enum ConnCommand {
    /// List the assistant connections of a company, oldest first
    #[command(after_help = "Examples:\n  switchboard conn list cmp_38f3jpq800005 --state active")]
    List {
        /// Id of the company (cmp_...)
        workspace: String,
        /// Only connections of this employee (usr_...)
        #[arg(long)]
        user: Option<types::ListConnectionsUserId>,
        /// Only connections in this state
        #[arg(long, value_parser = one_of::<types::ConnectionState>(&["active", "revoked"]))]
        state: Option<types::ConnectionState>,
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Revoke a connection
    #[command(after_help = "Examples:\n  switchboard conn revoke con_38f43w20t00e1")]
    Revoke {
        /// Id of the connection (con_...)
        connection: String,
    },
}

/// Assistant clients that a company blocks.
#[derive(Clone, Debug, Subcommand)]
pub enum BlockCommand {
    /// List the block keys that a company blocks
    #[command(after_help = "Examples:\n  switchboard block list cmp_38f3jpq800005")]
    List {
        /// Id of the company (cmp_...)
        workspace: String,
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Block every client with a block key, and revoke the connections of these clients
    #[command(after_help = "Examples:\n  switchboard block add cmp_38f3jpq800005 claude.ai")]
    Add {
        /// Id of the company (cmp_...)
        workspace: String,
        /// The block key, as shown by `conn list` and `clients list`; case-insensitive
        key: types::PutClientBlockKey,
    },
    /// Unblock the clients with a block key
    #[command(after_help = "Examples:\n  switchboard block remove cmp_38f3jpq800005 claude.ai")]
    Remove {
        /// Id of the company (cmp_...)
        workspace: String,
        /// The block key
        key: types::DeleteClientBlockKey,
    },
}

/// Assistant clients that the server knows.
#[derive(Clone, Debug, Subcommand)]
pub enum ClientsCommand {
    /// List the assistant clients, registered or with a metadata document
    #[command(after_help = "Examples:\n  switchboard clients list")]
    List {
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
}

impl ConnCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::List { workspace, user, state, page } => {
                let found = paging::all("connections", &page, async |cursor, limit| {
                    admin
                        .list_connections(&workspace, Option::as_ref(&cursor), limit, state, user.as_ref())
                        .await
                });
                Ok(Answer::list(found.await?, "connections", CONNECTIONS))
            }
            Self::Revoke { connection } => {
                accept(admin.delete_connection(&connection)).await?;
                Ok(Answer::done(format!("{connection} is revoked.")))
            }
        }
    }
}

impl BlockCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::List { workspace, page } => {
                let found = paging::all("client_blocks", &page, async |cursor, limit| {
                    admin.list_client_blocks(&workspace, Option::as_ref(&cursor), limit).await
                });
                Ok(Answer::list(found.await?, "client_blocks", BLOCKS))
            }
            Self::Add { workspace, key } => {
                let done = accept(admin.put_client_block(&workspace, &key)).await?;
                let text = format!("{} is blocked; connections revoked: {}.", normal_key(&key), done.revoked);
                Ok(Answer::new(&done, text))
            }
            Self::Remove { workspace, key } => {
                accept(admin.delete_client_block(&workspace, &key)).await?;
                Ok(Answer::done(format!("{} is unblocked.", normal_key(&key))))
            }
        }
    }
}

impl ClientsCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let Self::List { page } = self;
        let found = paging::all("assistant_clients", &page, async |cursor, limit| {
            server.admin().list_assistant_clients(Option::as_ref(&cursor), limit).await
        });
        Ok(Answer::list(found.await?, "assistant_clients", CLIENTS))
    }
}
