//! `/drafts` and `/drafts/{draft}`: the messages that assistants have drafted for the person. The person sends, edits
//! or discards them.

use askama::Template;
use poem::http::StatusCode;

use super::shell::{self, ClientShell, path_of};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::DraftId,
        message::MAX_TEXT_CHARS,
        refusal::{Code, Refusal},
    },
    pages::{
        Outcome, Pages, answer,
        context::PageContext,
        error_page::PageError,
        local_time::{LocalTime, local_time},
    },
    service::{
        Error,
        callers::Person,
        employee::drafts::DraftDestination,
        paging::PageRequest,
        web_client::{
            drafts::{Decided, DraftDecision, DraftReaders, DraftState, OtherReaders, OwnDraft},
            recipients::InactiveRecipient,
        },
    },
};

const PATH: &str = "/drafts";
const UNDECIDED: &str = "Nothing was changed: the form must say whether to send or to discard the draft.";
const CHANGED: &str = "Nothing was sent: an assistant has changed the draft. Check it again.";
/// Drafts per page.
const PAGE_SIZE: u32 = 20;

#[derive(Template)]
#[template(path = "client/drafts.html")]
struct DraftsTemplate {
    shell: ClientShell,
    cards: Vec<Card>,
    next: Option<String>,
    is_first: bool,
    max_chars: usize,
}

#[derive(Template)]
#[template(path = "client/draft.html")]
struct DraftTemplate {
    shell: ClientShell,
    view: DraftStateView,
    notice: Option<&'static str>,
    /// The text of a rejected form, for a draft that was sent or discarded. The page shows the text without a form.
    typed: Option<String>,
    max_chars: usize,
}

/// The state of a draft.
enum DraftStateView {
    Open(Box<Card>),
    Sent {
        to: String,
        /// Path of the message; `None` if the session has not chosen the draft's company.
        path: Option<String>,
        at: LocalTime,
    },
    Discarded(LocalTime),
}

/// A draft with its form.
struct Card {
    id: String,
    /// The name of the destination; `None` if the person no longer sees the destination.
    to: Option<String>,
    /// Path of the conversation; `None` if there is no visible conversation, or if the session has not chosen the
    /// draft's company.
    path: Option<String>,
    /// Path of the message that the draft replies to.
    thread: Option<String>,
    /// A sentence that says who can read the message.
    readers: String,
    has_guests: bool,
    /// Name of the assistant.
    via: Option<String>,
    at: LocalTime,
    text: String,
    /// The draft's current text, if an assistant has changed the draft since the form was shown. `text` is then what
    /// the person typed.
    newer: Option<String>,
    version: String,
    /// Whether the person must check a box before the browser submits the form. `true` if the company does not let
    /// assistants send drafts. The box makes double-clickjacking harder: the assistant knows the address of the page,
    /// and could trick the person into clicking the button. The server does not read the box.
    has_box: bool,
    /// A sentence that says why the draft was not sent.
    problem: Option<String>,
}

impl Card {
    /// Creates the card of a draft. `has_links` must be true only if the session has chosen the draft's company: links
    /// to conversations lead to the chosen company.
    fn new(own: OwnDraft, zone: Option<&str>, has_links: bool) -> Self {
        let OwnDraft { draft, readers, waits_for_owner } = own;
        let (to, path) = name_and_path(&draft.destination);
        let in_dm = draft.destination.is_dm();
        let path = path.filter(|_| has_links);
        let thread = draft.thread_id.zip(path.as_ref());
        Self {
            id: draft.id.encode(),
            thread: thread.map(|(id, path)| format!("{path}/{}", id.encode(in_dm))),
            readers: readers_of(&readers, &draft.destination),
            has_guests: matches!(&readers, DraftReaders::Members { others, .. } if others.has_guests),
            via: draft.via_label,
            at: local_time(draft.updated_at, zone),
            text: draft.text,
            newer: None,
            version: draft.version,
            has_box: waits_for_owner,
            to,
            path,
            problem: None,
        }
    }
}

/// Returns the name of a destination and the path of its conversation.
fn name_and_path(destination: &DraftDestination) -> (Option<String>, Option<String>) {
    match destination {
        DraftDestination::NotVisible { .. } => (None, None),
        DraftDestination::Person(_, name) => (Some(name.clone()), None),
        DraftDestination::Conversation(heading) => {
            let conversation = &heading.conversation;
            let with = heading.with.as_ref().map(|(_, name)| name.clone());
            let name = conversation.name.clone().or(with).unwrap_or_else(|| "A guest".to_owned());
            let path = path_of(conversation.kind, conversation.id);
            (Some(name), Some(path))
        }
    }
}

