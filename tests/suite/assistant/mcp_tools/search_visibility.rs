//! Searches by an employee who may see few of the matching messages. Every match that the employee may see is returned
//! once. Every page but the last is full, unless the employee may see many messages and few of these match
//! (`docs/decisions/0009-searches-that-see-little.md`).

use std::collections::BTreeSet;

use serde_json::json;
use switchboard::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, MessageId, UserId, WorkspaceId},
        refusal::Code,
        search::SearchQuery,
        time::Timestamp,
    },
    service::employee::{
        self,
        access::Span,
        search::{Order, Search},
    },
    store::{
        Error, Op, Result, Sql,
        conversations::{self, Conversation},
        messages::{self, Message},
    },
};

use crate::support::{Company, Server, both_engines, text, tools::Assistant};

/// Many conversations and messages, inserted in one transaction.
struct Fill {
    workspace: WorkspaceId,
    /// Each conversation, with its member and the first message that the member may see. `None` for a conversation
    /// without a member.
    conversations: Vec<(ConversationId, Option<(UserId, MessageId)>)>,
    messages: Vec<(ConversationId, MessageId, UserId, String)>,
    now: Timestamp,
}

impl Op for Fill {
    const NAME: &'static str = "fill";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for (id, member) in &self.conversations {
            let conversation = Conversation {
                id: *id,
                workspace_id: self.workspace,
                kind: ConversationKind::Group,
                parent_id: None,
                name: Some(format!("conversation {}", id.0)),
                topic: None,
                is_private: true,
                announcement_only: false,
                archived_at: None,
                deleted_at: None,
                active_members: 0,
                created_at: self.now,
                floor_id: MessageId(0),
            };
            conversations::insert(c, &conversation).await?;
            if let Some((user, visible_from)) = member {
                conversations::join(c, *id, &[(*user, true)], self.now, *visible_from).await?;
            }
        }
        for (conversation_id, id, sender, text) in &self.messages {
            let message = Message {
                workspace_id: self.workspace,
                conversation_id: *conversation_id,
                id: *id,
                sender_id: Some(*sender),
                kind: MessageType::Text,
                text: Some(text.clone()),
                thread_id: None,
                file_count: 0,
                via_label: None,
                client_key: None,
                edited_at: None,
                created_at: self.now,
            };
            messages::insert(c, &message).await?;
        }
        Ok(())
    }
}

/// A company with an employee who is a member of the conversations `own`.
struct SearchFixture<'a> {
    server: &'a Server,
    company: Company,
    employee: UserId,
    own: Vec<ConversationId>,
    elsewhere: ConversationId,
    fill: Fill,
}

impl<'a> SearchFixture<'a> {
    fn new(server: &'a Server, company: &Company, ann: &Assistant, number: usize) -> Self {
        let world = server.running().world();
        let employee = UserId::parse(ann.id()).unwrap();
        let own: Vec<_> = (0..number).map(|_| ConversationId(world.ids.next().unwrap())).collect();
        let elsewhere = ConversationId(world.ids.next().unwrap());
        let mut all: Vec<_> = own.iter().map(|id| (*id, Some((employee, MessageId(0))))).collect();
        all.push((elsewhere, None));
        let workspace = WorkspaceId::parse(&company.id).unwrap();
        let fill = Fill { workspace, conversations: all, messages: Vec::new(), now: world.clock.now() };
        Self { server, company: company.clone(), employee, own, elsewhere, fill }
    }

    fn next(&self) -> MessageId {
        MessageId(self.server.running().world().ids.next().unwrap())
    }

    /// Adds a message to one of the employee's conversations, and returns its public id.
    fn own(&mut self, number: usize, text: &str) -> String {
        let id = self.next();
        let conversation = self.own[number % self.own.len()];
        self.fill.messages.push((conversation, id, self.employee, text.to_owned()));
        id.encode(false)
    }

