//! Handles addresses of objects in another company of the visitor. A visitor can belong to several companies. Their
//! session has chosen one of these companies, and the web client shows the objects of the chosen company.

use crate::{
    domain::ids::{FileId, UserId},
    pages::{Pages, context::PageContext, error_page::PageError},
    service::{Error, callers::Person, conversations::NamedConversation, web_client::reading::PageWindow},
};

/// The object that an address names.
#[derive(Clone, Copy)]
pub(super) enum NamedObject {
    Conversation(NamedConversation, PageWindow),
    File(NamedConversation, Option<FileId>),
    Person(Option<UserId>),
}

/// Searches the visitor's other companies for the object `named`. `person` is the visitor in the chosen company. If the
/// visitor sees the object in another company, returns an error page with a form. The form chooses that company, and
/// then opens the path `next`. Returns `None` if the visitor sees the object in no other company. If the store fails,
/// returns the error page for the failure.
///
/// Anybody can make a person follow a link. So opening the address does not change the chosen company; the visitor has
/// to send the form.
pub(super) async fn offer(
    pages: &Pages,
    context: &PageContext,
    person: Person<'_>,
    named: NamedObject,
    next: &str,
) -> Option<PageError> {
    let visitor = context.visitor().ok()?;
    let others = visitor.people.iter().filter(|own_person| own_person.user_id != person.user_id());
    for own_person in others {
        let Ok(other) = visitor.caller.person_in(own_person.workspace_id) else { continue };
        let shown = match named {
            NamedObject::Conversation(id, window) => {
                other.read_conversation(id, window).await.map(|page| Some(other.shown(&page)))
            }
            NamedObject::File(id, file) => other.file_link_in(id, file).await.map(|(_, shown)| Some(shown)),
            NamedObject::Person(id) => other.profile(id).await.map(|_| None),
        };
        let shown = match shown {
            Ok(shown) => shown,
            Err(Error::Refused(_)) => continue,
            Err(error) => return Some(error.into()),
        };
        if let Some(shown) = shown {
            context.confirm_conversation(pages, shown);
        }
        return Some(PageError::in_other_company(&own_person.company, own_person.workspace_id, next));
    }
    None
}
