//! Ranges of node numbers: with disjoint ranges, deployments never create the same id.

use switchboard::{
    app::StartError,
    config::{Config, NodeRange},
    domain::ids::WorkspaceId,
    platform::clock::Clock,
};

use crate::support::{Options, Server};

async fn number_in_ids(server: &Server) -> u8 {
    ((WorkspaceId::parse(&server.company().await.id).unwrap().0 >> 16) & 31) as u8
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_take_numbers_of_their_range_only() {
    let Some(one) = Server::postgres().await else { return };
    let range = |numbers| move |config: &mut Config| config.nodes = NodeRange(numbers);
    let clock = || Clock::manual(one.clock.now());
    let first = one.another_node_with(clock(), range(20..=21)).await.unwrap();
    let second = one.another_node_with(clock(), range(20..=21)).await.unwrap();
    let mut numbers = [number_in_ids(&first).await, number_in_ids(&second).await];
    numbers.sort_unstable();
    assert_eq!(numbers, [20, 21]);
    let refused = one.another_node_with(clock(), range(20..=21)).await.err();
    let Some(StartError::Node(why)) = refused else {
        panic!("a node must not start without a free number in its range")
    };
    assert!(why.to_string().starts_with("all node numbers are taken (20 to 21)"), "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_on_sqlite_has_the_first_number_of_its_range() {
    let configure = |config: &mut Config| config.nodes = NodeRange(9..=12);
    let options = Options { configure: Some(std::sync::Arc::new(configure)), ..Options::default() };
    let server = Server::with(options).await.expect("a server on SQLite always starts");
    assert_eq!(number_in_ids(&server).await, 9);
}
