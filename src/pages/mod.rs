//! Pages for browsers: the web client, sign-in, approval of apps and assistants, personal settings, company
//! administration, and the sandbox console.
//!
//! Pages are rendered on the server and work without scripts, by forms and links. The web client and the console also
//! have a script. Templates are in `templates/`, stylesheets and scripts in `assets/`; both are compiled into the
//! binary. Business rules are in `service`, as for the APIs. The handlers convert forms to calls of the service layer,
//! and results to pages.
//!
//! `context` parses a request (session, origin, form), and adds the cookies to the response. `answer` sets the response
//! headers. `error_response` renders errors as pages.

mod activity;
mod agreement;
mod answer;
mod apps;
mod assets;
mod assistants;
mod authorize;
mod client;
mod company;
mod confirm;
mod connections;
pub mod console;
mod context;
mod error_page;
mod error_response;
mod form;
mod frame;
mod install;
mod labels;
mod local_time;
pub mod multipart;
pub mod next;
mod origin;
mod people;
mod privacy;
mod sign_in;
mod visitor;

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use poem::{
    Endpoint, Request, Response,
    http::{Method, StatusCode},
};

use self::{
    assets::Assets, context::PageContext, error_page::PageError, error_response::error_response, frame::Frame,
};
use crate::{api::cookies::Cookies, service::World};

/// All pages except those of the console ([`console::ROUTES`]), with their methods. A segment in braces is a parameter.
/// The first matching route is used, so a route with a fixed segment must precede a route with a parameter in the same
/// position. A page with GET also supports HEAD.
pub const ROUTES: &[(&str, &[&str])] = &[
    ("/", &["GET"]),
    ("/start", &["GET"]),
    ("/company", &["POST"]),
    ("/conversations", &["GET"]),
    ("/conversations/new", &["GET", "POST"]),
    ("/people", &["GET"]),
    ("/people/{user}", &["GET"]),
    ("/dm", &["POST"]),
    ("/search", &["GET"]),
    ("/c/{conversation}/join", &["POST"]),
    ("/signin", &["GET", "POST"]),
    ("/signout", &["POST"]),
    (INSTALL_PAGE, &["GET", "POST"]),
    ("/authorize", &["GET"]),
    ("/authorize/consent", &["GET", "POST"]),
    ("/settings", &["GET"]),
    ("/settings/connections", &["GET", "POST"]),
    ("/settings/activity", &["GET"]),
    ("/settings/privacy", &["GET", "POST"]),
    ("/conversations/live", &["GET"]),
    ("/c/{conversation}/live", &["GET"]),
    ("/admin", &["GET"]),
    ("/admin/assistants", &["GET", "POST"]),
    ("/admin/activity", &["GET"]),
    ("/admin/apps", &["GET", "POST"]),
    ("/admin/people", &["GET", "POST"]),
    ("/c/{conversation}", &["GET"]),
    ("/c/{conversation}/messages", &["POST"]),
    ("/c/{conversation}/read", &["POST"]),
    ("/c/{conversation}/files/{file}", &["GET"]),
    ("/c/{conversation}/{message}", &["GET"]),
    ("/c/{conversation}/{message}/edit", &["POST"]),
    ("/c/{conversation}/{message}/delete", &["POST"]),
    ("/c/{conversation}/{message}/actions", &["POST"]),
    ("/drafts", &["GET"]),
    ("/drafts/{draft}", &["GET", "POST"]),
];

/// The only page below `/oauth/`. All other paths there belong to the bot API.
const INSTALL_PAGE: &str = "/oauth/authorize";

/// The route whose form may contain files.
const FILE_FORM: &str = "/c/{conversation}/messages";

/// The route of the form that marks messages as read. Open browser windows submit this form by themselves.
const READ_FORM: &str = "/c/{conversation}/read";

/// The route of links to files. Browsers request such links by themselves, for the images of a conversation.
const FILE_LINK: &str = "/c/{conversation}/files/{file}";

/// First path segments that belong to pages, except that `/admin/v1` belongs to the admin API. An unknown path below
/// one of the segments returns an error page.
const ROOTS: &[&str] = &[
    "signin",
    "signout",
    "authorize",
    "settings",
    "admin",
    "assets",
    "start",
    "company",
    "conversations",
    "c",
    "people",
    "dm",
    "search",
    "drafts",
];

