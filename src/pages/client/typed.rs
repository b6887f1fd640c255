//! Forms with a text that a person has typed. A form that is refused before its own checks, or after an error of the
//! server, is shown again on the error page with the text. [`posting`](super::posting) and [`drafts`](super::drafts)
//! show a form that their checks refuse on its own page.

use super::posting::text_of;
use crate::pages::{FILE_FORM, context::PageContext, error_page::RepeatedForm};

const EDIT: &str = "/c/{conversation}/{message}/edit";
const DRAFT: &str = "/drafts/{draft}";

/// Returns whether the form of a route has a typed text.
pub(in crate::pages) fn has_text(route: &str) -> bool {
    [FILE_FORM, EDIT, DRAFT].contains(&route)
}

/// Returns the submitted form of a route with its typed text and without its files, to send it again. `None` without a
/// text, for other routes, and if the script sent the form, because the script keeps the text.
pub(in crate::pages) fn form(route: &str, context: &PageContext) -> Option<RepeatedForm> {
    let text = text_of(&context.form);
    if text.is_empty() || context.is_by_script {
        return None;
    }
    let part = |at: usize| context.parts.get(at).map_or("", String::as_str);
    let (path, fields): (_, &[&'static str]) = match route {
        FILE_FORM => (format!("/c/{}/messages", part(0)), &["client_key", "thread_id"]),
        EDIT => (format!("/c/{}/{}/edit", part(0), part(1)), &[]),
        DRAFT => (format!("/drafts/{}", part(0)), &["version", "decision"]),
        _ => return None,
    };
    let value = |name: &&'static str| Some((*name, context.form.filled(name)?.to_owned()));
    Some(RepeatedForm {
        path,
        fields: fields.iter().filter_map(value).collect(),
        text: Some(text),
        takes_files: route == FILE_FORM,
    })
}