/// Returns a sentence about who can read a message.
fn readers_of(readers: &DraftReaders, destination: &DraftDestination) -> String {
    let (count, others) = match readers {
        DraftReaders::Nobody => return "You can no longer see the destination of this message.".to_owned(),
        DraftReaders::Person => return "Only this person will read it.".to_owned(),
        DraftReaders::App => return "Only this app will read it.".to_owned(),
        DraftReaders::Inactive(InactiveRecipient::Person) => {
            return "This person no longer works here, so nobody will read it.".to_owned();
        }
        DraftReaders::Inactive(InactiveRecipient::App) => {
            return "This app was removed, so nobody will read it.".to_owned();
        }
        DraftReaders::Members { count, others } => (count, others),
    };
    let kind = match destination {
        DraftDestination::Conversation(heading) if heading.conversation.kind == ConversationKind::Channel => {
            "channel"
        }
        _ => "group",
    };
    let people = if *count == 1 { "1 member".to_owned() } else { format!("{count} members") };
    let guests = match (others.has_guests, others.is_complete) {
        (true, _) => ", including guests from outside the company",
        (false, true) => "",
        (false, false) => ", maybe including guests from outside the company",
    };
    format!("{people} of the {kind}{} can read it{guests}.", apps_of(others))
}

/// Returns the part of the sentence of [`readers_of`] about apps.
fn apps_of(others: &OtherReaders) -> String {
    let (names, more) = (others.bot_names.join(", "), others.bots.saturating_sub(others.bot_names.len()));
    let names = if more > 0 { format!("{names} and {more} more") } else { names };
    match (others.bots, others.is_complete) {
        (0, true) => String::new(),
        (0, false) => ", and maybe apps,".to_owned(),
        (1, true) => format!(" and 1 app ({names})"),
        (count, true) => format!(" and {count} apps ({names})"),
        (_, false) => format!(" and apps, at least {names},"),
    }
}

/// GET /drafts.
pub(in crate::pages) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let person = shell::person(pages, context)?;
    let cursor = context.parameter("cursor");
    let page = person.drafts(PageRequest { limit: PAGE_SIZE, cursor }).await?;
    let zone = shell::own_person(context)?.timezone.as_deref();
    let template = DraftsTemplate {
        cards: page.items.into_iter().map(|own| Card::new(own, zone, true)).collect(),
        next: page.next_cursor,
        is_first: cursor.is_none(),
        max_chars: MAX_TEXT_CHARS,
        shell: shell::load(pages, context, person, None).await?.titled("Drafts"),
    };
    answer::client_page(StatusCode::OK, &template)
}

/// GET /drafts/{draft}. The tool `send_draft` returns the address of this page.
pub(in crate::pages) async fn show_one(pages: &Pages, context: &PageContext) -> Outcome {
    let (person, state) = owned(context).await?;
    answer_with(pages, context, person, Shown::new(state, StatusCode::OK)).await
}

/// POST /drafts/{draft}.
pub(in crate::pages) async fn decide(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.poster(pages, "")?;
    let (person, before) = owned(context).await?;
    let (id, form) = (id_of(context), &context.form);
    // browsers submit line breaks as CRLF
    let text = form.get("text").map(|text| text.replace("\r\n", "\n"));
    let seen = form.filled("version").map(str::to_owned);
    let decision = match form.get("decision") {
        Some("send") => DraftDecision::Send { text: text.clone(), seen: seen.clone() },
        Some("discard") => DraftDecision::Discard,
        _ => {
            let problem = Some(UNDECIDED.to_owned());
            let refused = Refused { problem, text, version: seen, is_outdated: false };
            let shown = Shown { refused, ..Shown::new(before, StatusCode::BAD_REQUEST) };
            return answer_with(pages, context, person, shown).await;
        }
    };
    let decided = match person.decide_draft(id, decision.clone()).await {
        Ok(decided) => Ok(decided),
        Err(Error::Refused(refusal)) if is_shown(&refusal) => Err(refusal),
        Err(error) => return Err(not_found(error)),
    };
    if decided == Ok(Decided::Done) {
        let company = shell::own_person_of(context, person)?.workspace_id;
        let is_sent = decision != DraftDecision::Discard;
        if is_sent && visitor.chosen != Some(company) && visitor.people.len() > 1 {
            // The next page links to the message. Links to conversations work only in the chosen company, so the
            // draft's company must be the chosen one.
            visitor.caller.signed_in()?.choose_company(company).await?;
        }
        let path = format!("{PATH}/{}", context.parts.first().map_or("", String::as_str));
        return Ok(answer::see_other(&path));
    }
    let state = person.draft(id).await.map_err(not_found)?;
    let mut shown = Shown::new(state, StatusCode::CONFLICT);
    match decided {
        Ok(Decided::Changed) => {
            shown.notice = Some(CHANGED);
            shown.refused = Refused { text, is_outdated: true, ..Refused::default() };
        }
        Ok(_) if decision == DraftDecision::Discard => {
            shown.notice = Some("Nothing was changed: the draft was already sent or discarded.");
        }
        Ok(_) => {
            shown.notice = Some("Nothing was sent: the draft was already sent or discarded.");
            shown.refused = Refused { text, ..Refused::default() };
        }
        Err(refusal) => {
            shown.status = StatusCode::UNPROCESSABLE_ENTITY;
            // the form keeps its version, so that the next submission detects every change since that version
            shown.refused = Refused { problem: Some(why(&refusal)), text, version: seen, is_outdated: false };
        }
    }
    answer_with(pages, context, person, shown).await
}

