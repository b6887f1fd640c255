//! The console's page that moves the test clock, shows the rate limits of a bot, and resets all rate limits.

use std::time::Duration;

use askama::Template;
use poem::http::StatusCode;

use super::{
    Console,
    context::ConsoleContext,
    live::{ConsoleTime, LivePart, latency, span},
    shell::ConsoleShell,
};
use crate::{
    contract::OperationInfo,
    domain::{
        conversation::ConversationKind,
        ids::{AppId, InstallationId, UserId, WorkspaceId},
    },
    pages::{Outcome, answer, error_page::PageError, frame::Frame},
    platform::limits::{BOT_OAUTH, LimitStatus, OperationLimits, SEND, limits_of},
    service::{callers::Caller, companies::CompanyView, paging::PageRequest, sandbox::ClockMove},
};

const PATH: &str = "/console/time";
/// Maximum number of companies whose bots are listed.
const MAX_COMPANIES: u32 = 20;
/// Maximum number of connected installations that are listed for each company.
const MAX_INSTALLATIONS: u32 = 50;
/// Maximum number of conversations whose limits are read.
const MAX_CONVERSATIONS: u32 = 200;

/// The moves of the clock that the page offers: seconds and label.
const MOVES: [(u64, &str); 4] =
    [(60, "1 minute"), (3600, "1 hour"), (24 * 3600, "24 hours"), (30 * 24 * 3600, "30 days")];

/// A bot that can be chosen on the page.
pub(super) struct BotChoice {
    installation: InstallationId,
    workspace: WorkspaceId,
    app: AppId,
    user: UserId,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) is_chosen: bool,
}

impl BotChoice {
    fn new(
        installation: InstallationId,
        (app, app_name): (AppId, &str),
        user: UserId,
        company: &CompanyView,
    ) -> Self {
        Self {
            installation,
            workspace: company.id,
            app,
            user,
            id: installation.encode(),
            name: format!("{app_name} in {}", company.name),
            is_chosen: false,
        }
    }
}

/// The bots to choose from.
pub(super) struct Bots {
    choices: Vec<BotChoice>,
    /// Whether some companies were not read, or have more connected installations than are listed.
    is_cut: bool,
}

/// Lists the newest connected installations of the first [`MAX_COMPANIES`] companies, and chooses at most one:
///
/// - If `wanted` is the id of a connected installation, chooses this installation. Adds it to the list if the list does
///   not contain it.
/// - If `wanted` is empty, chooses the first listed installation of the demo company's app. If none is listed, chooses
///   the first installation of the list.
/// - If `wanted` is any other text, chooses none.
pub(super) async fn bots(console: &Console, caller: &Caller, wanted: &str) -> Result<Bots, PageError> {
    let page = PageRequest { limit: MAX_COMPANIES, cursor: None };
    let companies = caller.operator()?.list_companies(page).await?;
    let mut is_cut = companies.next_cursor.is_some();
    let mut choices = Vec::new();
    for company in &companies.items {
        // reads one installation more than the list shows, to find out whether there are more
        let installed = caller.admin_of(company.id)?.newest_installed_apps(MAX_INSTALLATIONS + 1).await?;
        is_cut |= installed.len() > MAX_INSTALLATIONS as usize;
        let listed = installed.iter().take(MAX_INSTALLATIONS as usize);
        choices.extend(listed.map(|installed| {
            let app = (installed.app_id, installed.name.as_str());
            BotChoice::new(installed.id, app, installed.bot_user_id, company)
        }));
    }
    if !choices.iter().any(|it| it.id == wanted) {
        choices.extend(find(caller, wanted).await?);
    }
    let own = console.state.facts.get().and_then(|facts| facts.app.clone()).unwrap_or_default();
    let chosen = match wanted {
        "" => choices.iter().position(|it| it.app.encode() == own).or(Some(0)),
        wanted => choices.iter().position(|it| it.id == wanted),
    };
    if let Some(bot) = chosen.and_then(|index| choices.get_mut(index)) {
        bot.is_chosen = true;
    }
    Ok(Bots { choices, is_cut })
}

/// Returns the connected installation with an id; `None` if there is no such installation.
async fn find(caller: &Caller, id: &str) -> Result<Option<BotChoice>, PageError> {
    let Some(id) = InstallationId::parse(id) else { return Ok(None) };
    let found = caller.operator()?.find_installation(id).await?;
    let Some(found) = found.filter(|found| found.connected) else { return Ok(None) };
    let app = caller.operator()?.app(Some(found.app_id)).await?;
    let company = caller.admin_of(found.workspace_id)?.company().await?;
    Ok(Some(BotChoice::new(found.id, (app.id, &app.name), found.bot_user_id, &company)))
}

#[derive(Template)]
#[template(path = "console/time.html")]
struct TimePage {
    frame: Frame,
    shell: ConsoleShell,
    live: LivePart,
    can_move: bool,
    moves: &'static [(u64, &'static str)],
    bots: Vec<BotChoice>,
    /// Whether there may be more bots than are listed.
    is_cut: bool,
    /// The parameter `bot` of the query: an installation id, or empty. The page's forms contain this value, so that the
    /// next page shows the same bot.
    named_bot: String,
}

#[derive(Template)]
#[template(path = "console/time_live.html")]
struct TimeList {
    now: ConsoleTime,
    offset: Option<String>,
    /// The name of the chosen bot; `None` if no bot is chosen.
    bot: Option<String>,
    groups: Vec<LimitGroup>,
}

struct LimitGroup {
    title: &'static str,
    rows: Vec<LimitRow>,
}

struct LimitRow {
    name: String,
    left: u32,
    limit: u32,
    rule: String,
    /// When the limit will allow more requests than now; `None` if the limit is unused.
    more: Option<String>,
}

