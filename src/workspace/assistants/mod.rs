//! Assistants: their clients, connections, and the keys of clients a company keeps out.
//!
//! No assistant can be connected to this version, so there are no connections. Called by the admin room; [`clients`],
//! [`documents`] and [`register`] by the assistant room and the pages.

pub mod clients;
pub mod documents;
pub mod listing;
pub mod register;

use std::convert::Infallible;

use super::{
    Stamp, World,
    principal::{Principal, Right},
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        cursor::CursorScope,
        ids::{UserId, WorkspaceId},
        refusal::{Code, Refusal},
    },
    store::{
        Op, Result, Sql,
        client_blocks::{self, ClientBlock},
        workspaces,
    },
};

/// Most characters of a block key.
const MAX_KEY_CHARS: usize = 255;

impl World {
    /// The assistants connected in a company (W-38). `of` narrows to one person; somebody who is no admin sees only
    /// their own.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` when somebody who is no admin asks for another
    /// person's, `invalid_cursor`.
    pub async fn list_connections(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        of: Option<Option<UserId>>,
        request: PageRequest<'_>,
    ) -> Result<Page<Infallible>> {
        match who.right_in(workspace) {
            None => return refuse(Code::NotFound),
            Some(Right::Person(caller)) if of.is_some_and(|of| of != Some(caller)) => {
                return refuse(Code::Forbidden);
            }
            Some(_) => {}
        }
        self.db.read(CheckCompany(workspace)).await?;
        self.none_of("admin.connections", who, request)
    }

    /// An empty list; no cursor belongs to it.
    fn none_of(&self, endpoint: &str, who: &Principal, request: PageRequest<'_>) -> Result<Page<Infallible>> {
        let scope = CursorScope { endpoint, owner: who.cursor_owner(), conversation: None, filter: "" };
        self.position(&scope, request.cursor, 0)?;
        Ok(Page { items: Vec::new(), next_cursor: None })
    }

    /// The keys a company has blocked, in the order it did (W-40).
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` for its people who are no admins,
    /// `invalid_cursor`.
    pub async fn list_client_blocks(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        request: PageRequest<'_>,
    ) -> Result<Page<ClientBlock>> {
        who.administer(workspace, Code::NotFound)?;
        let filter = workspace.encode();
        let scope = CursorScope {
            endpoint: "admin.client_blocks",
            owner: who.cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.position(&scope, request.cursor, 0)?;
        let op = ListClientBlocks { workspace, after, limit: i64::from(request.limit) + 1 };
        let found = self.db.read(op).await?;
        Ok(self.page(&scope, request.limit, found, |block| block.id))
    }

    /// Keeps every client with a key out of a company (W-41). A key may be blocked that no client has yet.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` for its people who are no admins,
    /// `invalid_request` for the key.
    pub async fn block_client(&self, who: &Principal, workspace: WorkspaceId, key: String) -> Result<()> {
        self.set_client_block(who, workspace, key, true).await
    }

    /// Lets clients with a key in again (W-42). A key that is not blocked changes nothing.
    ///
    /// # Errors
    /// Those of [`World::block_client`].
    pub async fn unblock_client(&self, who: &Principal, workspace: WorkspaceId, key: String) -> Result<()> {
        self.set_client_block(who, workspace, key, false).await
    }

    async fn set_client_block(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        key: String,
        blocked: bool,
    ) -> Result<()> {
        who.administer(workspace, Code::NotFound)?;
        if key.is_empty()
            || key.contains(['\0', char::REPLACEMENT_CHARACTER])
            || key.chars().nth(MAX_KEY_CHARS).is_some()
        {
            return Err(Refusal::because(Code::InvalidRequest, "key must have 1 to 255 characters").into());
        }
        self.db.write(SetClientBlock { at: self.stamp(), workspace, key, blocked }).await
    }
}

async fn exists<C: Sql>(c: &mut C, workspace: WorkspaceId) -> Result<()> {
    match workspaces::by_id(c, workspace).await? {
        Some(_) => Ok(()),
        None => refuse(Code::NotFound),
    }
}

struct CheckCompany(WorkspaceId);

impl Op for CheckCompany {
    const NAME: &'static str = "check_company";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        exists(c, self.0).await
    }
}

struct ListClientBlocks {
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
}

impl Op for ListClientBlocks {
    const NAME: &'static str = "list_client_blocks";
    type Out = Vec<ClientBlock>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<ClientBlock>> {
        exists(c, self.workspace).await?;
        client_blocks::page(c, self.workspace, self.after, self.limit).await
    }
}

struct SetClientBlock {
    at: Stamp,
    workspace: WorkspaceId,
    key: String,
    blocked: bool,
}

impl Op for SetClientBlock {
    const NAME: &'static str = "set_client_block";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        exists(c, self.workspace).await?;
        if self.blocked {
            let block = ClientBlock { id: self.at.id(), key: self.key.clone(), created_at: self.at.now };
            client_blocks::insert(c, self.workspace, &block).await
        } else {
            client_blocks::delete(c, self.workspace, &self.key).await
        }
    }
}
