//! The shell of the web client's pages: a header with the person's menu, and a sidebar with the person's conversations.

use crate::{
    domain::{conversation::ConversationKind, ids::ConversationId, token},
    pages::{Pages, company, context::PageContext, error_page::PageError, frame::Frame, visitor::Visitor},
    platform::secrets::hex,
    service::{callers::Person, people::OwnPerson, web_client::conversations::ConversationEntry},
};

/// Maximum number of conversations that the sidebar lists: those with the newest messages. In addition, the sidebar
/// lists the open conversation, and the group of each listed channel.
const SIDEBAR_SIZE: usize = 60;

/// Links in the header of the pages of the web client: path and name.
const LINKS: [(&str, &str); 4] = [
    ("/conversations", "Conversations"),
    ("/people", "People"),
    ("/search", "Search"),
    ("/drafts", "Drafts"),
];

/// The shell of a page of the web client. Templates that extend `client/base.html` access it as `shell`.
pub(in crate::pages) struct ClientShell {
    pub(in crate::pages) frame: Frame,
    /// Path of the stylesheet.
    pub(in crate::pages) style: String,
    /// Path of the script.
    pub(in crate::pages) script: String,
    /// The company's name.
    pub(in crate::pages) company: String,
    /// The companies of the account, between which the visitor can switch; empty if there is only one.
    pub(in crate::pages) companies: Vec<company::SwitchableCompany>,
    /// The person's id.
    pub(in crate::pages) me: String,
    /// A hash of the session and of the company that the session has chosen. A page about another company, such as the
    /// page of a draft, has the same hash. The script compares the hash with the hash of a page that it loads later, to
    /// detect another sign-in or another chosen company. The hash does not reveal the session's token.
    pub(in crate::pages) sign_in: String,
    /// Whether the session has chosen a company, or the account has only one. Without a chosen company, the web client
    /// shows only the pages of single drafts (`/drafts/{draft}`). Its other pages and its event streams redirect to the
    /// choice of a company.
    pub(in crate::pages) has_chosen: bool,
    /// Path and query of the page that the script opens instead of reloading this page. `Some` only if this page is the
    /// response to a form, because a reload would submit the form again.
    pub(in crate::pages) page_of_form: Option<String>,
    /// The person's name.
    pub(in crate::pages) person: String,
    /// First letter of the person's name, in upper case.
    pub(in crate::pages) initial: String,
    pub(in crate::pages) email: String,
    pub(in crate::pages) links: Vec<ClientLink>,
    pub(in crate::pages) sidebar: Sidebar,
    /// Whether the page is a conversation. Such a page has a link to the list of conversations, because phones show no
    /// sidebar.
    pub(in crate::pages) is_conversation: bool,
}

/// A link to a page.
pub(in crate::pages) struct ClientLink {
    pub(in crate::pages) path: &'static str,
    pub(in crate::pages) name: &'static str,
    pub(in crate::pages) is_current: bool,
}

/// The person's conversations beside a page. Both lists are sorted by the newest message, newest first. If the
/// open conversation is not among the [`SIDEBAR_SIZE`] conversations with the newest messages, it is last in its list.
#[derive(Default)]
pub(in crate::pages) struct Sidebar {
    pub(in crate::pages) groups: Vec<SideGroup>,
    pub(in crate::pages) direct: Vec<SideItem>,
}

impl Sidebar {
    /// Returns whether the sidebar has no conversation.
    pub(in crate::pages) fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.direct.is_empty()
    }
}

/// A group with its channels.
pub(in crate::pages) struct SideGroup {
    pub(in crate::pages) head: SideItem,
    pub(in crate::pages) channels: Vec<SideItem>,
}

/// A conversation of the sidebar.
pub(in crate::pages) struct SideItem {
    pub(in crate::pages) id: String,
    pub(in crate::pages) path: String,
    pub(in crate::pages) name: String,
    /// `group`, `channel` or `dm`.
    pub(in crate::pages) kind: &'static str,
    /// Whether this is the direct conversation with a bot.
    pub(in crate::pages) is_app: bool,
    /// Number of unread messages: `1` to `99`, or `99+`; empty if there is none.
    pub(in crate::pages) unread: String,
    /// Whether this is the open conversation.
    pub(in crate::pages) is_current: bool,
}

impl SideItem {
    /// Returns the item of a conversation. `here` is the open conversation.
    pub(super) fn new(entry: ConversationEntry, here: Option<ConversationId>) -> Self {
        Self {
            id: entry.id.encode(entry.kind),
            path: path_of(entry.kind, entry.id),
            name: name_of(&entry),
            kind: entry.kind.name(),
            is_app: entry.with.as_ref().is_some_and(|with| with.is_bot),
            unread: unread_label(entry.unread),
            is_current: Some(entry.id) == here,
        }
    }

    /// Returns whether the conversation has unread messages.
    pub(in crate::pages) fn is_unread(&self) -> bool {
        !self.unread.is_empty()
    }
}

/// Returns the first letter of a name in upper case, which is shown instead of a picture.
pub(in crate::pages) fn initial(name: &str) -> String {
    name.chars().next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default()
}

/// Returns the path of a conversation.
pub(in crate::pages) fn path_of(kind: ConversationKind, id: ConversationId) -> String {
    format!("/c/{}", id.encode(kind))
}