/// Returns whether the page shows the form again with the reason for this rejection.
fn is_shown(refusal: &Refusal) -> bool {
    let is_shown = !matches!(refusal.code, Code::NotFound | Code::InvalidAuth | Code::Forbidden);
    is_shown && refusal.code.status() < 500
}

/// What the page of a draft shows.
struct Shown {
    state: DraftState,
    status: StatusCode,
    notice: Option<&'static str>,
    refused: Refused,
}

/// The fields of a rejected form, which is shown again.
#[derive(Default)]
struct Refused {
    /// A sentence that says why the form was rejected.
    problem: Option<String>,
    text: Option<String>,
    /// The version of the draft that the form showed.
    version: Option<String>,
    /// Whether an assistant has changed the draft since the form was shown.
    is_outdated: bool,
}

impl Shown {
    fn new(state: DraftState, status: StatusCode) -> Self {
        Self { state, status, notice: None, refused: Refused::default() }
    }
}

impl Refused {
    /// Returns the card of the draft with the fields of the rejected form.
    fn card(self, own: OwnDraft, zone: Option<&str>, is_chosen: bool) -> Card {
        let mut card = Card::new(own, zone, is_chosen);
        card.problem = self.problem;
        card.version = self.version.unwrap_or(card.version);
        if let Some(typed) = self.text.filter(|typed| *typed != card.text) {
            let newer = std::mem::replace(&mut card.text, typed);
            card.newer = self.is_outdated.then_some(newer);
        }
        card
    }

    /// Returns the text of the rejected form, for the page of a draft that was sent or discarded. Returns `None` for a
    /// blank text, and for the text that was sent.
    fn typed(self, sent: Option<&str>) -> Option<String> {
        self.text.filter(|typed| !typed.trim().is_empty() && Some(typed.as_str()) != sent)
    }
}

async fn answer_with(pages: &Pages, context: &PageContext, person: Person<'_>, shown: Shown) -> Outcome {
    let zone = shell::own_person_of(context, person)?.timezone.as_deref();
    let is_chosen = shell::is_chosen(context, person)?;
    let (title, view, typed) = match shown.state {
        DraftState::Open(own) => (
            "Confirm a message",
            DraftStateView::Open(Box::new(shown.refused.card(own, zone, is_chosen))),
            None,
        ),
        DraftState::Sent { at, message, destination, conversation: (kind, id), text, .. } => {
            let to = name_and_path(&destination)
                .0
                .unwrap_or_else(|| "a conversation you no longer see".to_owned());
            let path = is_chosen.then(|| format!("{}/{}", path_of(kind, id), message.encode(kind.is_dm())));
            let typed = shown.refused.typed(text.as_deref());
            ("Sent", DraftStateView::Sent { to, path, at: local_time(at, zone) }, typed)
        }
        DraftState::Discarded { at, .. } => {
            ("Discarded", DraftStateView::Discarded(local_time(at, zone)), shown.refused.typed(None))
        }
    };
    let shell = shell::load(pages, context, person, None).await?.titled(title);
    let template = DraftTemplate { shell, view, notice: shown.notice, typed, max_chars: MAX_TEXT_CHARS };
    answer::client_page(shown.status, &template)
}

fn id_of(context: &PageContext) -> Option<DraftId> {
    DraftId::parse(context.parts.first()?)
}

/// Returns the draft in the path, and its owner. Searches all companies of the session, because the tool that returned
/// the address does not know which company the session has chosen. Does not change the chosen company, because anybody
/// can make a person follow a link.
///
/// # Errors
/// A redirect to the sign-in page, which leads back to this page; 404 for an unknown draft or another person's draft;
/// store errors.
async fn owned(context: &PageContext) -> Result<(Person<'_>, DraftState), PageError> {
    let visitor = context.visitor()?;
    for own_person in &visitor.people {
        let person = visitor.caller.person_in(own_person.workspace_id)?;
        match person.draft(id_of(context)).await {
            Ok(state) => return Ok((person, state)),
            Err(Error::Refused(refusal)) if refusal.code == Code::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(no_draft())
}

fn no_draft() -> PageError {
    let why = "This draft does not exist any more, or it is somebody else's.";
    PageError::new(StatusCode::NOT_FOUND, "Draft not found", why)
}

fn not_found(error: Error) -> PageError {
    match error {
        Error::Refused(refusal) if refusal.code == Code::NotFound => no_draft(),
        other => other.into(),
    }
}

/// Returns a sentence that says why a draft was not sent.
fn why(refusal: &Refusal) -> String {
    let why = match refusal.code {
        Code::ConversationArchived => "The conversation is archived, so nothing can be sent there.",
        Code::NotAllowedInConversation => "Only admins write in this conversation.",
        Code::NotInConversation | Code::ConversationNotFound => "You are no longer in this conversation.",
        Code::UserNotFound | Code::UserDeactivated => "This person's account is no longer active.",
        _ => {
            let why = refusal.message.as_deref().unwrap_or("the form contains invalid values");
            return format!("The draft was not sent: {why}.");
        }
    };
    format!("The draft was not sent. {why}")
}
