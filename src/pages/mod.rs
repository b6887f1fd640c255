//! The pages room: what people open in a browser. Signing in, agreeing to an app or an assistant, their own settings,
//! and what admins decide about their company.
//!
//! Rendered on the server, without a line of script: forms and links do everything. Templates stand in `templates/`,
//! the one stylesheet in `assets/`; both are part of the binary. What may be done is decided by the workspace, as for
//! the admin API; this room turns forms into its calls and its answers into pages.
//!
//! A request passes `visit` (who, from where, with what form), then one handler, then `answer` (headers, cookies).
//! Whatever goes wrong becomes a page too, in `trouble`; nothing here answers with the JSON envelope.

mod activity;
mod answer;
mod apps;
mod assets;
mod assistants;
mod authorize;
mod company;
mod connections;
mod form;
mod frame;
mod home;
mod install;
mod moment;
mod next;
mod origin;
mod people;
mod privacy;
mod sign_in;
mod trouble;
mod visit;
mod words;

use std::{panic::AssertUnwindSafe, sync::Arc};

use futures_util::FutureExt;
use poem::{
    Endpoint, Request, Response,
    http::{Method, StatusCode},
};

use self::{assets::Assets, frame::Frame, trouble::Trouble, visit::Visit};
use crate::{room::cookies::Cookies, workspace::World};

/// Every page with its methods. HEAD goes with GET.
pub const ROUTES: &[(&str, &[&str])] = &[
    ("/", &["GET"]),
    ("/signin", &["GET", "POST"]),
    ("/signout", &["POST"]),
    ("/oauth/authorize", &["GET", "POST"]),
    ("/authorize", &["GET"]),
    ("/authorize/consent", &["GET", "POST"]),
    ("/settings", &["GET"]),
    ("/settings/connections", &["GET", "POST"]),
    ("/settings/activity", &["GET"]),
    ("/settings/privacy", &["GET", "POST"]),
    ("/admin", &["GET"]),
    ("/admin/assistants", &["GET", "POST"]),
    ("/admin/activity", &["GET"]),
    ("/admin/apps", &["GET", "POST"]),
    ("/admin/people", &["GET", "POST"]),
];

/// First segments under which everything is a page, so that what is mistyped there is told on a page.
const ROOTS: &[&str] = &["signin", "signout", "authorize", "settings", "admin", "assets"];

/// The pages over one world.
pub struct Pages {
    world: Arc<World>,
    cookies: Cookies,
    /// Origins that are ours: of the bot API's address and of the assistant server's.
    origins: Vec<String>,
    assets: Assets,
}

/// What a handler gives.
type Outcome = Result<Response, Trouble>;

impl Pages {
    /// The room of a world.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        let settings = &world.settings;
        let cookies = Cookies::of(&settings.base_url);
        let ours = [&settings.base_url, &settings.mcp_url];
        let origins = ours.into_iter().filter_map(|url| origin::of_url(url)).collect();
        Self { cookies, origins, assets: Assets::new(), world }
    }

    /// Whether a path is a page's, or would be if there were one.
    #[must_use]
    pub fn owns(path: &str) -> bool {
        let rest = path.strip_prefix('/').unwrap_or(path);
        let (root, below) = rest.split_once('/').unwrap_or((rest, ""));
        let is_api = root == "admin" && (below == "v1" || below.starts_with("v1/"));
        path == "/" || path == "/oauth/authorize" || (ROOTS.contains(&root) && !is_api)
    }

    async fn visit(&self, request: Request) -> Response {
        let path = request.uri().path().to_owned();
        if let Some(asset) = self.assets.find(&path) {
            return match *request.method() {
                Method::GET => asset,
                _ => self.tell(Trouble::method(&["GET"]), None),
            };
        }
        let Some((_, methods)) = ROUTES.iter().find(|(known, _)| *known == path) else {
            return self.tell(Trouble::not_found(), None);
        };
        if !methods.contains(&request.method().as_str()) {
            return self.tell(Trouble::method(methods), None);
        }
        let mut visit = match Visit::read(self, request).await {
            Ok(visit) => visit,
            Err(trouble) => return self.tell(trouble, None),
        };
        let response = match self.handle(&path, &mut visit).await {
            Ok(response) => response,
            Err(trouble) => self.tell(trouble, Some(&visit)),
        };
        visit.finish(response)
    }

    async fn handle(&self, path: &str, visit: &mut Visit) -> Outcome {
        match (path, visit.is_post) {
            ("/", _) => home::show(self, visit),
            ("/signin", false) => sign_in::show(self, visit),
            ("/signin", true) => sign_in::enter(self, visit).await,
            ("/signout", _) => sign_in::leave(self, visit).await,
            ("/oauth/authorize", false) => install::show(self, visit).await,
            ("/oauth/authorize", true) => install::decide(self, visit).await,
            ("/authorize", _) => authorize::begin(self, visit).await,
            ("/authorize/consent", false) => authorize::show(self, visit).await,
            ("/authorize/consent", true) => authorize::decide(self, visit).await,
            ("/settings", _) => Ok(answer::redirect("/settings/connections")),
            ("/settings/connections", false) => connections::show(self, visit).await,
            ("/settings/connections", true) => connections::change(self, visit).await,
            ("/settings/activity", _) => activity::show_own(self, visit).await,
            ("/settings/privacy", false) => privacy::show(self, visit).await,
            ("/settings/privacy", true) => privacy::change(self, visit).await,
            ("/admin", _) => Ok(answer::redirect("/admin/assistants")),
            ("/admin/assistants", false) => assistants::show(self, visit, None).await,
            ("/admin/assistants", true) => assistants::change(self, visit).await,
            ("/admin/activity", _) => activity::show_all(self, visit).await,
            ("/admin/apps", false) => apps::show(self, visit).await,
            ("/admin/apps", true) => apps::change(self, visit).await,
            ("/admin/people", false) => people::show(self, visit).await,
            ("/admin/people", true) => people::change(self, visit).await,
            _ => Err(Trouble::not_found()),
        }
    }

    /// A trouble as its page.
    fn tell(&self, trouble: Trouble, visit: Option<&Visit>) -> Response {
        trouble.answer(visit.map_or_else(|| Frame::bare(self), |visit| Frame::full(self, visit)))
    }
}

impl Endpoint for Pages {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        match AssertUnwindSafe(self.visit(request)).catch_unwind().await {
            Ok(response) => Ok(response),
            Err(panic) => {
                let text = panic.downcast_ref::<&str>().copied();
                let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
                let log = format!("panic: {}", text.unwrap_or("without words"));
                Ok(self.tell(Trouble::server(StatusCode::INTERNAL_SERVER_ERROR, log), None))
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
