//! The frame around every page: the service's name, the signed-in person and the navigation.

use super::{Pages, visitor::Visitor};
use crate::service::callers::CallerKind;

/// The frame of a page. Templates access it as `frame`.
pub(super) struct Frame {
    /// Window title without the service's name.
    pub(super) title: String,
    pub(super) service: String,
    pub(super) style: String,
    pub(super) icon: String,
    /// The signed-in person. An account may be a person in each of several companies: then this is the person of the
    /// chosen company, or the first person if no company is chosen. `None` in a frame of [`Frame::bare`], and if nobody
    /// is signed in.
    pub(super) person: Option<FramePerson>,
}

/// The signed-in person.
pub(super) struct FramePerson {
    pub(super) name: String,
    pub(super) email: String,
    /// CSRF token for all forms that need no CSRF token of their own. It is valid for the whole session. For example,
    /// the form that signs out uses it.
    pub(super) csrf: String,
    pub(super) links: Vec<FrameLink>,
}

/// A link to a page.
pub(super) struct FrameLink {
    pub(super) path: String,
    pub(super) name: &'static str,
    /// Description for the start page.
    pub(super) about: &'static str,
    pub(super) is_current: bool,
    pub(super) for_admins: bool,
}

const LINKS: [(&str, &str, &str, bool); 6] = [
    (
        "/settings/connections",
        "Connections",
        "See the assistants you have connected, and disconnect them.",
        false,
    ),
    ("/settings/privacy", "Privacy", "Who sees your e-mail address, and which apps may write to you.", false),
    (
        "/admin/assistants",
        "Assistants",
        "Whether assistants may connect, for how long, and which are blocked.",
        true,
    ),
    ("/admin/activity", "Activity", "What assistants did, for whom, and with what result.", true),
    ("/admin/apps", "Apps", "The apps installed in your company and what they may do.", true),
    ("/admin/people", "People", "Accounts: find, deactivate, reactivate, remove, sign out.", true),
];

impl Frame {
    /// Returns a frame without a person. The pages for sign-in, for the consent to an assistant and for the
    /// installation of an app use it. So do the console, and error pages for which there is no `PageContext`.
    pub(super) fn bare(pages: &Pages) -> Self {
        Self {
            title: String::new(),
            service: pages.world.settings.service_name.clone(),
            style: pages.assets.style.clone(),
            icon: pages.assets.icon.clone(),
            person: None,
        }
    }

    /// Returns a frame with navigation and the signed-in person, if there is one. `here` is path and query of the page.
    pub(super) fn full(pages: &Pages, visitor: Option<&Visitor>, here: &str) -> Self {
        let path = here.split('?').next().unwrap_or_default();
        let person = visitor.and_then(|visitor| {
            let shown = visitor.chosen_person().or(visitor.people.first())?;
            let administers = visitor.caller.kind() == CallerKind::Admin;
            let links = LINKS
                .into_iter()
                .filter(|(_, _, _, for_admins)| administers || !for_admins)
                .map(|(link, name, about, for_admins)| FrameLink {
                    path: link.to_owned(),
                    name,
                    about,
                    is_current: link == path,
                    for_admins,
                })
                .collect();
            Some(FramePerson {
                name: shown.name.clone(),
                email: shown.email.clone().unwrap_or_default(),
                csrf: pages.world.csrf_token(&visitor.session, ""),
                links,
            })
        });
        Self { person, ..Self::bare(pages) }
    }

    /// Sets the title.
    #[must_use]
    pub(super) fn titled(self, title: &str) -> Self {
        Self { title: title.to_owned(), ..self }
    }

    /// Returns [`FramePerson::csrf`]; an empty text if the frame has no person.
    pub(super) fn csrf(&self) -> &str {
        self.person.as_ref().map_or("", |person| person.csrf.as_str())
    }

    /// Returns whether the person administers a company.
    pub(super) fn administers(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.links.iter().any(|link| link.for_admins))
    }
}
