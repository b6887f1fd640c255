//! The common parts of the console's pages, and the console's stylesheet and script.

use bytes::Bytes;
use poem::Response;

use super::{Console, context::ConsoleContext};
use crate::{
    api::assets::asset_path,
    pages::{assets, frame::Frame},
};

const STYLE: &str = include_str!("../../../assets/console.css");
const SCRIPT: &str = include_str!("../../../assets/console.js");

/// The paths and names of the pages, in the order of the navigation.
const LINKS: [(&str, &str); 6] = [
    ("/console/conversations", "Conversations"),
    ("/console/requests", "Requests"),
    ("/console/events", "Events"),
    ("/console/verify", "Verify"),
    ("/console/time", "Time and limits"),
    ("/console/secrets", "Secrets"),
];

/// The common parts of the console's pages for a signed-in operator. Templates access them as `shell`.
pub(super) struct ConsoleShell {
    pub(super) style: String,
    pub(super) script: String,
    pub(super) csrf: String,
    pub(super) links: Vec<ShellLink>,
    /// How far the clock is ahead of real time; `None` if the clock was not moved.
    pub(super) ahead: Option<String>,
    /// The sentence that confirms what a submitted form did.
    pub(super) done: Option<&'static str>,
}

/// A link of the navigation.
pub(super) struct ShellLink {
    pub(super) path: &'static str,
    pub(super) name: &'static str,
    pub(super) is_current: bool,
}

/// The sentences that confirm what the forms of the console did, by the value of the parameter `done`.
const DONE: [(&str, &str); 7] = [
    ("moved", "The clock was moved, and the work that became due was done."),
    ("reset", "The clock shows real time again."),
    ("limits", "All rate limits were reset."),
    ("cleared", "The list of requests was cleared."),
    ("failing", "The next delivery attempts fail as you chose."),
    ("stopped", "Events are delivered normally."),
    ("redelivered", "The event is due now, and its retry schedule starts again."),
];

impl ConsoleShell {
    /// Returns the frame and the shell of the page with this title. `here` is the path of the navigation's link to the
    /// page.
    pub(super) fn new(console: &Console, context: &ConsoleContext, title: &str, here: &str) -> (Frame, Self) {
        let world = console.world();
        let session = context.session_hash().unwrap_or_default();
        let offset = world.clock.offset();
        let done = context.parameter("done");
        let shell = Self {
            style: console.assets.style.clone(),
            script: console.assets.script.clone(),
            csrf: world.csrf_token(&session, super::PURPOSE),
            links: LINKS
                .into_iter()
                .map(|(path, name)| ShellLink { path, name, is_current: path == here })
                .collect(),
            ahead: (!offset.is_zero()).then(|| super::live::span(offset)),
            done: DONE.iter().find(|(name, _)| *name == done).map(|(_, text)| *text),
        };
        (Frame::bare(&console.pages).titled(&format!("{title} · Console")), shell)
    }
}

/// Returns the path of the stylesheet, for pages without a shell.
pub(super) fn style_only(console: &Console) -> String {
    console.assets.style.clone()
}

/// The paths of the console's stylesheet and script. Each path contains a hash of the file's content, so browsers may
/// cache the file for a year.
pub(super) struct ConsoleAssets {
    style: String,
    script: String,
}

impl ConsoleAssets {
    pub(super) fn new() -> Self {
        const NAME: &str = "/console/assets/console";
        Self {
            style: asset_path(NAME, "css", STYLE.as_bytes()),
            script: asset_path(NAME, "js", SCRIPT.as_bytes()),
        }
    }

    /// Returns the response with the asset at a path; `None` if no asset has this path.
    pub(super) fn find(&self, path: &str) -> Option<Response> {
        let assets = [
            (&self.style, "text/css; charset=utf-8", Bytes::from_static(STYLE.as_bytes())),
            (&self.script, "text/javascript; charset=utf-8", Bytes::from_static(SCRIPT.as_bytes())),
        ];
        assets::respond(path, assets)
    }
}