    /// Adds a message that the employee may not see.
    fn other(&mut self, text: &str) {
        let id = self.next();
        self.fill.messages.push((self.elsewhere, id, self.employee, text.to_owned()));
    }

    /// Stores and indexes everything.
    async fn write(self) -> Company {
        let world = self.server.running().world();
        world.db.write(self.fill).await.unwrap();
        while world.index_some().await.unwrap() {}
        self.company
    }
}

/// Reads all pages. Returns how many pages before the last page were not full, and the ids of all messages in order.
async fn pages(ann: &Assistant, query: &str, sort: &str, limit: usize) -> (usize, Vec<String>) {
    let (mut ids, mut short, mut cursor) = (Vec::new(), 0, json!(null));
    loop {
        let mut arguments = json!({"query": query, "sort": sort, "limit": limit});
        if !cursor.is_null() {
            arguments["cursor"] = cursor;
        }
        let page = ann.ok("search_messages", arguments).await;
        let found: Vec<_> = page["messages"].as_array().unwrap().iter().map(|m| text(m, "/id")).collect();
        cursor = page["next_cursor"].clone();
        short += usize::from(found.len() < limit && !cursor.is_null());
        ids.extend(found);
        if cursor.is_null() {
            return (short, ids);
        }
    }
}

/// Asserts that both sort orders return every match once, and that `newest` returns the newest match first. Counts, for
/// each sort order, how many pages before the last page were not full. Returns the larger count.
async fn finds_all(ann: &Assistant, query: &str, limit: usize, wanted: &[String]) -> usize {
    let mut most = 0;
    for sort in ["newest", "relevance"] {
        let (short, ids) = pages(ann, query, sort, limit).await;
        most = most.max(short);
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(
            (ids.len(), distinct.len()),
            (wanted.len(), wanted.len()),
            "every match is returned once: {query}, {sort}"
        );
        assert_eq!(distinct, wanted.iter().collect(), "exactly the matches are returned: {query}, {sort}");
        if sort == "newest" {
            assert!(
                ids.is_sorted_by(|one, other| one > other),
                "`newest` sorts matches from the newest to the oldest: {query}"
            );
        }
    }
    most
}

#[both_engines]
async fn pages_are_full_although_most_matches_are_hidden(server: Server) {
    let (company, other) = (server.company().await, server.company().await);
    let ann = server.assistant(&company, "Ann Example").await;
    let eve = server.assistant(&other, "Eve Example").await;
    let mut fixture = SearchFixture::new(&server, &company, &ann, 25);
    let mut wanted: Vec<_> = (0..70).map(|n| fixture.own(n, &format!("status {n}"))).collect();
    (0..600).for_each(|n| fixture.other(&format!("status {n} elsewhere")));
    wanted.push(fixture.own(0, "the latest status"));
    fixture.write().await;
    let mut busy = SearchFixture::new(&server, &other, &eve, 1);
    let theirs: Vec<_> = (0..600).map(|n| busy.own(n, &format!("status {n} of others"))).collect();
    busy.write().await;
    assert_eq!(finds_all(&ann, "status", 20, &wanted).await, 0, "all pages but the last are full");
    assert_eq!(finds_all(&ann, "stat*", 20, &wanted).await, 0);
    assert_eq!(finds_all(&eve, "status", 50, &theirs).await, 0);
}

