//! Who sees what of the audit.

use std::collections::BTreeMap;

use super::ToolCall;
use crate::{
    domain::{
        conversation::ConversationKind,
        cursor::{self, CursorScope},
        ids::{ConnectionId, ConversationId, UserId, WorkspaceId},
        refusal::Code,
        time::Timestamp,
        tool_calls::ToolEnd,
    },
    store::{
        Op, Result, Sql, connections, conversation_lists,
        tool_calls::{self, Before, Wanted},
        users, workspaces,
    },
    workspace::{
        World,
        principal::{Principal, Right},
        reading::{Page, PageRequest},
        refuse,
    },
};

/// Most clients that a page offers to choose from.
const CLIENTS_OFFERED: i64 = 100;

/// Which calls a list is asked for. An id is `Some(None)` when its text is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallFilter {
    /// Of one person.
    pub of: Option<Option<UserId>>,
    /// By one client.
    pub client_id: Option<String>,
    /// Through one connection.
    pub connection: Option<Option<ConnectionId>>,
    /// Of one tool.
    pub tool: Option<String>,
    /// That ended so.
    pub outcome: Option<ToolEnd>,
    /// Then or later.
    pub since: Option<Timestamp>,
    /// Before.
    pub until: Option<Timestamp>,
}

/// What a call was about, by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetName {
    /// The id among a call's targets.
    pub id: String,
    /// A person's or a conversation's; none of a direct message, nor for a person who is not in the conversation.
    pub name: Option<String>,
}

