//! The sandbox console: pages for developers of bots. They show the requests, events, clock, rate limits and secrets of
//! a sandbox, and send messages as a bot.
//!
//! The console exists only in the environments `sandbox` and `dev`. In production the process has no [`Console`], and
//! the paths of the console return 404. A developer signs in with the operator key or a one-time link
//! ([`console`](crate::service::callers::console)), and then has the rights of the operator.
//!
//! Every page works without scripts. `assets/console.js` refreshes the part of a page that changes. The script requests
//! the address of the page with the header `X-Console-Live` and the entity tag of the part that the page shows. The
//! response is the new part alone, or 304 if the part has not changed.

mod context;
mod conversations;
mod events;
mod facts;
mod live;
mod requests;
mod secrets;
mod shell;
mod sign_in;
mod time;
mod verify;

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use parking_lot::Mutex;
use poem::{
    Endpoint, Request, Response,
    endpoint::BoxEndpoint,
    http::{Method, StatusCode},
};

pub use self::facts::{Fact, FactGroup, SandboxFacts};
use self::{context::ConsoleContext, shell::ConsoleAssets};
use super::{Outcome, Pages, answer, error_page::PageError, error_response::error_response, frame::Frame};
use crate::{api::recorder::Recorder, contract::OperationInfo, service::World};

/// The paths of the pages with their methods. A segment in braces is a parameter.
pub const ROUTES: &[(&str, &[&str])] = &[
    ("/console", &["GET"]),
    ("/console/signin", &["GET", "POST"]),
    ("/console/signout", &["POST"]),
    ("/console/link/{token}", &["GET"]),
    ("/console/requests", &["GET", "POST"]),
    ("/console/requests/{request}", &["GET"]),
    ("/console/events", &["GET", "POST"]),
    ("/console/events/{event}", &["GET", "POST"]),
    ("/console/verify", &["GET", "POST"]),
    ("/console/time", &["GET", "POST"]),
    ("/console/secrets", &["GET"]),
    ("/console/conversations", &["GET", "POST"]),
    ("/console/conversations/curl", &["GET", "POST"]),
];

/// The purpose ([`World::csrf_token`]) of the CSRF tokens of all forms of the console except the sign-in form.
const PURPOSE: &str = "console";

/// With this handle, `switchboard dev` passes the ids and secrets of the sandbox to the running console, and requests
/// one-time links.
#[derive(Debug)]
pub struct ConsoleHandle(Arc<ConsoleState>);

/// The state that [`Console`] and its [`ConsoleHandle`] share.
#[derive(Debug, Default)]
struct ConsoleState {
    facts: std::sync::OnceLock<SandboxFacts>,
    /// The id of the last request by which the console sent a message as a bot, and the text of the message. The page
    /// that shows the response fills its form with this text. The page's address does not contain the text, because the
    /// text can be too long for an address.
    sent_text: Mutex<Option<(String, String)>>,
}

impl ConsoleHandle {
    /// Returns the path of a new one-time link and invalidates the previous link.
    #[must_use]
    pub fn new_link(&self, world: &World) -> String {
        format!("/console/link/{}", world.new_console_link())
    }

    /// Sets the ids and secrets of the sandbox that the console shows. Only the first call has an effect.
    pub fn show(&self, facts: SandboxFacts) {
        let _ = self.0.facts.set(facts);
    }
}

/// The console.
pub struct Console {
    /// Provides the frame, origins, cookies and assets that the console shares with the pages outside the console.
    pages: Pages,
    state: Arc<ConsoleState>,
    recorder: Arc<Recorder>,
    /// The bot API with its middleware, through which the console sends messages.
    bot: BoxEndpoint<'static>,
    /// The operations of the bot API.
    operations: &'static [&'static OperationInfo],
    assets: ConsoleAssets,
}