/// A route with its methods, and the values of its parameters in order.
type FoundRoute = (&'static str, &'static [&'static str], Vec<String>);

/// Returns the route of a path.
fn find_route(routes: &[(&'static str, &'static [&'static str])], path: &str) -> Option<FoundRoute> {
    routes.iter().find_map(|&(route, methods)| {
        let mut values = Vec::new();
        let (mut given, mut known) = (path.split('/'), route.split('/'));
        loop {
            match (given.next(), known.next()) {
                (None, None) => return Some((route, methods, values)),
                (Some(given), Some(known)) if given == known => {}
                (Some(given), Some(known)) if known.starts_with('{') && !given.is_empty() => {
                    values.push(given.to_owned());
                }
                _ => return None,
            }
        }
    })
}

/// The pages.
pub struct Pages {
    world: Arc<World>,
    cookies: Cookies,
    /// The origins of this server: the origin of the base URL, and the origin of the MCP URL.
    origins: Vec<String>,
    assets: Assets,
    /// Counts the requests with [`FILE_FORM`] whose bodies the server is receiving.
    open_forms: client::open_forms::OpenForms,
}

/// Result of a handler.
type Outcome = Result<Response, PageError>;

impl Pages {
    /// Creates the pages.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        let settings = &world.settings;
        let cookies = Cookies::of(&settings.base_url);
        let ours = [&settings.base_url, &settings.mcp_url];
        let origins = ours.into_iter().filter_map(|url| origin::of_url(url)).collect();
        Self {
            cookies,
            origins,
            assets: Assets::new(),
            open_forms: client::open_forms::OpenForms::default(),
            world,
        }
    }

    /// Returns whether the pages, and not an API, respond to a path. This includes paths such as `/signin/x`, to which
    /// the response is an error page.
    #[must_use]
    pub fn owns(path: &str) -> bool {
        let rest = path.strip_prefix('/').unwrap_or(path);
        let (root, below) = rest.split_once('/').unwrap_or((rest, ""));
        let is_api = root == "admin" && (below == "v1" || below.starts_with("v1/"));
        path == "/" || path == INSTALL_PAGE || (ROOTS.contains(&root) && !is_api)
    }

    async fn respond(&self, request: Request) -> Response {
        let path = request.uri().path().to_owned();
        if let Some(asset) = self.assets.find(&path) {
            return match *request.method() {
                Method::GET => asset,
                _ => self.render_error(PageError::method(&["GET"]), None),
            };
        }
        let Some((route, methods, parts)) = find_route(ROUTES, &path) else {
            return self.render_error(PageError::not_found(), None);
        };
        if !methods.contains(&request.method().as_str()) {
            return self.render_error(PageError::method(methods), None);
        }
        if route == INSTALL_PAGE
            && let Err(error) = install::refuse_token(request.uri().query().unwrap_or_default())
        {
            return self.render_error(error, None);
        }
        let is_by_script = context::is_by_script(request.headers());
        let for_client = |error: PageError| if is_by_script { error.for_script() } else { error };
        let mut context = match PageContext::read(self, request, parts, route).await {
            Ok(context) => context,
            Err(error) => return self.render_error(for_client(error), None),
        };
        let response = match self.handle(route, &mut context).await {
            Ok(response) => response,
            Err(error) => {
                let error = for_client(error.returning_to(&context.here));
                let error = error.with_typed_form(context.typed_form(route));
                self.render_error(error, Some(&context))
            }
        };
        context.finish(response)
    }

    async fn handle(&self, route: &str, context: &mut PageContext) -> Outcome {
        if let Some(error) = context.refused.take() {
            // the error page contains the typed text
            client::posting::read_typed_text(self, context).await;
            return Err(error);
        }
        match (route, context.is_post) {
            ("/", _) => client::home::show(self, context).await,
            ("/company", _) => client::home::choose_company(self, context).await,
            ("/start", _) => client::home::start(self, context).await,
            ("/conversations", _) => client::conversations::show(self, context).await,
            ("/conversations/new", false) => client::new_conversation::show(self, context).await,
            ("/conversations/new", true) => client::new_conversation::create(self, context).await,
            ("/people", _) => client::people::show(self, context).await,
            ("/people/{user}", _) => client::people::profile(self, context).await,
            ("/dm", _) => client::people::open_direct(self, context).await,
            ("/search", _) => client::search::show(self, context).await,
            ("/c/{conversation}/join", _) => client::conversations::join(self, context).await,
            ("/signin", false) => sign_in::show(self, context),
            ("/signin", true) => sign_in::submit(self, context).await,
            ("/signout", _) => sign_in::sign_out(self, context).await,
            (INSTALL_PAGE, false) => install::show(self, context).await,
            (INSTALL_PAGE, true) => install::decide(self, context).await,
            ("/authorize", _) => authorize::begin(self, context).await,
            ("/authorize/consent", false) => authorize::show(self, context).await,
            ("/authorize/consent", true) => authorize::decide(self, context).await,
            ("/settings", _) => Ok(answer::redirect("/settings/connections")),
            ("/settings/connections", false) => connections::show(self, context).await,
            ("/settings/connections", true) => connections::change(self, context).await,
            ("/settings/activity", _) => activity::show_own(self, context).await,
            ("/settings/privacy", false) => privacy::show(self, context).await,
            ("/settings/privacy", true) => privacy::change(self, context).await,
            ("/conversations/live", _) => client::live::list(self, context).await,
            ("/c/{conversation}/live", _) => client::live::conversation(self, context).await,
            ("/admin", _) => Ok(answer::redirect("/admin/assistants")),
            ("/admin/assistants", false) => assistants::show(self, context, None).await,
            ("/admin/assistants", true) => assistants::change(self, context).await,
            ("/admin/activity", _) => activity::show_all(self, context).await,
            ("/admin/apps", false) => apps::show(self, context).await,
            ("/admin/apps", true) => apps::change(self, context).await,
            ("/admin/people", false) => people::show(self, context).await,
            ("/admin/people", true) => people::change(self, context).await,
            ("/c/{conversation}", _) => client::conversation::show(self, context).await,
            ("/c/{conversation}/messages", _) => client::posting::post(self, context).await,
            ("/c/{conversation}/read", _) => client::posting::mark_as_read(self, context).await,
            ("/c/{conversation}/files/{file}", _) => client::posting::open_file(self, context).await,
            ("/c/{conversation}/{message}/edit", _) => client::posting::edit(self, context).await,
            ("/c/{conversation}/{message}/delete", _) => client::posting::delete(self, context).await,
            ("/c/{conversation}/{message}", _) => client::conversation::show_message(self, context).await,
            ("/c/{conversation}/{message}/actions", _) => client::press::press(self, context).await,
            ("/drafts", _) => client::drafts::show(self, context).await,
            ("/drafts/{draft}", false) => client::drafts::show_one(self, context).await,
            ("/drafts/{draft}", true) => client::drafts::decide(self, context).await,
            _ => Err(PageError::not_found()),
        }
    }

    fn render_error(&self, error: PageError, context: Option<&PageContext>) -> Response {
        let frame = context.map_or_else(|| Frame::bare(self), |context| context.frame(self));
        error_response(error, frame)
    }
}

impl Endpoint for Pages {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        match AssertUnwindSafe(self.respond(request)).catch_unwind().await {
            Ok(response) => Ok(response),
            Err(panic) => {
                let text = panic.downcast_ref::<&str>().copied();
                let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
                let log = format!("panic: {}", text.unwrap_or("without a message"));
                Ok(self.render_error(PageError::server(StatusCode::INTERNAL_SERVER_ERROR, log), None))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_apis_do_not_overlap() {
        for path in
            ["/", "/signin", "/signin/x", "/oauth/authorize", "/settings/x", "/admin", "/admin/people"]
        {
            assert!(Pages::owns(path), "{path}");
        }
        for path in [
            "/v1/users",
            "/oauth/token",
            "/oauth/authorize/",
            "/admin/v1",
            "/admin/v1/sessions",
            "/administer",
            "/docs",
            "",
        ] {
            assert!(!Pages::owns(path), "{path}");
        }
        assert!(ROUTES.iter().all(|(path, _)| Pages::owns(path)));
    }
}