impl World {
    /// The calls of a company's assistants, newest first (W-50). Somebody who is no admin sees only their own. What was
    /// noted on this node is among them, what was on another comes a moment later.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` when somebody who is no admin asks for another
    /// person's, `invalid_cursor`.
    pub async fn list_tool_calls(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        filter: CallFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<ToolCall>> {
        let of = audit_of(who, workspace, filter.of)?;
        let filter = CallFilter { of, ..filter };
        let walk = format!("{workspace} {filter:?}");
        let scope = CursorScope {
            endpoint: "admin.tool_calls",
            owner: who.cursor_owner(),
            conversation: None,
            filter: &walk,
        };
        let before = match request.cursor {
            // all ids are above 0
            None => Before { at: filter.until.unwrap_or(Timestamp(i64::MAX)), id: 0 },
            Some(text) => match cursor::decode_pair(&self.keys.cursors, &scope, text) {
                Some((at, id)) => Before { at: Timestamp(at), id },
                None => return refuse(Code::InvalidCursor),
            },
        };
        if let Err(error) = self.flush_tool_calls().await {
            tracing::debug!(%error, "the audit is shown without its last rows");
        }
        let oldest = self.oldest_tool_call(self.clock.now());
        let since = filter.since.map_or(oldest, |since| since.max(oldest));
        let limit = i64::from(request.limit) + 1;
        let op = ListToolCalls { workspace, filter: filter.clone(), before, since, limit };
        // filters may pass over much of it
        let mut items = self.db.scan(op).await?;
        let limit = request.limit as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let last = items.last().filter(|_| more).map(|call| (call.at.0, call.id.0));
        let next_cursor = last.map(|last| cursor::encode_pair(&self.keys.cursors, &scope, last));
        Ok(Page { items, next_cursor })
    }

    /// Ids and names of the clients whose calls somebody may ask for, by name: those of one person, or of a company.
    ///
    /// # Errors
    /// As [`World::list_tool_calls`].
    pub async fn clients_of_tool_calls(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        of: Option<UserId>,
    ) -> Result<Vec<(String, String)>> {
        let user = audit_of(who, workspace, of.map(Some))?.flatten();
        let mut latest = BTreeMap::new();
        for (id, name) in self.db.scan(FindClients { workspace, user }).await? {
            latest.entry(id).or_insert(name);
        }
        let mut clients: Vec<_> = latest.into_iter().collect();
        clients.sort_by(|one, other| (&one.1, &one.0).cmp(&(&other.1, &other.0)));
        Ok(clients)
    }

    /// The names of the people and conversations among the targets of calls that the caller was shown.
    ///
    /// # Errors
    /// `not_found` for strangers.
    pub async fn names_of_targets(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        calls: &[ToolCall],
    ) -> Result<Vec<TargetName>> {
        let Some(right) = who.right_in(workspace) else { return refuse(Code::NotFound) };
        let mut op = NameTargets { workspace, people: Vec::new(), places: Vec::new(), member: None };
        if let Right::Person(caller) = right {
            op.member = Some(caller);
        }
        for target in calls.iter().flat_map(|call| call.targets.split(' ')) {
            if let Some(id) = UserId::parse(target) {
                op.people.push(id);
            } else if let Some((kind, id)) = ConversationId::parse(target) {
                op.places.push((kind, id));
            }
        }
        self.db.read(op).await
    }
}

/// Whose calls are shown, when `of` is asked for.
#[expect(clippy::option_option, reason = "nobody in particular, an id that is none, and somebody")]
fn audit_of(
    who: &Principal,
    workspace: WorkspaceId,
    of: Option<Option<UserId>>,
) -> Result<Option<Option<UserId>>> {
    match who.right_in(workspace) {
        None => refuse(Code::NotFound),
        Some(Right::Person(caller)) if of.is_some_and(|of| of != Some(caller)) => refuse(Code::Forbidden),
        Some(Right::Person(caller)) => Ok(Some(Some(caller))),
        Some(_) => Ok(of),
    }
}

struct ListToolCalls {
    workspace: WorkspaceId,
    filter: CallFilter,
    before: Before,
    since: Timestamp,
    limit: i64,
}

impl Op for ListToolCalls {
    const NAME: &'static str = "list_tool_calls";
    const REPLICA: bool = true;
    type Out = Vec<ToolCall>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<ToolCall>> {
        let Self { workspace, filter, before, since, limit } = self;
        if workspaces::by_id(c, *workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let is_nothing = |text: &Option<String>| text.as_deref().is_some_and(|text| text.contains('\0'));
        let has_nothing = is_nothing(&filter.client_id) || is_nothing(&filter.tool);
        if filter.of == Some(None) || filter.connection == Some(None) || has_nothing {
            return Ok(Vec::new());
        }
        let mut user = filter.of.flatten();
        if let Some(id) = filter.connection.flatten() {
            // whose it is tells where its calls are; it is kept as long as they are
            let found = connections::by_id(c, id).await?;
            let Some(connection) = found.filter(|connection| connection.workspace_id == *workspace) else {
                return Ok(Vec::new());
            };
            if user.is_some_and(|user| user != connection.user_id) {
                return Ok(Vec::new());
            }
            user = Some(connection.user_id);
        }
        let wanted = Wanted {
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

impl Op for FindClients {
    const NAME: &'static str = "find_clients_of_tool_calls";
    const REPLICA: bool = true;
    type Out = Vec<(String, String)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        tool_calls::clients(c, self.workspace, self.user, CLIENTS_OFFERED).await
    }
}

struct NameTargets {
    workspace: WorkspaceId,
    people: Vec<UserId>,
    places: Vec<(ConversationKind, ConversationId)>,
    /// Conversations are named for their members only, when it is one who asks.
    member: Option<UserId>,
}

impl Op for NameTargets {
    const NAME: &'static str = "name_targets";
    const REPLICA: bool = true;
    type Out = Vec<TargetName>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<TargetName>> {
        let people = users::names(c, self.workspace, &self.people).await?;
        let mut names: Vec<_> =
            people.into_iter().map(|(id, name)| TargetName { id: id.encode(), name: Some(name) }).collect();
        let ids: Vec<_> = self.places.iter().map(|(_, id)| *id).collect();
        for (id, kind, name) in conversation_lists::names(c, self.workspace, &ids, self.member).await? {
            names.push(TargetName { id: id.encode(kind), name });
        }
        Ok(names)
    }
}
