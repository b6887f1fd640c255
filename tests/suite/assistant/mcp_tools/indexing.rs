//! The search index: after edits, after deletions of messages and conversations, after a kill, with several nodes, and
//! in a copied database.

use serde_json::json;
use switchboard::{
    domain::{ids::MessageId, search::SearchQuery},
    store::{
        Op, ReadOp, ReadSql, Result, Sql, args, candidates, search, transfer::tables::FILL_SEARCH_QUEUE,
    },
};

use crate::support::{Server, both_engines, database::TestDatabase, until};

/// Counts the indexed messages that contain a word.
struct CountIndexed {
    word: &'static str,
}

impl ReadOp for CountIndexed {
    const NAME: &'static str = "test_count_indexed";
    type Out = usize;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<usize> {
        let query = SearchQuery::parse(self.word).unwrap();
        let wanted =
            candidates::IndexQuery { query: &query, conversations: &[], sender: None, from: MessageId(0) };
        Ok(candidates::collect(c, &wanted, MessageId(i64::MAX), 1_000).await?.ids.len())
    }
}

/// Runs the indexer, and waits until the index has this many messages with a word. The wait is necessary because the
/// server also indexes in the background, and a background batch may still be in progress.
async fn until_indexed(server: &Server, word: &'static str, number: usize) {
    server.settle().await;
    until(|| async { indexed(server, word).await == number }).await;
}

/// Returns the number of indexed messages that contain a word.
async fn indexed(server: &Server, word: &'static str) -> usize {
    server.running().world().db.read(CountIndexed { word }).await.unwrap()
}

#[both_engines]
async fn unusual_texts_do_not_stop_the_indexer(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    company.post(&group, ann.id(), "before: wombat").await;
    // thousands of combining marks after one letter, a ligature that expands to many letters, and operators of search
    // queries
    for text in [
        format!("\u{e19}{}", "\u{e35}".repeat(3_000)),
        format!("\u{4e00}{}", "\u{93f}".repeat(3_000)),
        "\u{fdfa}".repeat(4_000),
        "'\\:*&|!<>() ".repeat(300),
    ] {
        company.post(&group, ann.id(), &text).await;
    }
    company.post(&group, ann.id(), "after: wombat").await;
    until_indexed(&server, "wombat", 2).await;
}

#[both_engines]
async fn the_index_follows_edits_and_deletions(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let edited = company.post(&group, ann.id(), "a wombat").await;
    let erased = company.post(&group, ann.id(), "a numbat").await;
    for indexed_before in [true, false] {
        if indexed_before {
            until_indexed(&server, "wombat", 1).await;
            until_indexed(&server, "numbat", 1).await;
        }
        let (before, after) = if indexed_before { ("wombat", "quokka") } else { ("quokka", "bilby") };
        let body = json!({"text": format!("a {after}")});
        company.operator.patch(&format!("/admin/v1/messages/{edited}")).json(&body).ok(200).await;
        assert_eq!(ann.found(json!({"query": before})).await, Vec::<String>::new());
        assert_eq!(ann.found(json!({"query": after})).await, [format!("a {after}")]);
    }
    until_indexed(&server, "bilby", 1).await;
    assert_eq!((indexed(&server, "wombat").await, indexed(&server, "quokka").await), (0, 0));
    // a deletion removes the message from the index immediately, without waiting for the indexer
    company.erase(&erased).await;
    assert_eq!(indexed(&server, "numbat").await, 0);
    assert_eq!(ann.found(json!({"query": "numbat"})).await, Vec::<String>::new());
    // a message that is deleted before it is indexed never appears in the index
    let short_lived = company.post(&group, ann.id(), "a numbat again").await;
    company.erase(&short_lived).await;
    until_indexed(&server, "numbat", 0).await;
}