/// The parts of the process that the console uses.
pub struct ConsoleParts {
    pub recorder: Arc<Recorder>,
    /// The bot API with its middleware, through which the console sends messages.
    pub bot: BoxEndpoint<'static>,
    /// The operations of the bot API.
    pub operations: &'static [&'static OperationInfo],
}

impl Console {
    /// Creates the console and its handle. Call this function only outside production.
    #[must_use]
    pub fn new(world: Arc<World>, parts: ConsoleParts) -> (Self, ConsoleHandle) {
        let state = Arc::<ConsoleState>::default();
        let handle = ConsoleHandle(Arc::clone(&state));
        let ConsoleParts { recorder, bot, operations } = parts;
        let pages = Pages::new(world);
        (Self { pages, state, recorder, bot, operations, assets: ConsoleAssets::new() }, handle)
    }

    /// Returns whether a path is `/console` or below it, even if no page has this path.
    #[must_use]
    pub fn owns(path: &str) -> bool {
        path == "/console" || path.starts_with("/console/")
    }

    const fn world(&self) -> &Arc<World> {
        &self.pages.world
    }

    async fn respond(&self, request: Request) -> Response {
        let path = request.uri().path().to_owned();
        if let Some(asset) = self.assets.find(&path) {
            return asset;
        }
        let Some((route, methods, parts)) = super::find_route(ROUTES, &path) else {
            return self.render_error(PageError::not_found());
        };
        if !methods.contains(&request.method().as_str()) {
            return self.render_error(PageError::method(methods));
        }
        let is_post = *request.method() == Method::POST;
        let mut context = match ConsoleContext::read(self, request, parts).await {
            Ok(context) => context,
            Err(error) => return self.render_error(error),
        };
        let outcome = match (route, is_post) {
            ("/console/signin", false) => sign_in::show(self, &mut context),
            ("/console/signin", true) => sign_in::submit(self, &mut context),
            ("/console/link/{token}", _) => sign_in::follow_link(self, &mut context),
            _ => match context.require_session(self) {
                Ok(()) => self.handle(route, &mut context).await,
                Err(error) => Err(error),
            },
        };
        let response = outcome.unwrap_or_else(|error| self.render_error(error));
        context.finish(response)
    }

    /// Handles a request of a signed-in operator.
    async fn handle(&self, route: &str, context: &mut ConsoleContext) -> Outcome {
        match (route, context.is_post) {
            ("/console", _) => Ok(answer::redirect("/console/requests")),
            ("/console/signout", _) => Ok(sign_in::sign_out(self, context)),
            ("/console/requests", false) => requests::list(self, context),
            ("/console/requests", true) => requests::clear(self),
            ("/console/requests/{request}", _) => requests::show(self, context),
            ("/console/events", false) => events::list(self, context).await,
            ("/console/events", true) => events::inject_failure(self, context).await,
            ("/console/events/{event}", false) => events::show(self, context).await,
            ("/console/events/{event}", true) => events::redeliver(context).await,
            ("/console/verify", false) => verify::show(self, context).await,
            ("/console/verify", true) => verify::verify(self, context).await,
            ("/console/time", false) => time::show(self, context).await,
            ("/console/time", true) => time::change(self, context).await,
            ("/console/conversations", false) => conversations::show(self, context).await,
            ("/console/conversations", true) => conversations::act(self, context).await,
            ("/console/conversations/curl", _) => Ok(conversations::curl(self, context)),
            ("/console/secrets", _) => secrets::show(self, context),
            _ => Err(PageError::not_found()),
        }
    }

    fn render_error(&self, error: PageError) -> Response {
        error_response(error, Frame::bare(&self.pages))
    }
}

impl Endpoint for Console {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        match AssertUnwindSafe(self.respond(request)).catch_unwind().await {
            Ok(response) => Ok(response),
            Err(_panic) => {
                let log = "panic in the console";
                Ok(self.render_error(PageError::server(StatusCode::INTERNAL_SERVER_ERROR, log)))
            }
        }
    }
}
