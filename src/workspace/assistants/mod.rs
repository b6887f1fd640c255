//! Assistants in companies: how a client is connected for an employee, and the clients a company keeps out.
//!
//! - [`clients`]: who a client is; [`register`], [`documents`]: how it becomes known; [`listing`]: those that are.
//! - [`authorize`], [`consent`]: what it asks for and what the employee decides.
//! - [`exchange`], [`refresh`]: codes and refresh tokens into [`tokens`].
//! - [`connections`]: what lives, and what ends it; `caller`: what a write through one holds; [`tidy`]: what the clock ends;
//!   [`ended`]: what is forgotten; [`mcp_sessions`]: what clients hold on a connection; [`overview`]: what the pages show
//!   of it.
//!
//! Called by the admin room, the pages and the assistant room.

pub mod authorize;
pub(super) mod caller;
pub mod clients;
pub mod connections;
pub mod consent;
pub mod documents;
mod ended;
pub mod exchange;
pub mod listing;
pub mod mcp_sessions;
mod overview;
pub mod refresh;
pub mod register;
pub mod tidy;
pub mod tokens;

use super::{
    Stamp, World, invalid,
    principal::Principal,
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        assistant::keys::{MAX_KEY_CHARS, normal_key},
        cursor::CursorScope,
        ids::WorkspaceId,
        refusal::Code,
    },
    store::{
        Op, Result, Sql,
        client_blocks::{self, ClientBlock},
        workspaces,
    },
};

impl World {
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
        let mut found = self.db.read(op).await?;
        for block in &mut found {
            // a fixed name is a better one than what some client called itself
            if let Some(name) = self.settings.well_known_clients.of_key(&block.key) {
                block.display_name = Some(name.to_owned());
            }
        }
        Ok(self.page(&scope, request.limit, found, |block| block.id))
    }

    /// Keeps every client with a key out of a company (W-41), and tells how many connections that ended. A key may be
    /// blocked that no client has yet, and be written in capitals.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` for its people who are no admins,
    /// `invalid_request` for the key.
    pub async fn block_client(&self, who: &Principal, workspace: WorkspaceId, key: String) -> Result<u64> {
        self.set_client_block(who, workspace, key, true).await
    }

    /// Lets clients with a key in again (W-42); what was ended stays ended. A key that is not blocked changes
    /// nothing.
    ///
    /// # Errors
    /// Those of [`World::block_client`].
    pub async fn unblock_client(&self, who: &Principal, workspace: WorkspaceId, key: String) -> Result<()> {
        self.set_client_block(who, workspace, key, false).await?;
        Ok(())
    }

    async fn set_client_block(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        key: String,
        blocked: bool,
    ) -> Result<u64> {
        who.administer(workspace, Code::NotFound)?;
        let typed = key;
        let key = normal_key(&typed);
        if key.is_empty() || key.chars().nth(MAX_KEY_CHARS).is_some() {
            return invalid("key must have 1 to 255 characters");
        }
        // the second stands for what was no UTF-8 in the path
        if key.contains(['\0', char::REPLACEMENT_CHARACTER]) {
            return invalid("key must be UTF-8 without U+0000 and U+FFFD");
        }
        self.db.write(SetClientBlock { at: self.stamp(), workspace, key, blocked, typed }).await
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
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        client_blocks::page(c, self.workspace, self.after, self.limit).await
    }
}

struct SetClientBlock {
    at: Stamp,
    workspace: WorkspaceId,
    key: String,
    /// As the admin wrote it: earlier versions kept it so.
    typed: String,
    blocked: bool,
}

impl Op for SetClientBlock {
    const NAME: &'static str = "set_client_block";
    /// How many connections ended.
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        // held: no client with the key is connected while it is being blocked
        if workspaces::by_id_for_update(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        if !self.blocked {
            client_blocks::delete(c, self.workspace, &self.key).await?;
            client_blocks::delete(c, self.workspace, &self.typed).await?;
            return Ok(0);
        }
        client_blocks::insert(c, self.workspace, &self.key, self.at.id()?, self.at.now).await?;
        connections::end_of_key(c, self.workspace, &self.key, self.at.now).await
    }
}
