//! Records requests and responses for the verification at the end of the run.
//!
//! A *subject* is the name of something that can be revoked and that requests need: a bot token, an access token, a
//! bot's membership of a group, or the right to send to a group or a person.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Mutex,
    time::Instant,
};

use super::http::Reply;

/// Returns the subject of a bot token.
pub fn token_subject(token: &str) -> String {
    format!("token {token}")
}

/// Returns the subject of a bot's membership of a group.
pub fn member_subject(bot: usize, group: &str) -> String {
    format!("membership of bot {bot} in {group}")
}

/// The rules that are verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Every acknowledged message exists.
    Lost,
    /// No message exists twice. No message exists whose send was rejected or that was never sent. A replay returns the
    /// original message.
    Duplicated,
    /// The messages of a bot in a conversation are in the order in which the bot sent them. Followers, which read new
    /// messages during the run, see them in the order of the history.
    Order,
    /// A request that needs a revoked subject fails if it starts after the response to the revocation, and ends before
    /// the start of the request that restores the subject.
    Revoked,
    /// Every app receives an event for each change of which it must be notified.
    Events,
    /// No request within the guaranteed limits gets 429.
    Limits,
    /// Every error response is explained by the clients' behaviour or by a fault. No node panics. After a fault every
    /// node becomes ready again.
    Answers,
}

/// How a send ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Sent {
        id: String,
    },
    Refused(String),
    /// It is unknown whether the message exists: an attempt got no response or 5xx, and no attempt got 201.
    Unknown,
}

/// A message that a bot tried to send, in one or more attempts with the same idempotency key.
#[derive(Clone, Debug)]
pub struct Send {
    pub key: String,
    pub bot: usize,
    /// The id of a group or a person.
    pub to: String,
    /// The id of the conversation, from the response. It is empty if no attempt got 201.
    pub conversation: String,
    pub outcome: Outcome,
    /// Whether an attempt got no response or 5xx.
    pub is_repeated: bool,
    pub is_edited: bool,
    pub is_deleted: bool,
}

/// A period in which a subject is revoked. It begins with the response to the revocation, and ends with the start of
/// the request that restores the subject.
#[derive(Clone, Copy, Debug)]
struct RevokedPeriod {
    from: Instant,
    until: Option<Instant>,
}

/// The ids of the messages that one follower has seen in a conversation, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub group: String,
    /// The name of the follower, for the descriptions of violations.
    pub who: String,
    pub ids: Vec<String>,
    /// Number of complete reads: neither a failed request nor the end of the run cut them off.
    pub reads: u64,
}

/// The number of events that an app must receive, by app, kind and the id of the changed object.
pub type Expected = BTreeMap<(usize, String, String), usize>;

#[derive(Default)]
pub struct Ledger {
    sends: Mutex<Vec<Send>>,
    revoked: Mutex<HashMap<String, Vec<RevokedPeriod>>>,
    /// The start and the end of each successful request, by subject.
    used: Mutex<HashMap<String, Vec<(Instant, Instant)>>>,
    expected: Mutex<Expected>,
    followed: Mutex<Vec<Seen>>,
    violations: Mutex<Vec<(Rule, String)>>,
    /// How often each rule was tested.
    checks: Mutex<BTreeMap<Rule, u64>>,
}

impl Ledger {
    /// Records a finished send. Returns its number, for [`Ledger::change`].
    pub fn sent(&self, send: Send) -> usize {
        let mut sends = self.sends.lock().unwrap();
        sends.push(send);
        sends.len() - 1
    }

    pub fn change(&self, number: usize, change: impl FnOnce(&mut Send)) {
        change(&mut self.sends.lock().unwrap()[number]);
    }

    pub fn sends(&self) -> Vec<Send> {
        self.sends.lock().unwrap().clone()
    }

    /// Records a successful request, which needed each of these subjects.
    pub fn used(&self, subjects: &[&str], reply: &Reply) {
        let mut used = self.used.lock().unwrap();
        for subject in subjects {
            let span = (reply.begun, reply.ended);
            match used.get_mut(*subject) {
                Some(spans) => spans.push(span),
                None => drop(used.insert((*subject).to_owned(), vec![span])),
            }
        }
    }

    /// Records the time of the response to a revocation.
    pub fn revoked(&self, subject: &str, answered: Instant) {
        self.check(Rule::Revoked, 1);
        let revoked = RevokedPeriod { from: answered, until: None };
        self.revoked.lock().unwrap().entry(subject.to_owned()).or_default().push(revoked);
    }

    /// Records that the request that restores the subject starts now.
    pub fn restored(&self, subject: &str) {
        let mut revoked = self.revoked.lock().unwrap();
        if let Some(last) = revoked.get_mut(subject).and_then(|all| all.last_mut()) {
            last.until.get_or_insert_with(Instant::now);
        }
    }

    /// Returns a description of each successful request that started after the response to a revocation of one of its
    /// subjects. Omits requests that ended after the restoring request had started, because the server may have
    /// processed them after it had restored the subject.
    pub fn uses_after_revocation(&self) -> Vec<String> {
        let used = self.used.lock().unwrap();
        let revoked = self.revoked.lock().unwrap();
        let mut found = Vec::new();
        for (subject, spans) in revoked.iter() {
            for RevokedPeriod { from, until } in spans {
                let all = used.get(subject).into_iter().flatten();
                let is_late = |(begun, ended): &&(Instant, Instant)| {
                    begun > from && until.is_none_or(|until| *ended < until)
                };
                for (begun, _) in all.filter(is_late) {
                    found.push(format!(
                        "{subject}: a request succeeded that began {:?} after the response to the revocation",
                        *begun - *from
                    ));
                }
            }
        }
        found
    }

    /// Records that this app must receive an event of a change.
    pub fn expect_event(&self, app: usize, kind: &str, id: &str) {
        *self.expected.lock().unwrap().entry((app, kind.to_owned(), id.to_owned())).or_default() += 1;
    }

    pub fn expected(&self) -> Expected {
        self.expected.lock().unwrap().clone()
    }

    /// Records everything that a follower has seen. The follower calls this when it stops.
    pub fn followed(&self, seen: Seen) {
        self.followed.lock().unwrap().push(seen);
    }

    pub fn all_followed(&self) -> Vec<Seen> {
        self.followed.lock().unwrap().clone()
    }

    pub fn violation(&self, rule: Rule, what: String) {
        eprintln!("violation: {rule:?}: {what}");
        self.violations.lock().unwrap().push((rule, what));
    }

    /// Adds `times` to the number of tests of a rule.
    pub fn check(&self, rule: Rule, times: u64) {
        *self.checks.lock().unwrap().entry(rule).or_default() += times;
    }

    pub fn checks(&self, rule: Rule) -> u64 {
        self.checks.lock().unwrap().get(&rule).copied().unwrap_or(0)
    }

    pub fn violations(&self, rule: Rule) -> Vec<String> {
        let all = self.violations.lock().unwrap();
        all.iter().filter(|(of, _)| *of == rule).map(|(_, what)| what.clone()).collect()
    }
}
