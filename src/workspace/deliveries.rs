//! What became of the events of an app, and sending them again. Called by the admin room.

use std::time::Duration;

use futures_util::future::BoxFuture;

use super::{
    World,
    apps::{found, scope},
    outbox::APP_UNINSTALLED,
    principal::Principal,
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        ids::{AppId, EventId},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::metrics::EVENTS_REDELIVERED,
    store::{
        Op, Result, Sql,
        apps::{self, App},
        delivery_log::{self, Entry, LogFilter, Span},
    },
};

/// How many entries of each kind a page of a filtered log looks at.
const LOOKED_AT: i64 = 10_000;

/// More than the clocks of two nodes differ, and than an attempt takes.
const CLOCKS_APART: Duration = Duration::from_secs(60 * 60);

/// How many events are looked at in one transaction, to be sent again.
const AT_ONCE: i64 = 500;

/// Delivery as the workspace knows it; the process sets it into [`World::delivery`] when it delivers events.
pub trait CatchUp: Send + Sync {
    /// Returns when what is due at `now` was tried, or after a while.
    fn catch_up(&self, now: Timestamp) -> BoxFuture<'_, ()>;
}

/// Which events are sent again.
#[derive(Clone, Debug, PartialEq)]
pub struct Redelivery {
    /// Created then or later.
    pub since: Timestamp,
    /// Created before; `None` for no end.
    pub until: Option<Timestamp>,
    /// Delivered ones as well as failed ones.
    pub all: bool,
    /// Only of this type.
    pub kind: Option<String>,
}