#[both_engines]
async fn a_member_of_more_than_a_hundred_conversations_finds_every_match(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let mut fixture = SearchFixture::new(&server, &company, &ann, 130);
    let mut wanted: Vec<_> = (0..45).map(|n| fixture.own(n, &format!("status {n}"))).collect();
    // the employee joined this conversation late, so its earlier messages are hidden
    let late = ConversationId(server.running().world().ids.next().unwrap());
    let (before, after) = (fixture.next(), fixture.next());
    fixture.fill.conversations.push((late, Some((fixture.employee, after))));
    for id in [before, after] {
        fixture.fill.messages.push((late, id, fixture.employee, "status of the late".to_owned()));
    }
    wanted.push(after.encode(false));
    // the employee may not see these messages, which are newer than all matches
    (0..600).for_each(|n| fixture.other(&format!("status {n} elsewhere")));
    let company = fixture.write().await;
    assert_eq!(finds_all(&ann, "status", 10, &wanted).await, 0, "all pages but the last are full");
    // a deleted match, a match whose edit removed the word, and a match that is not indexed yet
    company.erase(&wanted.remove(3)).await;
    let body = json!({"text": "something else"});
    company.operator.patch(&format!("/admin/v1/messages/{}", wanted.remove(5))).json(&body).ok(200).await;
    let group = company.group(&[ann.id()]).await;
    wanted.push(company.post(&group, ann.id(), "status of today").await);
    assert_eq!(finds_all(&ann, "status", 10, &wanted).await, 0);
}

#[both_engines]
async fn few_matches_among_many_visible_messages_are_found(server: Server) {
    for conversations in [130, 510] {
        let company = server.company().await;
        let ann = server.assistant(&company, "Ann Example").await;
        let mut fixture = SearchFixture::new(&server, &company, &ann, conversations);
        let mut wanted = Vec::new();
        // The employee may see 4,300 messages. One step of the search compares at most 4,000 messages (SQLite: 2,000).
        // Messages that the employee may not see match as well.
        for n in 0..4_300 {
            if n % 150 == 0 {
                wanted.push(fixture.own(n, &format!("status {n}")));
            } else {
                fixture.own(n, "nothing of note");
            }
            if n % 2 == 0 {
                fixture.other(&format!("status {n} elsewhere"));
            }
        }
        fixture.write().await;
        finds_all(&ann, "status", 4, &wanted).await;
        finds_all(&ann, "stat*", 50, &wanted).await;
    }
}

/// Before the server returns the result of a slow search, it confirms the result: it checks again that the employee may
/// see the conversations of the found messages (`docs/decisions/0030-revocations-and-answers.md`).
#[both_engines]
async fn found_messages_are_confirmed_until_a_membership_ends(server: Server) {
    let company = server.company().await;
    let (ann, bob) = (server.assistant(&company, "Ann").await, company.person().await);
    let mut groups = Vec::new();
    for _ in 0..3 {
        let group = company.group(&[ann.id(), &bob]).await;
        company.post_with(&group, ann.id(), json!({"text": "for members only"})).await;
        groups.push(group);
    }
    let world = server.running().world();
    let who = server.connected(&ann.tokens.access).await;
    let assistant = employee::Assistant::new(world, &who);
    let shown = async || {
        let query = SearchQuery::parse("members").unwrap();
        let (span, order) = (Span::default(), Order::Newest);
        let search = Search { query, conversation: None, sender: None, span, order, limit: 50, cursor: None };
        assistant.shown_in_search(&assistant.search_messages(search).await.unwrap())
    };
    let is_refused = |confirmed: Result<()>| match confirmed {
        Err(Error::Refused(refusal)) => refusal.code == Code::ConversationNotFound,
        other => panic!("a refusal was expected, not {other:?}"),
    };

    let before = shown().await;
    assert_eq!(before.len(), 3);
    world.confirm_shown(before.clone()).await.unwrap();
    company.remove(&groups[0], ann.id()).await;
    assert!(
        is_refused(world.confirm_shown(before.clone()).await),
        "a result of a conversation that the employee has left is not confirmed"
    );
    company.add(&groups[0], ann.id()).await;
    assert!(
        is_refused(world.confirm_shown(before).await),
        "a result from before the employee joined again is not confirmed"
    );

    let before = shown().await;
    assert_eq!(before.len(), 2);
    world.confirm_shown(before.clone()).await.unwrap();
    company.delete_conversation(&groups[1]).await;
    assert!(
        is_refused(world.confirm_shown(before).await),
        "a result of a deleted conversation is not confirmed"
    );
    let before = shown().await;
    assert_eq!(before.len(), 1);
    world.confirm_shown(before).await.unwrap();
}
