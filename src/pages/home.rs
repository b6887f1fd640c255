//! The start page: where somebody may go from here.

use askama::Template;
use poem::http::StatusCode;

use super::{Outcome, Pages, answer, company, frame::Frame, visit::Visit};

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    frame: Frame,
    greeting: String,
    places: Vec<Place>,
}

/// Somebody's part in a company.
struct Place {
    company: String,
    role: &'static str,
}

/// GET /.
pub(super) fn show(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let places = visitor
        .personas
        .iter()
        .map(|persona| Place {
            company: persona.company.clone(),
            role: match persona {
                _ if company::is_admin(persona) => "Admin",
                _ if persona.is_external => "Guest",
                _ => "Employee",
            },
        })
        .collect();
    let page = HomePage {
        frame: Frame::full(pages, visit).titled("Start"),
        greeting: visitor.personas.first().map(|persona| persona.name.clone()).unwrap_or_default(),
        places,
    };
    answer::page(StatusCode::OK, &page)
}