impl LimitRow {
    fn new(name: impl Into<String>, status: &LimitStatus, rule: String) -> Self {
        Self {
            name: name.into(),
            left: status.remaining,
            limit: status.limit,
            rule,
            more: (!status.reset_after.is_zero()).then(|| match status.reset_after.as_secs() {
                0 => "in less than a second".to_owned(),
                _ => format!("in {}", span(status.reset_after)),
            }),
        }
    }

    fn window(name: &str, status: &LimitStatus) -> Self {
        Self::new(name, status, format!("{} in {}", status.limit, span(status.per)))
    }

    fn rate(name: impl Into<String>, status: &LimitStatus) -> Self {
        let each = status.per / status.limit.max(1);
        let every = if each < Duration::from_secs(1) { latency(each) } else { span(each) };
        Self::new(name, status, format!("bursts of {}, one more every {every}", status.limit))
    }
}

/// GET /console/time.
pub(super) async fn show(console: &Console, context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let Bots { choices: bots, is_cut } = bots(console, caller, context.parameter("bot")).await?;
    let bot = bots.iter().find(|bot| bot.is_chosen);
    let reading = caller.operator()?.clock_reading();
    let list = TimeList {
        now: ConsoleTime::of(reading.now),
        offset: (!reading.offset.is_zero()).then(|| span(reading.offset)),
        bot: bot.map(|bot| bot.name.clone()),
        groups: match bot {
            Some(bot) => limits(console, caller, bot).await?,
            None => Vec::new(),
        },
    };
    let live = LivePart::render(&list)?;
    if let Some(answer) = live.answer(context) {
        return Ok(answer);
    }
    let (frame, shell) = ConsoleShell::new(console, context, "Time and limits", PATH);
    let can_move = console.world().settings.test_clock;
    let named_bot = context.parameter("bot").to_owned();
    let page = TimePage { frame, shell, live, can_move, moves: &MOVES, bots, is_cut, named_bot };
    answer::client_page(StatusCode::OK, &page)
}

/// Reads the current state of a bot's rate limits, without counting a request.
async fn limits(console: &Console, caller: &Caller, bot: &BotChoice) -> Result<Vec<LimitGroup>, PageError> {
    let (world, now) = (console.world(), console.world().clock.now());
    let peek = |rate| world.limits.peek_all(&[rate], now).into_iter().next();
    let mut sending: Vec<_> = [
        ("Requests to send", peek(SEND.requests.key_and_counter(bot.installation))),
        ("Messages in all", peek(SEND.installation.key_and_counter(bot.installation))),
    ]
    .into_iter()
    .filter_map(|(name, status)| Some(LimitRow::rate(name, &status?)))
    .collect();
    let page = PageRequest { limit: MAX_CONVERSATIONS, cursor: None };
    for conversation in caller.admin_of(bot.workspace)?.list_all_conversations(page).await?.items {
        let Some(status) = peek(SEND.destination.key_and_counter((bot.user, conversation.id))) else {
            continue;
        };
        if status.remaining < status.limit {
            let id = conversation.id.encode(conversation.kind);
            let name = match conversation.kind {
                ConversationKind::Dm => format!("Messages to {id}"),
                _ => format!("Messages to {}", conversation.name.unwrap_or(id)),
            };
            sending.push(LimitRow::rate(name, &status));
        }
    }
    let mut operations = Vec::new();
    for operation in console.operations.iter().copied() {
        operations.extend(operation_limit(console, bot, operation).await);
    }
    Ok(vec![
        LimitGroup { title: "Sending", rows: sending },
        LimitGroup { title: "Each operation", rows: operations },
    ])
}

async fn operation_limit(
    console: &Console,
    bot: &BotChoice,
    operation: &'static OperationInfo,
) -> Option<LimitRow> {
    let (limits, now) = (&console.world().limits, console.world().clock.now());
    let status = match limits_of(operation.limit) {
        OperationLimits::Bot(limit) => {
            let limit = limit.of(operation.id);
            limits.peek(limit.counter, limit.key(bot.installation), now).status
        }
        OperationLimits::BotOauth(_) => {
            let limit = BOT_OAUTH.app.of(operation.id);
            limits.peek_exact(limit.counter, limit.key(bot.app), now).await.status
        }
        _ => return None,
    };
    Some(LimitRow::window(operation.id, &status))
}

/// POST /console/time: moves the clock, resets the clock, or resets the rate limits.
pub(super) async fn change(console: &Console, context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let operator = caller.operator()?;
    if context.field("action") == "reset_limits" {
        operator.reset_limits().await?;
        return Ok(answer::redirect(&path_after(context, "limits")));
    }
    if !console.world().settings.test_clock {
        return Err(PageError::invalid("The clock of this server cannot be moved: test_clock is not set."));
    }
    let by = match (context.field("action"), context.field("seconds").parse()) {
        ("reset", _) => ClockMove::Reset,
        ("advance", Ok(seconds)) if MOVES.iter().any(|(known, _)| *known == seconds) => {
            ClockMove::Advance(Duration::from_secs(seconds))
        }
        _ => return Err(PageError::invalid("Choose one of the moves.")),
    };
    operator.move_clock(by).await?;
    let done = if by == ClockMove::Reset { "reset" } else { "moved" };
    Ok(answer::redirect(&path_after(context, done)))
}

/// Returns the path to which a form of this page redirects: this page, with the bot that the form names.
fn path_after(context: &ConsoleContext, done: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("done", done);
    let bot = context.field("bot");
    if !bot.is_empty() {
        query.append_pair("bot", bot);
    }
    format!("{PATH}?{}", query.finish())
}
