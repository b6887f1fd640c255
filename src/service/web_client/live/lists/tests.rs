use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;
use crate::{domain::conversation::ConversationKind, service::testing, store::StoreError};

const ANN: UserId = UserId(1);
const GROUP: ConversationId = ConversationId(2);

fn joined() -> Signal {
    Signal { joined: [ANN].into(), ..Signal::default() }
}

fn followed(id: ConversationId) -> FollowedConversation {
    let (kind, joined_at, read_id) = (ConversationKind::Group, Timestamp(0), MessageId(0));
    FollowedConversation { conversation_id: id, kind, joined_at, read_id }
}

fn at(message: i64) -> Followed {
    Followed { message: MessageId(message), change: 0 }
}

/// Returns the open list of a person with one conversation. The newest message of the conversation is known.
fn list() -> OpenLists {
    let lists = OpenLists::default();
    drop(lists.add(ANN));
    let mut index = lists.index.lock();
    let reading = index.next_read_number();
    assert!(index.replace_conversations(ANN, reading, &[followed(GROUP)], &[(GROUP, at(1))]));
    drop(index);
    lists
}

#[tokio::test]
async fn conversations_are_read_again_if_the_person_joins_one_during_a_reading() {
    let lists = list();
    lists.dispatch(&joined());
    let reads = AtomicUsize::new(0);
    let read = |_| async {
        if reads.fetch_add(1, Ordering::Relaxed) == 0 {
            lists.dispatch(&joined());
        }
        Ok(false)
    };
    lists.send_moved(read).await.unwrap();
    assert_eq!(reads.into_inner(), 2, "a join during the first reading causes a second reading");
}

#[tokio::test]
async fn a_reading_that_fails_stays_scheduled() {
    let lists = list();
    lists.dispatch(&joined());
    let failed = lists.send_moved(|_| async { Err(StoreError::Unavailable("lost".into()).into()) }).await;
    assert!(failed.is_err());
    assert!(lists.index.lock().to_reload.contains(&ANN));
    lists.close(ANN);
    assert!(lists.index.lock().to_reload.is_empty(), "nothing is read for closed lists");
}

#[test]
fn an_older_reading_does_not_replace_a_newer_one() {
    let lists = list();
    let mut index = lists.index.lock();
    let [older, newer] = [index.next_read_number(), index.next_read_number()];
    let other = ConversationId(3);
    assert!(index.replace_conversations(ANN, newer, &[followed(GROUP), followed(other)], &[]));
    assert!(!index.replace_conversations(ANN, older, &[followed(GROUP)], &[]));
    assert_eq!(index.kind_of(ANN, other), Some(ConversationKind::Group));
}

#[test]
fn a_comparison_schedules_counts_of_changed_conversations_only() {
    let lists = list();
    let mut index = lists.index.lock();
    index.compare(&[(GROUP, at(1))]);
    assert!(index.take_pending().is_empty(), "without a change, nothing is counted");
    index.compare(&[(GROUP, at(2)), (ConversationId(3), at(1))]);
    assert_eq!(index.take_pending(), [(GROUP, ANN)]);
    index.compare(&[(GROUP, Followed { change: 5, ..at(2) })]);
    assert_eq!(index.take_pending(), [(GROUP, ANN)], "an edit or a deletion of a message causes a count");
    index.compare(&[(GROUP, at(2))]);
    // the number of the newest change falls when the rows of old changes are deleted
    assert!(index.take_pending().is_empty(), "a lower number of the newest change causes no count");
}

#[test]
fn a_check_reports_a_rename_whose_signal_was_lost() {
    let lists = list();
    let mut news = lists.add(ANN);
    let renamed = ListNews::Renamed { kind: ConversationKind::Group, id: GROUP };
    let check = |state: &str| {
        lists
            .index
            .lock()
            .compare_states(vec![(GROUP, state.to_owned()), (ConversationId(3), state.to_owned())]);
    };
    check("first");
    check("first");
    assert!(news.try_recv().is_err(), "an unchanged state is not reported");
    check("second");
    assert_eq!(news.try_recv(), Ok(renamed));
    lists.dispatch(&Signal { renamed: [GROUP].into(), ..Signal::default() });
    assert_eq!(news.try_recv(), Ok(renamed));
    check("third");
    assert!(news.try_recv().is_err(), "a check does not report a change that a signal has reported");
    check("fourth");
    assert_eq!(news.try_recv(), Ok(renamed));
}

#[test]
fn a_reading_schedules_a_count_if_the_read_position_has_advanced() {
    let lists = list();
    let mut index = lists.index.lock();
    let reading = index.next_read_number();
    let read = FollowedConversation { read_id: MessageId(1), ..followed(GROUP) };
    assert!(
        !index.replace_conversations(ANN, reading, &[read], &[]),
        "a reading returns false if no conversation was joined or left"
    );
    assert_eq!(index.take_pending(), [(GROUP, ANN)]);
    let reading = index.next_read_number();
    assert!(!index.replace_conversations(ANN, reading, &[read], &[]));
    assert!(index.take_pending().is_empty(), "without an advance of the read position, nothing is counted");
}

#[test]
fn nothing_is_counted_for_closed_lists() {
    let lists = list();
    lists.dispatch(&Signal { changed: [GROUP].into(), ..Signal::default() });
    lists.schedule_count(ANN, ConversationId(3));
    lists.close(ANN);
    let mut index = lists.index.lock();
    assert!(index.take_pending().is_empty());
    assert!(index.readers.is_empty() && index.people.is_empty());
}

/// Runs one call of `send`, while another thread schedules a count whenever no count is scheduled. Returns how many
/// counts the thread had scheduled when the call returned.
async fn changes_during_a_call(world: &World) -> usize {
    let lists = Arc::new(OpenLists::default());
    drop(lists.add(ANN));
    lists.schedule_count(ANN, GROUP);
    let (changes, is_done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    // This thread schedules another count as soon as `send` has taken the scheduled counts. It is a thread and not a
    // task, because reads of SQLite do not yield.
    let changing = std::thread::spawn({
        let (lists, changes, is_done) = (Arc::clone(&lists), Arc::clone(&changes), Arc::clone(&is_done));
        move || {
            while !is_done.load(Ordering::Relaxed) && changes.load(Ordering::Relaxed) < 1_000 {
                if lists.index.lock().pending.is_empty() {
                    let change = changes.fetch_add(1, Ordering::Relaxed);
                    lists.schedule_count(ANN, ConversationId(10 + i64::try_from(change).unwrap()));
                }
                std::thread::yield_now();
            }
        }
    });
    lists.send(world).await.unwrap();
    let during = changes.load(Ordering::Relaxed);
    is_done.store(true, Ordering::Relaxed);
    changing.join().unwrap();
    during
}

#[tokio::test]
async fn changes_during_a_count_are_left_for_the_next_call() {
    let world = testing::world().await;
    // repeated, because the operating system possibly does not run the thread during a call
    for _ in 0..1_000 {
        let changes = changes_during_a_call(&world).await;
        assert!(changes <= 1, "one call runs one round of counts");
        if changes == 1 {
            return;
        }
    }
    panic!("no call had a change during its count");
}
