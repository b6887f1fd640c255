//! The console's pages that show the events of an app and their delivery attempts, redeliver events, and inject
//! failures into delivery attempts.

use std::time::Duration;

use askama::Template;
use poem::http::StatusCode;

use super::{
    Console,
    context::ConsoleContext,
    live::{ConsoleTime, LivePart, span},
    requests::{class, pretty},
    shell::ConsoleShell,
};
use crate::{
    domain::{
        delivery::DeliveryState,
        ids::{AppId, EventId},
        time::Timestamp,
    },
    pages::{Outcome, answer, error_page::PageError, frame::Frame},
    service::{
        apps::AppView,
        callers::Caller,
        events::deliveries::{
            DeliveryFilter, DeliveryView,
            failures::{InjectedFailure, InjectedFailures},
            inspection::EventView,
        },
        paging::PageRequest,
    },
};

const PATH: &str = "/console/events";
/// Number of events on a page.
const PER_PAGE: usize = 50;
/// Number of events read for a page: one more than [`PER_PAGE`], to find out whether there is another page.
const READ: i64 = 51;
/// Maximum number of attempts on the page of an event.
const MAX_ATTEMPTS: u32 = 100;
/// Maximum number of apps in the list from which the operator chooses.
const MAX_APPS: u32 = 100;
/// Maximum number of delivery attempts into which one form can inject a failure.
const MAX_FAILURES: u32 = 100;
/// Maximum injected delay in seconds. With a delay of three seconds or more, the attempt times out.
const MAX_DELAY: u64 = 60;

/// An app in the list from which the operator chooses.
pub(super) struct ListedApp {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_chosen: bool,
}

/// The apps from which the operator chooses, and the chosen app.
pub(super) struct Apps {
    pub(super) choices: Vec<ListedApp>,
    pub(super) chosen: Option<AppView>,
    /// Whether there are more apps than are listed.
    pub(super) is_cut: bool,
}

impl Apps {
    /// Reads the apps. The chosen app is the app with the id `wanted`, which is added to the list if necessary. If
    /// `wanted` is empty, the chosen app is the sandbox's default app, or the first app if the list does not contain
    /// the default app.
    ///
    /// # Errors
    /// 404 for an unknown app.
    pub(super) async fn read(console: &Console, caller: &Caller, wanted: &str) -> Result<Self, PageError> {
        let operator = caller.operator()?;
        let mut page = operator.list_apps(PageRequest { limit: MAX_APPS, cursor: None }).await?;
        let own = console.state.facts.get().and_then(|facts| facts.app.clone()).unwrap_or_default();
        let find = |id: &str| page.items.iter().find(|app| app.id.encode() == id).cloned();
        let chosen = match wanted {
            "" => find(&own).or_else(|| page.items.first().cloned()),
            wanted => match find(wanted) {
                Some(listed) => Some(listed),
                None => {
                    let app = operator.app(AppId::parse(wanted)).await?;
                    page.items.push(app.clone());
                    Some(app)
                }
            },
        };
        let choice = |app: &AppView| ListedApp {
            id: app.id.encode(),
            name: app.name.clone(),
            is_chosen: chosen.as_ref().is_some_and(|chosen| chosen.id == app.id),
        };
        let choices = page.items.iter().map(choice).collect();
        Ok(Self { choices, chosen, is_cut: page.next_cursor.is_some() })
    }
}

#[derive(Template)]
#[template(path = "console/events.html")]
struct EventsPage {
    frame: Frame,
    shell: ConsoleShell,
    live: LivePart,
    choices: Vec<ListedApp>,
    is_cut: bool,
    app: Option<ChosenApp>,
}

struct ChosenApp {
    id: String,
    callback_url: Option<String>,
}

#[derive(Template)]
#[template(path = "console/events_live.html")]
struct EventList {
    app: String,
    rows: Vec<EventRow>,
    /// A sentence about the failure that is injected into the next delivery attempts; `None` if no failure is injected.
    failure: Option<String>,
    next: Option<String>,
    is_first: bool,
}

/// An event, for templates.
struct EventRow {
    id: String,
    kind: String,
    at: ConsoleTime,
    attempts: i64,
    state: &'static str,
    class: &'static str,
    /// For a dropped event, the reason. For any other event, the result of the latest attempt; empty before the first
    /// attempt.
    answer: String,
    /// When the next attempt is due.
    due: Option<String>,
}

