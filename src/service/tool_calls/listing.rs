//! Lists of the tool calls in the audit. The operator and admins see all calls of a company. Every other person sees
//! only the calls that were made for this person.

use std::collections::BTreeMap;

use super::ToolCallView;
use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::{self, CursorScope},
        ids::{ConnectionId, ConversationId, UserId, WorkspaceId},
        refusal::Code,
        time::Timestamp,
        tool_calls::ToolEnd,
    },
    service::{
        callers::{CompanyCaller, principal::Right},
        paging::{Page, PageRequest},
        people::names::names_for,
        refuse,
    },
    store::{
        ReadOp, ReadSql, Result, connections, conversation_lists, op,
        tool_calls::{self, Before, ToolCall, ToolCallFilter},
        workspaces,
    },
};

/// Maximum number of clients that [`CompanyCaller::clients_of_tool_calls`] returns.
const MAX_CLIENTS: i64 = 100;

/// Filter of a list of tool calls. An id is `None` for no filter, and `Some(None)` for text that is not an id. Such
/// text matches no call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallFilter {
    /// Only calls for this person.
    pub of: Option<Option<UserId>>,
    /// Only calls of this client.
    pub client_id: Option<String>,
    /// Only calls through this connection.
    pub connection: Option<Option<ConnectionId>>,
    /// Only calls of this tool.
    pub tool: Option<String>,
    /// Only calls with this outcome.
    pub outcome: Option<ToolEnd>,
    /// Only calls at this time or later.
    pub since: Option<Timestamp>,
    /// Only calls before this time.
    pub until: Option<Timestamp>,
}

/// The name of a person or conversation among the targets of a call. The targets are the objects that the call was
/// about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// The id in the call's targets.
    pub id: String,
    /// `None` for a direct conversation.
    pub name: Option<String>,
}

impl CompanyCaller<'_> {
    /// Lists the tool calls of a company's assistants, newest first (W-50). A person who is not an admin sees only the
    /// calls that were made for this person. Writes the queued calls of this node first. The queued calls of another
    /// node are listed a moment later, as soon as the other node has written them.
    ///
    /// # Errors
    /// `forbidden` if a person who is not an admin requests the calls of others; `invalid_cursor`; `not_found` for an
    /// unknown company.
    pub async fn list_tool_calls(
        self,
        filter: CallFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<ToolCallView>> {
        let workspace = self.company_id();
        let of = self.own_or_any(filter.of)?;
        let filter = CallFilter { of, ..filter };
        let filter_key = format!("{workspace} {filter:?}");
        let scope = CursorScope {
            endpoint: "admin.tool_calls",
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: &filter_key,
        };
        let before = match request.cursor {
            // every id is above 0, so a call at the time `until` itself is not listed
            None => Before { at: filter.until.unwrap_or(Timestamp(i64::MAX)), id: 0 },
            Some(text) => match cursor::decode_pair(&self.world().keys.cursors, &scope, text) {
                Some((at, id)) => Before { at: Timestamp(at), id },
                None => return refuse(Code::InvalidCursor),
            },
        };
        if let Err(error) = self.world().flush_tool_calls().await {
            tracing::debug!(%error, "failed to flush the audit; returning it without the latest calls");
        }
        let oldest = self.world().oldest_tool_call(self.world().clock.now());
        let since = filter.since.map_or(oldest, |since| since.max(oldest));
        let limit = i64::from(request.limit) + 1;
        let op = ListToolCalls { workspace, filter: filter.clone(), before, since, limit };
        // With a filter, the statement can read many calls that do not match. So it runs as a scan, which does not
        // delay other reads.
        let mut items = self.world().db.scan(op).await?;
        let limit = request.limit as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let last = items.last().filter(|_| more).map(|call| (call.at.0, call.id.0));
        let next_cursor = last.map(|last| cursor::encode_pair(&self.world().keys.cursors, &scope, last));
        Ok(Page { items, next_cursor }.map(ToolCallView::from))
    }

    /// Returns the ids and names of the clients by which a list can be filtered, ordered by name. If `of` is a person,
    /// these are the clients of the 100 newest connections of this person. If `of` is `None`, the operator and admins
    /// get up to 100 clients with calls in the company's audit. For other callers, `None` stands for the caller.
    ///
    /// # Errors
    /// `forbidden` if a person who is not an admin requests the calls of others.
    pub async fn clients_of_tool_calls(self, of: Option<UserId>) -> Result<Vec<(String, String)>> {
        let workspace = self.company_id();
        let user = self.own_or_any(of.map(Some))?.flatten();
        let mut latest = BTreeMap::new();
        for (id, name) in self.world().db.scan(FindClients { workspace, user }).await? {
            latest.entry(id).or_insert(name);
        }
        let mut clients: Vec<_> = latest.into_iter().collect();
        clients.sort_by(|one, other| (&one.1, &one.0).cmp(&(&other.1, &other.0)));
        Ok(clients)
    }

    /// Returns the names of the people and conversations among the targets of calls. If the caller is a person who is
    /// not an admin, omits people whom the caller does not see, and conversations of which the caller is not a member.
    ///
    /// # Errors
    /// Store errors.
    pub async fn names_of_targets(self, calls: &[ToolCallView]) -> Result<Vec<TargetName>> {
        let (workspace, right) = (self.company_id(), self.right());
        let mut op = NameTargets { workspace, right, people: Vec::new(), conversations: Vec::new() };
        for target in calls.iter().flat_map(|call| call.targets.split(' ')) {
            if let Some(id) = UserId::parse(target) {
                op.people.push(id);
            } else if let Some((kind, id)) = ConversationId::parse(target) {
                op.conversations.push((kind, id));
            }
        }
        self.world().db.read(op).await
    }
}