#[both_engines]
async fn messages_of_a_deleted_conversation_are_removed_from_the_index(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let channel = company.channel(&group, &[ann.id()]).await;
    let kept = company.group(&[ann.id()]).await;
    for n in 0..5 {
        company.post(&group, ann.id(), &format!("platypus {n}")).await;
        company.post(&channel, ann.id(), &format!("platypus {n}")).await;
    }
    company.post(&kept, ann.id(), "platypus kept").await;
    until_indexed(&server, "platypus", 11).await;
    company.post(&group, ann.id(), "platypus that waits").await;
    company.delete_conversation(&group).await;
    assert_eq!(ann.found(json!({"query": "platypus"})).await, ["platypus kept"]);
    until_indexed(&server, "platypus", 1).await;
}

#[both_engines]
async fn unindexed_messages_survive_a_kill(server: Server) {
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    for n in 0..30 {
        company.post(&group, ann.id(), &format!("echidna {n}")).await;
    }
    let (employee, server) = (ann.employee.clone(), server.killed().await);
    let ann = server.assistant_of(&employee).await;
    assert_eq!(ann.found(json!({"query": "echidna", "limit": 50})).await.len(), 30);
    until_indexed(&server, "echidna", 30).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_index_concurrently() {
    let Some(server) = Server::postgres().await else { return };
    let other_node = server.another_node().await;
    let company = server.company().await;
    let ann = server.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let posts = (0..60).map(|n| {
        let (company, group, id) = (company.clone(), group.clone(), ann.id().to_owned());
        async move {
            let message = company.post(&group, &id, &format!("koala {n}")).await;
            let body = json!({"text": format!("koala {n} edited")});
            company.operator.patch(&format!("/admin/v1/messages/{message}")).json(&body).ok(200).await;
        }
    });
    let index = |world: std::sync::Arc<switchboard::service::World>| async move {
        for _ in 0..30 {
            world.index_messages().await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    let worlds = [&server, &other_node].map(|node| std::sync::Arc::clone(node.running().world()));
    let [one, other] = worlds.map(index);
    tokio::join!(futures_util::future::join_all(posts), one, other);
    until_indexed(&server, "koala", 60).await;
    until_indexed(&server, "edited", 60).await;
    assert_eq!(ann.found(json!({"query": "koala edited", "limit": 50})).await.len(), 50);
}

const OLD_MESSAGES: &str = "
    INSERT INTO conversations (id, workspace_id, kind, name, is_private, announcement_only, active_members, created_at)
        VALUES (1, 1, 0, 'old', 0, 0, 0, 0);
    INSERT INTO messages (workspace_id, conversation_id, id, sender_id, type, text, file_count, created_at) VALUES
        (1, 1, 10, 5, 0, 'an old dingo', 0, 0), (1, 1, 11, 5, 1, '', 1, 0), (1, 1, 12, NULL, 3, NULL, 0, 0);";

#[both_engines]
async fn messages_copied_without_an_index_are_indexed(database: TestDatabase) {
    database.execute(OLD_MESSAGES).await;
    let db = database.open().await;
    assert_eq!(db.write(IndexQueued).await.unwrap(), 0);
    db.write(Fill).await.unwrap();
    assert_eq!(db.read(CountIndexed { word: "dingo" }).await.unwrap(), 0);
    assert_eq!(db.write(IndexQueued).await.unwrap(), 1, "empty captions and system messages are not indexed");
    assert_eq!(db.read(CountIndexed { word: "dingo" }).await.unwrap(), 1);
    assert_eq!(db.write(IndexQueued).await.unwrap(), 0);
    db.close().await.unwrap();
}

/// The step of a restore or a move that queues the copied messages for the index.
struct Fill;

impl Op for Fill {
    const NAME: &'static str = "fill_search_queue";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(&FILL_SEARCH_QUEUE, args![]).await
    }
}

/// Indexes at most 100 queued messages. Returns the number of messages that were removed from the queue.
struct IndexQueued;

impl Op for IndexQueued {
    const NAME: &'static str = "test_index_queued";
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        search::index_queued(c, 100).await
    }
}