impl EventRow {
    fn new(event: &EventView, now: Timestamp) -> Self {
        let (state, class) = match event.state {
            DeliveryState::Pending if event.attempts == 0 => ("waiting", "wait"),
            DeliveryState::Pending => ("to be retried", "refused"),
            DeliveryState::Delivered => ("delivered", "ok"),
            DeliveryState::Failed => ("failed", "failed"),
            DeliveryState::Dropped => ("dropped", "failed"),
        };
        let is_pending = event.state == DeliveryState::Pending;
        let answer = match event.drop_reason.as_deref() {
            Some(reason) => reason.replace('_', " "),
            None => result(event.status, event.error.as_deref()),
        };
        Self {
            id: event.id.encode(),
            kind: event.kind.clone(),
            at: ConsoleTime::of(event.created_at),
            attempts: event.attempts,
            state,
            class,
            answer,
            due: is_pending.then(|| due(event.next_at, now)),
        }
    }
}

/// Describes the result of an attempt.
fn result(status: Option<i64>, error: Option<&str>) -> String {
    match (status, error) {
        (Some(status), _) => status.to_string(),
        (None, Some(error)) => error.replace('_', " "),
        (None, None) => String::new(),
    }
}

/// Describes when something is due.
fn due(at: Timestamp, now: Timestamp) -> String {
    match at.since(now) {
        Duration::ZERO => "now".to_owned(),
        left => format!("in {}", span(left)),
    }
}

/// Describes an injected failure and the number of delivery attempts to which it applies.
fn describe((failure, left): (InjectedFailure, u32)) -> String {
    let which = match left {
        1 => "The next delivery attempt".to_owned(),
        _ => format!("The next {left} delivery attempts"),
    };
    match failure {
        InjectedFailure::Status(status) => {
            format!("{which} will be answered with {status}, without calling the app.")
        }
        InjectedFailure::Delay(delay) => {
            format!("{which} will call the app, and its response is delayed by {}.", span(delay))
        }
        InjectedFailure::Cut => {
            format!("{which} will call the app, and the connection is cut before the response arrives.")
        }
    }
}

fn failures(console: &Console) -> Result<&InjectedFailures, PageError> {
    console.world().injected_failures.as_ref().ok_or_else(PageError::not_found)
}

/// GET /console/events.
pub(super) async fn list(console: &Console, context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let apps = Apps::read(console, caller, context.parameter("app")).await?;
    let before = context.parameter("before");
    let position =
        before.split_once('.').and_then(|(at, id)| Some((Timestamp(at.parse().ok()?), EventId::parse(id)?)));
    let mut events = match &apps.chosen {
        Some(app) => caller.operator()?.inspect_events(app.id, position, READ).await?,
        None => Vec::new(),
    };
    let more = events.len() > PER_PAGE;
    events.truncate(PER_PAGE);
    let next =
        events.last().filter(|_| more).map(|last| format!("{}.{}", last.created_at.0, last.id.encode()));
    let now = console.world().clock.now();
    let app = apps.chosen.as_ref();
    let list = EventList {
        app: app.map(|app| app.id.encode()).unwrap_or_default(),
        rows: events.iter().map(|event| EventRow::new(event, now)).collect(),
        failure: app.and_then(|app| failures(console).ok()?.left(app.id)).map(describe),
        next,
        is_first: position.is_none(),
    };
    let live = LivePart::render(&list)?;
    if let Some(answer) = live.answer(context) {
        return Ok(answer);
    }
    let (frame, shell) = ConsoleShell::new(console, context, "Events", PATH);
    let app = apps.chosen.map(|app| ChosenApp { id: app.id.encode(), callback_url: app.callback_url });
    let page = EventsPage { frame, shell, live, choices: apps.choices, is_cut: apps.is_cut, app };
    answer::client_page(StatusCode::OK, &page)
}

#[derive(Template)]
#[template(path = "console/event.html")]
struct EventPage {
    frame: Frame,
    shell: ConsoleShell,
    live: LivePart,
    app: String,
    id: String,
    kind: String,
    at: ConsoleTime,
    body: String,
    raw: String,
    /// Whether content of a deleted message was erased from the body.
    is_erased: bool,
}

#[derive(Template)]
#[template(path = "console/event_live.html")]
struct AttemptList {
    row: EventRow,
    attempts: Vec<AttemptRow>,
}

struct AttemptRow {
    number: i64,
    at: ConsoleTime,
    seconds: i64,
    /// The signature with the app's present secrets. `None` if the body that was signed is no longer stored.
    signature: Option<String>,
    result: String,
    class: &'static str,
    latency: String,
    answer: Option<String>,
    next: Option<String>,
}

