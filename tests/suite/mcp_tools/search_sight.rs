//! Searches of an employee who sees few of the messages that match: full pages, every match once, whatever others wrote
//! (`docs/decisions/0009-searches-that-see-little.md`).

use std::collections::BTreeSet;

use serde_json::json;
use switchboard::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, MessageId, UserId, WorkspaceId},
        time::Timestamp,
    },
    store::{
        Op, Result, Sql,
        conversations::{self, Conversation},
        messages::{self, Message},
    },
};

use crate::{
    on_both,
    support::{Company, Server, text, tools::Assistant},
};

/// Conversations and messages, written through the store in one transaction, because they are many.
struct Fill {
    workspace: WorkspaceId,
    /// With who joins and the lowest message that they see.
    places: Vec<(ConversationId, Option<(UserId, MessageId)>)>,
    messages: Vec<(ConversationId, MessageId, UserId, String)>,
    now: Timestamp,
}

impl Op for Fill {
    const NAME: &'static str = "fill";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for (id, member) in &self.places {
            let conversation = Conversation {
                id: *id,
                workspace_id: self.workspace,
                kind: ConversationKind::Group,
                parent_id: None,
                name: Some(format!("place {}", id.0)),
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
                conversations::join(c, *id, *user, true, self.now, *visible_from).await?;
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

/// A company that is filled, with an employee who has `places` conversations there.
struct Scene<'a> {
    server: &'a Server,
    company: Company,
    employee: UserId,
    own: Vec<ConversationId>,
    elsewhere: ConversationId,
    fill: Fill,
}

impl<'a> Scene<'a> {
    fn new(server: &'a Server, company: &Company, ann: &Assistant, places: usize) -> Self {
        let world = server.running().world();
        let employee = UserId::parse(ann.id()).unwrap();
        let own: Vec<_> = (0..places).map(|_| ConversationId(world.ids.next().unwrap())).collect();
        let elsewhere = ConversationId(world.ids.next().unwrap());
        let mut all: Vec<_> = own.iter().map(|id| (*id, Some((employee, MessageId(0))))).collect();
        all.push((elsewhere, None));
        let workspace = WorkspaceId::parse(&company.id).unwrap();
        let fill = Fill { workspace, places: all, messages: Vec::new(), now: world.clock.now() };
        Self { server, company: company.clone(), employee, own, elsewhere, fill }
    }

    fn next(&self) -> MessageId {
        MessageId(self.server.running().world().ids.next().unwrap())
    }

    /// A message in one of the employee's conversations; its id as assistants see it.
    fn own(&mut self, number: usize, text: &str) -> String {
        let id = self.next();
        let place = self.own[number % self.own.len()];
        self.fill.messages.push((place, id, self.employee, text.to_owned()));
        id.encode(false)
    }

    /// A message that the employee does not see.
    fn other(&mut self, text: &str) {
        let id = self.next();
        self.fill.messages.push((self.elsewhere, id, self.employee, text.to_owned()));
    }

    /// Writes all of it and has it indexed.
    async fn write(self) -> Company {
        let world = self.server.running().world();
        world.db.write(self.fill).await.unwrap();
        while world.index_some().await.unwrap() {}
        self.company
    }
}

/// Reads all pages; how many were not full but for the last, and every id in order.
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

/// Every match once, in both orders; newest first in the one that promises it.
async fn finds_all(ann: &Assistant, query: &str, limit: usize, wanted: &[String]) -> usize {
    let mut most = 0;
    for sort in ["newest", "relevance"] {
        let (short, ids) = pages(ann, query, sort, limit).await;
        most = most.max(short);
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!((ids.len(), distinct.len()), (wanted.len(), wanted.len()), "{query}, {sort}");
        assert_eq!(distinct, wanted.iter().collect(), "{query}, {sort}");
        if sort == "newest" {
            assert!(ids.is_sorted_by(|one, other| one > other), "{query}");
        }
    }
    most
}

on_both! {
    async fn two_companies_have_the_same_common_word(server: Server) {
        let (company, other) = (server.company().await, server.company().await);
        let ann = server.assistant(&company, "Ann Example").await;
        let eve = server.assistant(&other, "Eve Example").await;
        let mut scene = Scene::new(&server, &company, &ann, 25);
        let mut wanted: Vec<_> = (0..70).map(|n| scene.own(n, &format!("status {n}"))).collect();
        (0..600).for_each(|n| scene.other(&format!("status {n} elsewhere")));
        wanted.push(scene.own(0, "the latest status"));
        scene.write().await;
        let mut busy = Scene::new(&server, &other, &eve, 1);
        let theirs: Vec<_> = (0..600).map(|n| busy.own(n, &format!("status {n} of others"))).collect();
        busy.write().await;
        assert_eq!(finds_all(&ann, "status", 20, &wanted).await, 0, "pages that were not full");
        assert_eq!(finds_all(&ann, "stat*", 20, &wanted).await, 0);
        assert_eq!(finds_all(&eve, "status", 50, &theirs).await, 0);
    }

    async fn conversations_too_many_to_be_named(server: Server) {
        let company = server.company().await;
        let ann = server.assistant(&company, "Ann Example").await;
        let mut scene = Scene::new(&server, &company, &ann, 130);
        let mut wanted: Vec<_> = (0..45).map(|n| scene.own(n, &format!("status {n}"))).collect();
        // joined later: what was written before is not seen
        let late = ConversationId(server.running().world().ids.next().unwrap());
        let (before, after) = (scene.next(), scene.next());
        scene.fill.places.push((late, Some((scene.employee, after))));
        for id in [before, after] {
            scene.fill.messages.push((late, id, scene.employee, "status of the late".to_owned()));
        }
        wanted.push(after.encode(false));
        // newer than all of these
        (0..600).for_each(|n| scene.other(&format!("status {n} elsewhere")));
        let company = scene.write().await;
        assert_eq!(finds_all(&ann, "status", 10, &wanted).await, 0, "pages that were not full");
        // what waits for the index, what was deleted, and what was edited away
        company.erase(&wanted.remove(3)).await;
        let body = json!({"text": "something else"});
        company.operator.patch(&format!("/admin/v1/messages/{}", wanted.remove(5))).json(&body).ok(200).await;
        let group = company.group(&[ann.id()]).await;
        wanted.push(company.post(&group, ann.id(), "status of today").await);
        assert_eq!(finds_all(&ann, "status", 10, &wanted).await, 0);
    }

    async fn many_own_messages_of_which_few_match(server: Server) {
        for places in [130, 510] {
            let company = server.company().await;
            let ann = server.assistant(&company, "Ann Example").await;
            let mut scene = Scene::new(&server, &company, &ann, places);
            let mut wanted = Vec::new();
            // more than are compared in one step, between more matches of others
            for n in 0..4_300 {
                if n % 150 == 0 {
                    wanted.push(scene.own(n, &format!("status {n}")));
                } else {
                    scene.own(n, "nothing of note");
                }
                if n % 2 == 0 {
                    scene.other(&format!("status {n} elsewhere"));
                }
            }
            scene.write().await;
            finds_all(&ann, "status", 4, &wanted).await;
            finds_all(&ann, "stat*", 50, &wanted).await;
        }
    }
}
