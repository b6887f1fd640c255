//! The clients that a company blocks, by their block keys.

use super::connections;
use crate::{
    domain::{
        assistant::keys::{MAX_KEY_CHARS, normal_key},
        cursor::CursorScope,
        ids::WorkspaceId,
        refusal::Code,
        time::Timestamp,
    },
    service::{
        Stamp,
        callers::CompanyAdmin,
        invalid,
        paging::{Page, PageRequest},
        refuse, view,
    },
    store::{
        Op, ReadOp, ReadSql, Result, Sql,
        client_blocks::{self, ClientBlock},
        workspaces,
    },
};

view! {
    /// A block key that a company has blocked.
    ClientBlockView of ClientBlock {
        key: String,
        /// Name of the clients with this key. `None` if the key has no fixed name, and the company had no connection of
        /// a client with this key when the key was blocked.
        display_name: Option<String>,
        created_at: Timestamp,
    }
}

impl CompanyAdmin<'_> {
    /// Lists the block keys that a company has blocked, in the order in which it blocked them (W-40).
    ///
    /// # Errors
    /// `invalid_cursor`; `not_found` for an unknown company.
    pub async fn list_client_blocks(self, request: PageRequest<'_>) -> Result<Page<ClientBlockView>> {
        let workspace = self.company_id();
        let filter = workspace.encode();
        let scope = CursorScope {
            endpoint: "admin.client_blocks",
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.world().position(&scope, request.cursor, 0)?;
        let op = ListClientBlocks { workspace, after, limit: i64::from(request.limit) + 1 };
        let mut found = self.world().db.read(op).await?;
        for block in &mut found {
            // a client chooses its own name, so the fixed name is more reliable
            if let Some(name) = self.world().settings.well_known_clients.of_key(&block.key) {
                block.display_name = Some(name.to_owned());
            }
        }
        Ok(self.world().page(&scope, request.limit, found, |block| block.id).map(ClientBlockView::from))
    }

    /// Blocks the clients with a block key in a company, and revokes their connections (W-41). Returns the number of
    /// revoked connections. The key is normalized (lower case and NFC). It does not have to belong to a known client.
    ///
    /// # Errors
    /// `invalid_request` for an invalid key, `not_found` for an unknown company.
    pub async fn block_client(self, key: String) -> Result<u64> {
        self.set_client_block(key, true).await
    }

    /// Unblocks the clients with a block key (W-42). Revoked connections stay revoked. If the key is not
    /// blocked, nothing changes.
    ///
    /// # Errors
    /// Errors of [`CompanyAdmin::block_client`].
    pub async fn unblock_client(self, key: String) -> Result<()> {
        self.set_client_block(key, false).await?;
        Ok(())
    }

    async fn set_client_block(self, key: String, blocked: bool) -> Result<u64> {
        let workspace = self.company_id();
        let typed = key;
        let key = normal_key(&typed);
        if key.is_empty() || key.chars().nth(MAX_KEY_CHARS).is_some() {
            return invalid("key must have 1 to 255 characters");
        }
        // U+FFFD stands for bytes of the request's path that were not UTF-8
        if key.contains(['\0', char::REPLACEMENT_CHARACTER]) {
            return invalid("key must be UTF-8 without U+0000 and U+FFFD");
        }
        self.caller()
            .write(SetClientBlock { stamp: self.world().stamp(), workspace, key, blocked, typed })
            .await
    }
}

struct ListClientBlocks {
    workspace: WorkspaceId,
    after: i64,
    limit: i64,
}

impl ReadOp for ListClientBlocks {
    const NAME: &'static str = "list_client_blocks";
    type Out = Vec<ClientBlock>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<ClientBlock>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        client_blocks::page(c, self.workspace, self.after, self.limit).await
    }
}

struct SetClientBlock {
    stamp: Stamp,
    workspace: WorkspaceId,
    key: String,
    /// The key as the caller typed it. Earlier versions stored keys in this form, so an unblock deletes this form too.
    typed: String,
    blocked: bool,
}

impl Op for SetClientBlock {
    const NAME: &'static str = "set_client_block";
    /// Number of connections revoked.
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        // locks the company, so that no client with this key is connected while this transaction blocks the key
        if workspaces::by_id_for_update(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        if !self.blocked {
            client_blocks::delete(c, self.workspace, &self.key).await?;
            client_blocks::delete(c, self.workspace, &self.typed).await?;
            return Ok(0);
        }
        client_blocks::insert(c, self.workspace, &self.key, self.stamp.id()?, self.stamp.now).await?;
        connections::revoke_by_block_key(c, self.workspace, &self.key, self.stamp.now).await
    }
}
