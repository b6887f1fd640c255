//! The delivery log of an app, and redelivery of events.
//!
//! - [`queue`]: what the delivery workers read and write; [`signing`]: signatures of events
//! - [`confirm`]: whether an event may still be sent
//! - [`failures`]: delivery failures that the sandbox console injects; [`inspection`]: events as the console shows them

pub mod confirm;
pub mod failures;
pub mod inspection;
pub mod queue;
pub mod signing;

use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;

use crate::service::{
    apps::{cursor_scope, found},
    callers::Operator,
    outbox::APP_UNINSTALLED,
    paging::{Page, PageRequest},
    refuse, view,
};
use crate::{
    domain::{
        delivery::DeliveryState,
        ids::{AppId, EventId, InstallationId, WorkspaceId},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::metrics::EVENTS_REDELIVERED,
    store::{
        Op, ReadOp, ReadSql, Result, Sql,
        apps::{self, App},
        delivery_log::{self, Entry, LogFilter, LogSpan},
    },
};

/// Maximum number of entries that are scanned for one page with a filter other than `event_id`, in each part of the
/// log. The log has two parts: the attempts, and the pending or dropped events. Without this maximum, a filter that
/// matches few entries would scan the whole log.
const MAX_SCANNED: i64 = 10_000;

/// Maximum time by which the time of an entry of the log is assumed to be later than the time of an entry with a higher
/// id. The log is ordered by id. The order of times differs from the order of ids, because the clocks of nodes differ,
/// and because the id and the time of an entry are not determined at the same moment.
const MAX_TIME_DEVIATION: Duration = Duration::from_secs(60 * 60);

/// Maximum number of events that a redelivery scans in one transaction.
const BATCH_SIZE: i64 = 500;

/// The event delivery of a process. When a sandbox's test clock is moved, this trait is used to wait for due attempts.
/// [`World::delivery`](crate::service::World::delivery) has a value if the process delivers events.
pub trait CatchUp: Send + Sync {
    /// Waits until every event that is due at `now` has been attempted and no attempt is in progress. Stops waiting at
    /// shutdown, or at `deadline`, an instant of [`Clock::instant`](crate::platform::clock::Clock::instant).
    fn catch_up(&self, now: Timestamp, deadline: Instant) -> BoxFuture<'_, ()>;
}

view! {
    /// An entry of the delivery log: a past attempt, the next attempt of a pending event, or a dropped event.
    DeliveryView of Entry {
        event_id: EventId,
        /// Type of the event.
        kind: String,
        workspace_id: WorkspaceId,
        installation_id: InstallationId,
        /// Number of the attempt, counted from 1. For a pending or dropped event, one more than the number of finished
        /// attempts.
        attempt: i64,
        state: DeliveryState,
        /// HTTP status of the response.
        status: Option<i64>,
        error: Option<String>,
        latency_ms: Option<i64>,
        /// The beginning of the response body.
        answer: Option<String>,
        /// When the attempt began; `None` for a pending or dropped event.
        at: Option<Timestamp>,
        next_attempt_at: Option<Timestamp>,
        /// When the event was created.
        created_at: Timestamp,
    }
}

/// Filter of the delivery log. `since` (inclusive) and `until` (exclusive) limit the time at which an attempt began, or
/// at which a pending or dropped event was created.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeliveryFilter {
    pub state: Option<DeliveryState>,
    pub kind: Option<String>,
    pub installation_id: Option<InstallationId>,
    pub event_id: Option<EventId>,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
}

/// Which events to redeliver.
#[derive(Clone, Debug, PartialEq)]
pub struct Redelivery {
    /// Only events created at this time or later.
    pub since: Timestamp,
    /// Only events created before this time; `None` for no limit.
    pub until: Option<Timestamp>,
    /// Whether delivered and dropped events are redelivered too. If `false`, only failed events are redelivered.
    pub all: bool,
    /// Only events of this type; `None` for all types.
    pub kind: Option<String>,
}

