//! Renders a [`PageError`] as the response to a request.

use askama::Template;
use poem::{
    Response,
    http::{HeaderValue, header},
};

use super::{
    answer,
    error_page::{PageError, RepeatedForm},
    frame::Frame,
};
use crate::contract::answer::request_id;

#[derive(Template)]
#[template(path = "error_page.html")]
struct ErrorPageTemplate<'a> {
    frame: Frame,
    status: u16,
    title: &'a str,
    message: &'a str,
    retry: Option<(&'a str, &'a str)>,
    repeat: Option<&'a RepeatedForm>,
    request_id: Option<String>,
}

/// Returns the response to an error: a page in `frame`, or a redirect.
pub(super) fn error_response(error: PageError, frame: Frame) -> Response {
    let parts = error.into_parts();
    if let Some(address) = &parts.redirect {
        return answer::redirect(address);
    }
    let id = request_id();
    if let Some(log) = &parts.log {
        tracing::error!(request_id = id, status = parts.status.as_u16(), "{log}");
    }
    let page = ErrorPageTemplate {
        frame: frame.titled(&parts.title),
        status: parts.status.as_u16(),
        title: &parts.title,
        message: &parts.message,
        retry: parts.retry.as_ref().map(|(path, name)| (path.as_str(), *name)),
        repeat: parts.repeat.as_ref(),
        request_id: id,
    };
    let mut response = answer::page(parts.status, &page).unwrap_or_else(|_| parts.status.into());
    let headers = response.headers_mut();
    if let Some(Ok(methods)) = parts.allow.as_deref().map(HeaderValue::from_str) {
        headers.insert(header::ALLOW, methods);
    }
    if let Some(seconds) = parts.retry_after {
        headers.insert(header::RETRY_AFTER, seconds.max(1).into());
    }
    response
}
