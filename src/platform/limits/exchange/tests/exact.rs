//! Property tests of nodes that exchange their counts. An exact limit counts each allowed request of all nodes
//! immediately. Two of the tests check that a node rejects a request only if an exact limit would reject it too. It
//! makes no difference when the nodes exchange their counts.

use proptest::prelude::*;

use super::*;

/// An event at one of three nodes.
#[derive(Clone, Debug)]
enum Event {
    /// A request, `after` microseconds after the previous event.
    Request {
        after: i64,
        node: usize,
    },
    /// A request whose tokens are returned at once. For a window, which has no tokens, an ordinary request.
    Free {
        after: i64,
        node: usize,
    },
    Exchange {
        node: usize,
    },
}

fn events(longest: i64) -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        6 => (0..longest, 0_usize..3).prop_map(|(after, node)| Event::Request { after, node }),
        1 => (0..longest, 0_usize..3).prop_map(|(after, node)| Event::Free { after, node }),
        3 => (0_usize..3).prop_map(|node| Event::Exchange { node }),
    ];
    proptest::collection::vec(event, 1..250)
}

/// Returns when a bucket is full again after it has allowed requests at the times `passed`.
fn full_at(passed: &[i64], step: i64) -> i64 {
    let mut sorted = passed.to_vec();
    sorted.sort_unstable();
    sorted.iter().fold(i64::MIN / 2, |full_at, at| full_at.max(*at) + step)
}

proptest! {
    /// If a node rejects a request, an exact bucket rejects it too. It makes no difference when and in which order the
    /// nodes learn of each other's requests.
    #[test]
    fn no_node_is_stricter_than_an_exact_bucket(events in events(SECOND / 2)) {
        let (nodes, rate) = (Nodes::new(3), SEND.installation.counter);
        let (mut passed, mut now) = (Vec::new(), 0);
        for event in events {
            match event {
                Event::Exchange { node } => nodes.exchange(node),
                Event::Request { after, node } | Event::Free { after, node } => {
                    now += after;
                    nodes.set(now);
                    match nodes.limits[node].take_all(&[(KEY, rate)], Timestamp(now)) {
                        Ok(taken) if matches!(event, Event::Free { .. }) => nodes.limits[node].return_tokens(&taken),
                        Ok(_) => passed.push(now),
                        Err(refused) => {
                            let exact = full_at(&passed, rate.step()).max(now);
                            let wait = exact + rate.step() - rate.depth() - rate.tolerance() - now;
                            prop_assert!(
                                wait > 0,
                                "at {now} µs the node requires a wait of {:?}, but the exact bucket allows \
                                 the request (its wait is {wait} µs)",
                                refused.wait
                            );
                        }
                    }
                }
            }
        }
    }

    /// The rule of `no_node_is_stricter_than_an_exact_bucket`, for a window.
    #[test]
    fn no_node_is_stricter_than_an_exact_window(events in events(6 * SECOND)) {
        let (nodes, window) = (Nodes::new(3), LIST.counter());
        let (mut passed, mut now): (Vec<i64>, i64) = (Vec::new(), 0);
        for event in events {
            match event {
                Event::Exchange { node } => nodes.exchange(node),
                Event::Request { after, node } | Event::Free { after, node } => {
                    now += after;
                    nodes.set(now);
                    if nodes.list(node) {
                        passed.push(now);
                    } else {
                        let used = passed.iter().filter(|at| now - **at < window.counted).count();
                        prop_assert!(used >= window.limit as usize, "rejected, but only {used} requests count");
                    }
                }
            }
        }
    }
}

proptest! {
    // few cases, because each has about 1,200 requests
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// A client that sends as fast as the limit allows, and no faster, is never rejected if each request takes at most
    /// 150 ms to arrive. It makes no difference which node gets a request and when the nodes exchange their counts.
    #[test]
    fn a_client_that_paces_itself_is_never_rejected(
        jitter in proptest::collection::vec((0_i64..=150_000, 0_usize..3, any::<bool>()), 400),
    ) {
        for (rate, step) in [(SEND.installation.counter, 200_000), (SEND.destination.counter, SECOND)] {
            let nodes = Nodes::new(3);
            let mut arrivals: Vec<(i64, usize, bool)> = Vec::new();
            for (n, (late, node, exchanges)) in (0_i64..).zip(&jitter) {
                let burst = i64::from(rate.burst) - 1;
                arrivals.push(((n - burst).max(0) * step + late, *node, *exchanges));
            }
            arrivals.sort_unstable();
            for (at, node, exchanges) in arrivals {
                nodes.set(at);
                prop_assert!(nodes.send(node, rate), "{} rejects a request at {at} µs", rate.name);
                if exchanges {
                    nodes.exchange(node);
                }
            }
        }
        paced_lists(LIST.counter(), &jitter)?;
    }
}

proptest! {
    /// A single node that exchanges its counts decides exactly like a node without an exchange.
    #[test]
    fn sharing_does_not_change_the_decisions_of_a_single_node(
        steps in proptest::collection::vec((0_i64..SECOND, any::<bool>()), 1..300),
    ) {
        let (nodes, alone) = (Nodes::new(1), Limits::in_memory(1));
        let mut now = 0;
        for (step, exchanges) in steps {
            now += step / 2;
            nodes.set(now);
            let takes = [(KEY, SEND.installation.counter), (LimitKey::id("other", 1), SEND.destination.counter)];
            let (shared, own) = (nodes.limits[0].take_all(&takes, Timestamp(now)), alone.take_all(&takes, Timestamp(now)));
            match (&shared, &own) {
                (Ok(shared), Ok(own)) => prop_assert_eq!(&shared.statuses, &own.statuses),
                (shared, own) => prop_assert_eq!(shared.as_ref().err(), own.as_ref().err()),
            }
            prop_assert_eq!(
                nodes.limits[0].check(LIST.counter(), KEY, Timestamp(now)),
                alone.check(LIST.counter(), KEY, Timestamp(now))
            );
            if exchanges {
                nodes.exchange(0);
            }
        }
    }
}

fn paced_lists(window: Window, jitter: &[(i64, usize, bool)]) -> Result<(), TestCaseError> {
    let nodes = Nodes::new(3);
    for (n, (late, node, exchanges)) in (0_i64..).zip(jitter) {
        // one request every 3 seconds, because the limit is 20 per minute
        let at = n * 3 * SECOND + late;
        nodes.set(at);
        let decision = nodes.limits[*node].check(window, KEY, Timestamp(at));
        prop_assert!(decision.allowed(), "request {n} is rejected at {at} µs");
        if *exchanges {
            nodes.exchange(*node);
        }
    }
    Ok(())
}