impl World {
    /// The attempts to tell an app of events, newest first, with what is still to come (W-34). A filter passes over so
    /// many entries at most; then the page ends, full or not, and the next one goes on from there.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `not_found`; `invalid_cursor`.
    pub async fn list_deliveries(
        &self,
        who: &Principal,
        id: Option<AppId>,
        filter: LogFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<Entry>> {
        who.operator()?;
        let Some(id) = id else { return refuse(Code::NotFound) };
        let walk = format!("{} {filter:?}", id.encode());
        let scope = scope(who, "admin.deliveries", &walk);
        let before = self.position(&scope, request.cursor, i64::MAX)?;
        let since = filter.since;
        let op = ListDeliveries { id, filter, before, limit: i64::from(request.limit) + 1 };
        // filters may pass over much of the log
        let (entries, reach) = self.db.scan(op).await?;
        // times follow the places, but for a test clock that was put back
        let is_over =
            |at: Timestamp| self.settings.production && since.is_some_and(|since| at + CLOCKS_APART < since);
        let reach = reach.filter(|(_, at)| !is_over(*at)).map(|(last, _)| last);
        Ok(self.page_to(&scope, request.limit, entries, |entry| entry.id, reach))
    }

    /// Returns the attempts for an app and its dropped events in the order in which they were written, oldest first. The page
    /// always has a cursor, with which a caller goes on, at once or later, and misses no entry, whichever nodes write.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `not_found`; `invalid_cursor`.
    pub async fn follow_deliveries(
        &self,
        who: &Principal,
        id: Option<AppId>,
        request: PageRequest<'_>,
    ) -> Result<Page<Entry>> {
        who.operator()?;
        let Some(id) = id else { return refuse(Code::NotFound) };
        let filter = id.encode();
        let scope = scope(who, "admin.deliveries.ingested", &filter);
        let after = self.follow_position(&scope, request.cursor)?;
        let items = self.db.read(FollowDeliveries { id, after, limit: i64::from(request.limit) }).await?;
        let last = items.last().map_or(after, |entry| (entry.log_seq, entry.id));
        Ok(self.followed(&scope, items, last))
    }

    /// Sends one event again, now, with the whole schedule of retries.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `not_found`; `conflict` when it must not be sent any more.
    pub async fn redeliver(&self, who: &Principal, app: Option<AppId>, event: Option<EventId>) -> Result<()> {
        who.operator()?;
        let (Some(app), Some(event)) = (app, event) else { return refuse(Code::NotFound) };
        self.db.write(Redeliver { app, event, now: self.clock.now() }).await?;
        metrics::counter!(EVENTS_REDELIVERED).increment(1);
        Ok(())
    }

    /// Sends every event of a span of time again that may be; tells how many. What is still being tried is
    /// left alone.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `not_found`; `conflict` without a callback URL. What was done before a
    /// failure of the store stays done.
    pub async fn redeliver_all(
        &self,
        who: &Principal,
        app: Option<AppId>,
        which: Redelivery,
    ) -> Result<usize> {
        who.operator()?;
        let Some(app) = app else { return refuse(Code::NotFound) };
        let span = Span {
            until: which.until.unwrap_or(Timestamp(i64::MAX)),
            all: which.all,
            kind: which.kind,
            lasting: APP_UNINSTALLED,
        };
        let mut after = (which.since, EventId(-1));
        let mut redelivered = 0;
        loop {
            let op = RedeliverSpan { app, span: span.clone(), after, now: self.clock.now() };
            let (done, last) = self.db.write(op).await?;
            redelivered += done;
            metrics::counter!(EVENTS_REDELIVERED).increment(done as u64);
            match last {
                Some(last) => after = last,
                None => return Ok(redelivered),
            }
        }
    }
}

struct FollowDeliveries {
    id: AppId,
    after: (i64, i64),
    limit: i64,
}

impl Op for FollowDeliveries {
    const NAME: &'static str = "follow_deliveries";
    type Out = Vec<Entry>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<Entry>> {
        found(apps::by_id(c, self.id).await?)?;
        delivery_log::follow(c, self.id, self.after, self.limit).await
    }
}

struct ListDeliveries {
    id: AppId,
    filter: LogFilter,
    before: i64,
    limit: i64,
}

impl Op for ListDeliveries {
    const NAME: &'static str = "list_deliveries";
    const REPLICA: bool = true;
    /// And how far it looked, if that was not to the end.
    type Out = (Vec<Entry>, Option<(i64, Timestamp)>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        found(apps::by_id(c, self.id).await?)?;
        // without a filter every entry is one of the page, and those of an event are found by it
        let is_sparse = self.filter != LogFilter::default() && self.filter.event_id.is_none();
        let reach = match is_sparse {
            true => delivery_log::reach(c, self.id, self.before, LOOKED_AT).await?,
            false => None,
        };
        let from = reach.map_or(0, |(id, _)| id);
        let entries = delivery_log::page(c, self.id, &self.filter, (from, self.before), self.limit).await?;
        Ok((entries, reach))
    }
}

/// Why something cannot be sent.
pub(super) fn conflict(why: &'static str) -> Refusal {
    Refusal::because(Code::Conflict, why)
}

/// An app that events can be sent to.
pub(super) async fn reachable<C: Sql>(c: &mut C, app: AppId) -> Result<App> {
    let app = found(apps::by_id(c, app).await?)?;
    match app.callback_url {
        Some(_) => Ok(app),
        None => Err(conflict("the app has no callback URL").into()),
    }
}

struct Redeliver {
    app: AppId,
    event: EventId,
    now: Timestamp,
}

impl Op for Redeliver {
    const NAME: &'static str = "redeliver_event";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        found(apps::by_id(c, self.app).await?)?;
        let event = delivery_log::stored(c, self.event).await?.filter(|event| event.app_id == self.app);
        let Some(event) = event else { return refuse(Code::NotFound) };
        reachable(c, self.app).await?;
        if !event.connected && event.kind != APP_UNINSTALLED {
            return Err(conflict("the installation it was for has ended").into());
        }
        delivery_log::again(c, &event, self.now).await
    }
}

struct RedeliverSpan {
    app: AppId,
    span: Span,
    after: (Timestamp, EventId),
    now: Timestamp,
}

impl Op for RedeliverSpan {
    const NAME: &'static str = "redeliver_events";
    /// How many, and where to go on; `None` at the end.
    type Out = (usize, Option<(Timestamp, EventId)>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        reachable(c, self.app).await?;
        let (events, last) =
            delivery_log::finished_between(c, self.app, &self.span, self.after, AT_ONCE).await?;
        for event in &events {
            delivery_log::again(c, event, self.now).await?;
        }
        Ok((events.len(), last))
    }
}
