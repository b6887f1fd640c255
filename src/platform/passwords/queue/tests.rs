use std::pin::pin;
use std::task::Poll;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, poll};

use super::*;

fn unknown(address: &str) -> Requester {
    Requester::Unknown(address.parse().unwrap())
}

/// The future of a request. It returns the slot of the request, or the rejection.
type PendingRequest = BoxFuture<'static, Result<HashingSlot, Full>>;

/// Starts a request and polls it once. Returns the rejection if the queue rejects the request at once.
async fn enqueue(queue: &PasswordQueue, requester: Requester) -> Result<PendingRequest, Full> {
    let queue = queue.clone();
    let mut pending = async move { queue.acquire(requester).await }.boxed();
    match poll!(&mut pending) {
        Poll::Ready(Err(full)) => Err(full),
        Poll::Ready(Ok(slot)) => Ok(async move { Ok(slot) }.boxed()),
        Poll::Pending => Ok(pending),
    }
}

async fn poll_once(pending: &mut PendingRequest) -> Option<Result<HashingSlot, Full>> {
    match poll!(pending) {
        Poll::Ready(answer) => Some(answer),
        Poll::Pending => None,
    }
}

#[tokio::test]
async fn one_address_does_not_monopolize_the_queue() {
    let queue = PasswordQueue::new(1, 8);
    let running = queue.acquire(unknown("192.0.2.1")).await.unwrap();
    let mut crowd = Vec::new();
    for _ in 0..8 {
        crowd.push(enqueue(&queue, unknown("192.0.2.1")).await.unwrap());
    }
    assert!(
        enqueue(&queue, unknown("192.0.2.1")).await.is_err(),
        "a full queue rejects another request of the same source"
    );
    // the request of another address replaces the last request of the crowd, and is served first
    let mut honest = enqueue(&queue, unknown("198.51.100.1")).await.unwrap();
    assert_eq!(queue.waiting(), 8);
    assert!(
        matches!(poll_once(&mut crowd[7]).await, Some(Err(Full))),
        "the request of another address replaces the last request of the crowd"
    );
    drop(running);
    let slot = poll_once(&mut honest).await.expect("the other address is served first").unwrap();
    drop(slot);
    assert!(
        matches!(poll_once(&mut crowd[0]).await, Some(Ok(_))),
        "then the first request of the crowd is served"
    );
}

#[tokio::test]
async fn an_ipv6_48_does_not_monopolize_the_queue_with_many_64s() {
    let queue = PasswordQueue::new(1, 64);
    let running = queue.acquire(unknown("2001:db8:0:ffff::1")).await.unwrap();
    let mut crowd = Vec::new();
    for n in 0..63 {
        crowd.push(enqueue(&queue, unknown(&format!("2001:db8:0:{n:x}::1"))).await.unwrap());
    }
    let mut honest = enqueue(&queue, unknown("2001:db8:1::1")).await.expect("the queue accepts the request");
    drop(running);
    let mut before = 0;
    let slot = loop {
        if let Some(slot) = poll_once(&mut honest).await {
            break slot;
        }
        serve_one(&mut crowd).await;
        before += 1;
        assert!(
            before <= WIDE_SHARE,
            "at most {WIDE_SHARE} requests of one /48 are served before a request of another /48: {before}"
        );
    };
    assert!(slot.is_ok());
}

/// Completes one of the requests in `crowd` that have a slot.
async fn serve_one(crowd: &mut Vec<PendingRequest>) {
    for index in 0..crowd.len() {
        if let Some(answer) = poll_once(&mut crowd[index]).await {
            drop(crowd.remove(index));
            drop(answer.expect("the request gets a slot"));
            return;
        }
    }
    panic!("no request was served");
}

#[tokio::test]
async fn known_requesters_have_priority_over_unknown_ones() {
    let queue = PasswordQueue::new(1, 4);
    let running = queue.acquire(unknown("192.0.2.200")).await.unwrap();
    let mut unknown_requests = Vec::new();
    for n in 1..=4 {
        unknown_requests.push(enqueue(&queue, unknown(&format!("192.0.2.{n}"))).await.unwrap());
    }
    assert!(
        enqueue(&queue, unknown("192.0.2.5")).await.is_err(),
        "a full queue rejects a request that has no priority over a waiting request"
    );
    let mut known = enqueue(&queue, Requester::Known("192.0.2.6".parse().unwrap()))
        .await
        .expect("the queue accepts the request");
    let mut admin = enqueue(&queue, Requester::Account(7)).await.expect("the queue accepts the request");
    drop(running);
    drop(poll_once(&mut known).await.expect("the request of the known requester is served first").unwrap());
    drop(poll_once(&mut admin).await.expect("the request of the account is served second").unwrap());
}

#[tokio::test]
async fn dropped_requests_leave_the_queue() {
    let queue = PasswordQueue::new(1, 2);
    let running = queue.acquire(unknown("192.0.2.1")).await.unwrap();
    let ended = enqueue(&queue, unknown("192.0.2.2")).await.unwrap();
    let mut stays = enqueue(&queue, unknown("192.0.2.3")).await.unwrap();
    drop(ended);
    let last = enqueue(&queue, unknown("192.0.2.4")).await.expect("the dropped request has left the queue");
    drop(running);
    let granted = poll_once(&mut stays).await.expect("the first remaining request is served").unwrap();
    drop(granted);
    // `last` got the slot, and is dropped before it is polled
    drop(last);
    let free = pin!(queue.acquire(unknown("192.0.2.5")));
    assert!(free.now_or_never().is_some_and(|slot| slot.is_ok()), "the slot is free again");
}