/// Returns the name of a conversation as the person sees it. The name of a direct conversation is that of the other
/// user.
pub(in crate::pages) fn name_of(entry: &ConversationEntry) -> String {
    let with = || entry.with.as_ref().map(|with| with.name.clone());
    // members do not see the name of a hidden guest
    entry.name.clone().or_else(with).unwrap_or_else(|| "A guest".to_owned())
}

/// Returns the label of a number of unread messages: empty for 0, and `99+` for more than 99.
pub(in crate::pages) fn unread_label(number: i64) -> String {
    match number {
        ..=0 => String::new(),
        1..=99 => number.to_string(),
        100.. => "99+".to_owned(),
    }
}

/// Returns the account's person in the company that the session has chosen. If the account has only one person, returns
/// that person. Returns `None` if the account has several persons, and the session has chosen none of their companies.
pub(in crate::pages) fn chosen(visitor: &Visitor) -> Option<&OwnPerson> {
    match visitor.people.as_slice() {
        [only] => Some(only),
        _ => visitor.chosen_person(),
    }
}

/// Returns the same person as [`chosen`], or an error if there is none.
///
/// # Errors
/// A redirect to the sign-in page, or to the choice of a company.
pub(in crate::pages) fn own_person(context: &PageContext) -> Result<&OwnPerson, PageError> {
    chosen(context.visitor()?).ok_or_else(|| PageError::redirect(choice_path(&context.here)))
}

/// Returns the path of the page on which a visitor with several companies chooses a company. After the choice, the
/// page leads to `next`.
fn choice_path(next: &str) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
    if next == "/" { next.to_owned() } else { format!("/?next={encoded}") }
}

/// Returns the person of [`own_person`] as a caller of the service layer.
///
/// # Errors
/// A redirect to the sign-in page, or to the choice of a company.
pub(in crate::pages) fn person<'a>(
    _pages: &Pages,
    context: &'a PageContext,
) -> Result<Person<'a>, PageError> {
    let own_person = own_person(context)?;
    Ok(context.visitor()?.caller.person_in(own_person.workspace_id)?)
}

/// Returns the [`OwnPerson`] of a caller: the fields that pages show of the person. The person's company need not be
/// the company that the session has chosen.
///
/// # Errors
/// A redirect to the sign-in page; 404 if the person does not belong to the session's account.
pub(in crate::pages) fn own_person_of<'a>(
    context: &'a PageContext,
    person: Person<'_>,
) -> Result<&'a OwnPerson, PageError> {
    let mut people = context.visitor()?.people.iter();
    people.find(|own_person| own_person.user_id == person.user_id()).ok_or_else(PageError::not_found)
}

/// Returns whether the session has chosen the person's company, or the account has only this company.
///
/// # Errors
/// A redirect to the sign-in page.
pub(in crate::pages) fn is_chosen(context: &PageContext, person: Person<'_>) -> Result<bool, PageError> {
    Ok(chosen(context.visitor()?).is_some_and(|chosen| chosen.user_id == person.user_id()))
}

/// Loads the shell of a page of a person. `here` is the open conversation. If the session has not chosen the company
/// of the person, the sidebar is empty, because links to conversations lead to the chosen company.
///
/// # Errors
/// Errors of [`own_person_of`]; store errors.
pub(in crate::pages) async fn load(
    pages: &Pages,
    context: &PageContext,
    person: Person<'_>,
    here: Option<ConversationId>,
) -> Result<ClientShell, PageError> {
    let (visitor, own_person) = (context.visitor()?, own_person_of(context, person)?);
    let is_chosen = is_chosen(context, person)?;
    let path = context.here.split('?').next().unwrap_or_default();
    let chosen_person = chosen(visitor);
    let chosen_user = chosen_person.map(|chosen| chosen.user_id.encode()).unwrap_or_default();
    let links = LINKS.map(|(link, name)| ClientLink { path: link, name, is_current: link == path });
    Ok(ClientShell {
        frame: context.frame(pages),
        style: pages.assets.client_style.clone(),
        script: pages.assets.client_script.clone(),
        company: own_person.company.clone(),
        companies: company::choices(visitor, own_person.workspace_id, company::anybody),
        me: own_person.user_id.encode(),
        sign_in: hex(&token::hash(&format!("page {} {chosen_user}", hex(&visitor.session)))[..8]),
        has_chosen: chosen_person.is_some(),
        page_of_form: context.is_post.then(|| context.here.clone()),
        initial: initial(&own_person.name),
        person: own_person.name.clone(),
        email: own_person.email.clone().unwrap_or_default(),
        links: links.into(),
        sidebar: if is_chosen { sidebar(person, here).await? } else { Sidebar::default() },
        is_conversation: path.starts_with("/c/"),
    })
}

impl ClientShell {
    /// Sets the title.
    #[must_use]
    pub(in crate::pages) fn titled(mut self, title: &str) -> Self {
        self.frame = self.frame.titled(title);
        self
    }
}

async fn sidebar(person: Person<'_>, here: Option<ConversationId>) -> Result<Sidebar, PageError> {
    let page = person.sidebar(SIDEBAR_SIZE, here).await?;
    let groups = page.groups.into_iter().map(|group| SideGroup {
        head: SideItem::new(group.head, here),
        channels: group.channels.into_iter().map(|channel| SideItem::new(channel, here)).collect(),
    });
    let direct = page.direct.into_iter().map(|entry| SideItem::new(entry, here));
    Ok(Sidebar { groups: groups.collect(), direct: direct.collect() })
}