/// GET /console/events/{event}.
pub(super) async fn show(console: &Console, context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let operator = caller.operator()?;
    let app = AppId::parse(context.parameter("app")).ok_or_else(PageError::not_found)?;
    let id = context.parts.first().and_then(|id| EventId::parse(id)).ok_or_else(PageError::not_found)?;
    let event = operator.inspect_event(app, id).await?;
    let filter = DeliveryFilter { event_id: Some(id), ..DeliveryFilter::default() };
    let log = operator
        .list_deliveries(Some(app), filter, PageRequest { limit: MAX_ATTEMPTS, cursor: None })
        .await?;
    let secrets = operator.signing_secrets(app).await?;
    let attempt = |it: &DeliveryView| {
        let at = it.at?;
        let status = it.status.and_then(|status| u16::try_from(status).ok());
        Some(AttemptRow {
            number: it.attempt,
            at: ConsoleTime::of(at),
            seconds: at.seconds(),
            signature: event.erased_at.is_none().then(|| secrets.sign(at, &event.body)),
            result: result(it.status, it.error.as_deref()),
            class: if it.state == DeliveryState::Delivered {
                "ok"
            } else {
                status.map_or("failed", |it| match class(it) {
                    "ok" => "refused",
                    class => class,
                })
            },
            latency: it.latency_ms.map(|ms| format!("{ms} ms")).unwrap_or_default(),
            answer: it.answer.clone().filter(|answer| !answer.is_empty()),
            next: it.next_attempt_at.map(|at| ConsoleTime::of(at).clock),
        })
    };
    let row = EventRow::new(&event, console.world().clock.now());
    let live =
        LivePart::render(&AttemptList { row, attempts: log.items.iter().filter_map(attempt).collect() })?;
    if let Some(answer) = live.answer(context) {
        return Ok(answer);
    }
    let (frame, shell) = ConsoleShell::new(console, context, "Event", PATH);
    let page = EventPage {
        frame,
        shell,
        live,
        app: app.encode(),
        id: event.id.encode(),
        kind: event.kind.clone(),
        at: ConsoleTime::of(event.created_at),
        body: pretty(&event.body),
        raw: event.body,
        is_erased: event.erased_at.is_some(),
    };
    answer::client_page(StatusCode::OK, &page)
}

/// POST /console/events: injects a failure into the next delivery attempts, or removes the injected failure.
pub(super) async fn inject_failure(console: &Console, context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let app = caller.operator()?.app(AppId::parse(context.field("app"))).await?;
    let number = |name| context.field(name).parse::<u32>().ok();
    let (failure, count) = match context.field("action") {
        "stop" => (InjectedFailure::Cut, 0),
        "fail" => {
            let count = number("count").filter(|count| (1..=MAX_FAILURES).contains(count));
            let Some(count) = count else {
                return Err(invalid("The number of delivery attempts must be from 1 to 100."));
            };
            (failure(context)?, count)
        }
        _ => return Err(invalid("Choose whether the next delivery attempts fail.")),
    };
    failures(console)?.set(app.id, failure, count);
    let done = if count == 0 { "stopped" } else { "failing" };
    Ok(answer::redirect(&format!("{PATH}?app={}&done={done}", app.id.encode())))
}

fn failure(context: &ConsoleContext) -> Result<InjectedFailure, PageError> {
    match context.field("failure") {
        "status" => match context.field("status").parse() {
            Ok(status @ 300..=599) => Ok(InjectedFailure::Status(status)),
            _ => Err(invalid(
                "The status must be a number from 300 to 599; 200 to 299 would count as delivered.",
            )),
        },
        "delay" => match context.field("seconds").parse() {
            Ok(seconds @ 1..=MAX_DELAY) => Ok(InjectedFailure::Delay(Duration::from_secs(seconds))),
            _ => Err(invalid("The delay must be from 1 to 60 seconds.")),
        },
        "cut" => Ok(InjectedFailure::Cut),
        _ => Err(invalid("Choose a status, a delay or a cut connection.")),
    }
}

fn invalid(message: &'static str) -> PageError {
    PageError::invalid(message)
}

/// POST /console/events/{event}: redelivers the event now.
pub(super) async fn redeliver(context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let id = context.parts.first().map_or("", String::as_str);
    let app = context.field("app");
    caller.operator()?.redeliver(AppId::parse(app), EventId::parse(id)).await?;
    Ok(answer::redirect(&format!("{PATH}/{id}?app={app}&done=redelivered")))
}