struct ListToolCalls {
    workspace: WorkspaceId,
    filter: CallFilter,
    before: Before,
    since: Timestamp,
    limit: i64,
}

impl ReadOp for ListToolCalls {
    const NAME: &'static str = "list_tool_calls";
    const REPLICA: bool = true;
    type Out = Vec<ToolCall>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<ToolCall>> {
        let Self { workspace, filter, before, since, limit } = self;
        if workspaces::by_id(c, *workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        // no stored text contains NUL, and PostgreSQL rejects NUL in an argument
        let has_nul = |text: &Option<String>| text.as_deref().is_some_and(|text| text.contains('\0'));
        let matches_nothing = has_nul(&filter.client_id) || has_nul(&filter.tool);
        if filter.of == Some(None) || filter.connection == Some(None) || matches_nothing {
            return Ok(Vec::new());
        }
        let mut user = filter.of.flatten();
        if let Some(id) = filter.connection.flatten() {
            // There is no index of calls by connection. So the index by person is used, with the owner of the
            // connection. The row of a connection is kept as long as its calls. So if the row is missing, there are no
            // calls.
            let found = connections::by_id(c, id).await?;
            let Some(connection) = found.filter(|connection| connection.workspace_id == *workspace) else {
                return Ok(Vec::new());
            };
            if user.is_some_and(|user| user != connection.user_id) {
                return Ok(Vec::new());
            }
            user = Some(connection.user_id);
        }
        let wanted = ToolCallFilter {
            workspace: *workspace,
            before: *before,
            since: *since,
            user,
            client_id: filter.client_id.as_deref(),
            connection: filter.connection.flatten(),
            tool: filter.tool.as_deref(),
            outcome: filter.outcome,
        };
        tool_calls::page(c, &wanted, *limit).await
    }
}

struct FindClients {
    workspace: WorkspaceId,
    user: Option<UserId>,
}

op! {
    ReadOp "find_clients_of_tool_calls", REPLICA: FindClients -> Vec<(String, String)> =
        |op, c| tool_calls::clients(c, op.workspace, op.user, MAX_CLIENTS)
}

struct NameTargets {
    workspace: WorkspaceId,
    right: Right,
    people: Vec<UserId>,
    conversations: Vec<(ConversationKind, ConversationId)>,
}

impl ReadOp for NameTargets {
    const NAME: &'static str = "name_targets";
    const REPLICA: bool = true;
    type Out = Vec<TargetName>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<TargetName>> {
        let people = names_for(c, self.workspace, self.right, &self.people).await?;
        let mut names: Vec<_> =
            people.into_iter().map(|(id, name)| TargetName { id: id.encode(), name: Some(name) }).collect();
        let ids: Vec<_> = self.conversations.iter().map(|(_, id)| *id).collect();
        let member = self.right.person().filter(|_| !self.right.administers());
        for conversation in conversation_lists::names(c, self.workspace, &ids, member).await? {
            names.push(TargetName { id: conversation.id.encode(conversation.kind), name: conversation.name });
        }
        Ok(names)
    }
}