impl Operator<'_> {
    /// Lists the delivery attempts of an app, its pending events and its dropped events, newest first (W-34). For a
    /// page with a filter other than `event_id`, only a limited number of entries is scanned. So the page can be short
    /// or empty although there is a next page. A filter with `event_id` needs no limit.
    ///
    /// # Errors
    /// - `not_found` if `id` is `None`, because the text in the request is not an app id.
    /// - `invalid_cursor`.
    /// - `not_found` for an unknown app.
    pub async fn list_deliveries(
        self,
        id: Option<AppId>,
        filter: DeliveryFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<DeliveryView>> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        let DeliveryFilter { state, kind, installation_id, event_id, since, until } = filter;
        let filter = LogFilter { state, kind, installation_id, event_id, since, until };
        let filter_key = format!("{} {filter:?}", id.encode());
        let scope = cursor_scope(self, "admin.deliveries", &filter_key);
        let before = self.world().position(&scope, request.cursor, i64::MAX)?;
        let op = ListDeliveries { id, filter, before, limit: i64::from(request.limit) + 1 };
        // `scan` instead of `read`, because a filter that matches few entries makes this read slow
        let (entries, scan_end) = self.world().db.scan(op).await?;
        // If the scan has passed `since`, no further entry can match, and there is no next page. In production the
        // order of times deviates from the order of ids by at most `MAX_TIME_DEVIATION`. Outside production the clock
        // can have been set back. Then the time of an entry says nothing about the times of entries with lower ids.
        let is_before_since = |at: Timestamp| {
            self.world().settings.production && since.is_some_and(|since| at + MAX_TIME_DEVIATION < since)
        };
        let scan_end = scan_end.filter(|(_, at)| !is_before_since(*at)).map(|(last, _)| last);
        Ok(self
            .world()
            .page_to(&scope, request.limit, entries, |entry| entry.id, scan_end)
            .map(DeliveryView::from))
    }

    /// Returns delivery attempts and dropped events of an app in the order in which they were written, oldest first.
    /// The page always has a cursor. A caller can continue with the cursor at any time and misses no entry, even if
    /// several nodes write entries.
    ///
    /// # Errors
    /// - `not_found` if `id` is `None`, because the text in the request is not an app id.
    /// - `invalid_cursor`.
    /// - `not_found` for an unknown app.
    pub async fn follow_deliveries(
        self,
        id: Option<AppId>,
        request: PageRequest<'_>,
    ) -> Result<Page<DeliveryView>> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        let filter = id.encode();
        let scope = cursor_scope(self, "admin.deliveries.ingested", &filter);
        let after = self.world().follow_position(&scope, request.cursor)?;
        let items =
            self.world().db.read(FollowDeliveries { id, after, limit: i64::from(request.limit) }).await?;
        let last = items.last().map_or(after, |entry| (entry.log_seq, entry.id));
        Ok(self.world().followed(&scope, items, last).map(DeliveryView::from))
    }

    /// Makes one event of an app due now, and restarts its retry schedule.
    ///
    /// # Errors
    /// - `not_found` for an unknown app, and for an event that is unknown or belongs to another app.
    /// - `conflict` if the app has no callback URL.
    /// - `conflict` if the installation is disconnected and the event is not `app.uninstalled`.
    /// - `conflict` if the content of a deleted message was erased from the event (B-429).
    pub async fn redeliver(self, app: Option<AppId>, event: Option<EventId>) -> Result<()> {
        let (Some(app), Some(event)) = (app, event) else { return refuse(Code::NotFound) };
        self.caller().write(Redeliver { app, event, now: self.world().clock.now() }).await?;
        metrics::counter!(EVENTS_REDELIVERED).increment(1);
        Ok(())
    }

    /// Redelivers those events selected by `which` that may still be sent, and returns their number. Pending events are
    /// unchanged. Commits a batch of events at a time.
    ///
    /// # Errors
    /// `not_found` for an unknown app; `conflict` for an app without a callback URL; store errors. The batches before
    /// an error stay committed.
    pub async fn redeliver_all(self, app: Option<AppId>, which: Redelivery) -> Result<usize> {
        let Some(app) = app else { return refuse(Code::NotFound) };
        let span = LogSpan {
            until: which.until.unwrap_or(Timestamp(i64::MAX)),
            all: which.all,
            kind: which.kind,
            lasting: APP_UNINSTALLED,
        };
        let mut after = (which.since, EventId(-1));
        let mut redelivered = 0;
        loop {
            let op = RedeliverSpan { app, span: span.clone(), after, now: self.world().clock.now() };
            let (done, last) = self.caller().write(op).await?;
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

impl ReadOp for FollowDeliveries {
    const NAME: &'static str = "follow_deliveries";
    type Out = Vec<Entry>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<Entry>> {
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

impl ReadOp for ListDeliveries {
    const NAME: &'static str = "list_deliveries";
    const REPLICA: bool = true;
    /// The entries, and the id and the time of the last scanned entry. Instead of the id and the time, `None` if the
    /// scan is not limited, or if it reached the end of the log.
    type Out = (Vec<Entry>, Option<(i64, Timestamp)>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        found(apps::by_id(c, self.id).await?)?;
        // The scan needs no limit in two cases: without a filter, because every entry matches, and for one event,
        // because an index finds the entries of the event.
        let is_sparse = self.filter != LogFilter::default() && self.filter.event_id.is_none();
        let scan_end = match is_sparse {
            true => delivery_log::scan_end(c, self.id, self.before, MAX_SCANNED).await?,
            false => None,
        };
        let from = scan_end.map_or(0, |(id, _)| id);
        let entries = delivery_log::page(c, self.id, &self.filter, (from, self.before), self.limit).await?;
        Ok((entries, scan_end))
    }
}

/// Returns a `conflict` that says why an event cannot be sent.
pub(in crate::service) fn conflict(why: &'static str) -> Refusal {
    Refusal::because(Code::Conflict, why)
}

/// Returns an app that has a callback URL.
///
/// # Errors
/// `not_found`; `conflict` without a callback URL.
pub(in crate::service) async fn reachable<C: ReadSql>(c: &mut C, app: AppId) -> Result<App> {
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
            return Err(conflict("the installation of this event is disconnected").into());
        }
        if event.erased_at.is_some() {
            return Err(conflict("the message of this event was deleted, so its content was erased").into());
        }
        delivery_log::make_pending(c, &[event], self.now).await
    }
}

struct RedeliverSpan {
    app: AppId,
    span: LogSpan,
    after: (Timestamp, EventId),
    now: Timestamp,
}

impl Op for RedeliverSpan {
    const NAME: &'static str = "redeliver_events";
    /// The number of redelivered events, and the position after which the next batch begins; `None` after the last
    /// batch.
    type Out = (usize, Option<(Timestamp, EventId)>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        reachable(c, self.app).await?;
        let (events, last) =
            delivery_log::finished_between(c, self.app, &self.span, self.after, BATCH_SIZE).await?;
        delivery_log::make_pending(c, &events, self.now).await?;
        Ok((events.len(), last))
    }
}
