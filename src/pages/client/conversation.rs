//! `/c/{conversation}` and `/c/{conversation}/{message}`: a page of a conversation's messages, with the forms that
//! post, edit and delete messages.

use askama::Template;
use poem::http::StatusCode;

use super::{
    article,
    file_limits::FileLimits,
    other_company::{self, NamedObject},
    shell::{self, ClientShell, path_of},
};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId},
        live::LivePosition,
        message::MAX_TEXT_CHARS,
        refusal::Code,
    },
    pages::{
        Outcome, Pages, answer, context::PageContext, error_page::PageError, form::Form, local_time::Day,
    },
    service::{
        Error,
        callers::Person,
        conversations::NamedConversation,
        messages::NamedMessage,
        web_client::{
            message::ShownMessage,
            reading::{ConversationPage, PageWindow, ReadOnly},
            recipients::InactiveRecipient,
        },
    },
};

/// Length in characters of the random idempotency keys and nonces of forms.
pub(super) const KEY_CHARS: usize = 22;

/// Shown after a press on a button.
const PRESSED: &str = "The app was notified that you pressed the button.";

#[derive(Template)]
#[template(path = "client/conversation.html")]
struct ConversationTemplate {
    shell: ClientShell,
    id: String,
    path: String,
    heading: PageHeading,
    /// The sentence that confirms what a submitted form did.
    done: Option<&'static str>,
    /// The position from which the event stream of the page begins.
    position: String,
    /// A hash of the conversation's name, topic and flags, with which the page's script detects a missed change.
    state: String,
    /// The time zone of the times; empty for UTC.
    zone: String,
    is_latest: bool,
    /// The lowest id of a message that the reader may see; empty if the reader may see all messages.
    first: String,
    earlier: Option<String>,
    later: Option<String>,
    entries: Vec<MessageListEntry>,
    /// The nonce of the form that presses an app's button.
    press: String,
    composer: Option<Composer>,
    file_limits: FileLimits,
    read_only: Option<&'static str>,
    target: Option<Target>,
    max_chars: usize,
}

/// The top of the page.
struct PageHeading {
    name: String,
    /// `group`, `channel` or `dm`.
    kind: &'static str,
    /// Path of the profile of the other person in a direct conversation.
    person: Option<String>,
    is_with_bot: bool,
    topic: Option<String>,
    facts: Vec<String>,
}

/// A part of the list of messages.
enum MessageListEntry {
    Day {
        day: String,
        name: String,
    },
    /// The separator above the first unread message.
    Unread,
    /// The HTML of a message.
    Message(String),
}

/// The form that posts a message.
struct Composer {
    client_key: String,
    reply: Option<RepliedMessage>,
    text: String,
    /// Why the message was rejected.
    error: Option<String>,
}

/// The message to reply to.
struct RepliedMessage {
    id: String,
    sender: String,
    is_bot: bool,
    /// Label of the assistant through which the message was sent.
    via_label: Option<String>,
}

/// What the reader may do with the message for which the page was opened.
struct Target {
    path: String,
    edit: Option<EditForm>,
    may_delete: bool,
}

struct EditForm {
    text: String,
    error: Option<String>,
}

/// GET /c/{conversation}.
pub(in crate::pages) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let window = match (context.parameter("before"), context.parameter("after")) {
        (Some(before), None) => PageWindow::Before(MessageId::parse(before)),
        (None, Some(after)) => PageWindow::After(MessageId::parse(after)),
        (None, None) => PageWindow::Newest,
        (Some(_), Some(_)) => return Err(PageError::invalid("Choose one of before and after.")),
    };
    answer_with(pages, context, window, None).await
}

/// GET /c/{conversation}/{message}.
pub(in crate::pages) async fn show_message(pages: &Pages, context: &PageContext) -> Outcome {
    answer_with(pages, context, PageWindow::Around(message_of(context)), None).await
}

/// A rejected form.
pub(in crate::pages) struct RefusedForm {
    pub(in crate::pages) status: StatusCode,
    pub(in crate::pages) form: FormKind,
    /// The text as it was typed.
    pub(in crate::pages) text: String,
    /// A sentence that says why the form was rejected.
    pub(in crate::pages) why: String,
    /// The idempotency key of a form that posts a message; `None` if the form must get a new key.
    pub(in crate::pages) client_key: Option<String>,
}

/// A form that the page shows again if it was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pages) enum FormKind {
    /// Posts a message.
    Post,
    /// Edits the message for which the page was opened.
    Edit,
}

/// Returns the id of the conversation in the path.
pub(in crate::pages) fn conversation_of(context: &PageContext) -> NamedConversation {
    ConversationId::parse(context.parts.first()?)
}

/// Returns the id of the message in the path.
pub(in crate::pages) fn message_of(context: &PageContext) -> NamedMessage {
    MessageId::parse(context.parts.get(1)?)
}

/// Returns the id of the message to which a form replies. Returns `None` if the form is not a reply, and `Some(None)`
/// if `thread_id` is not a message id.
pub(super) fn thread_of(form: &Form) -> Option<NamedMessage> {
    form.filled("thread_id").map(MessageId::parse)
}

/// Returns the path of the conversation page. The id is copied from the request's path and not checked.
pub(in crate::pages) fn conversation_path(context: &PageContext) -> String {
    format!("/c/{}", context.parts.first().map_or("", String::as_str))
}

/// Returns a page of the conversation in the path. If a form was rejected, the page shows the form `refused` again,
/// with its text and the reason.
///
/// # Errors
/// - A redirect to the sign-in page, or to the choice of a company.
/// - 404 if the person is not a member, or does not see the message in the conversation.
/// - Store errors.
pub(in crate::pages) async fn answer_with(
    pages: &Pages,
    context: &PageContext,
    window: PageWindow,
    refused: Option<RefusedForm>,
) -> Outcome {
    let person = shell::person(pages, context)?;
    let page = match person.read_conversation(conversation_of(context), window).await {
        Ok(page) => page,
        Err(error) => return Err(elsewhere(pages, context, person, window, error).await),
    };
    context.confirm_conversation(pages, person.shown(&page));
    // A request by the script marks no messages as read: from the response the script shows the heading, the lists or
    // earlier messages, but no new messages. A prefetch marks none either: if the person opens the page, the script
    // marks the messages of the page.
    if !context.is_by_script && !context.is_prefetch {
        person.finish_reading(&page, window).await;
    }
    let shell = shell::load(pages, context, person, Some(page.heading.conversation.id)).await?;
    let status = refused.as_ref().map_or(StatusCode::OK, |refused| refused.status);
    let view = ConversationRenderer { pages, context, page: &page, window };
    let mut response = answer::client_page(status, &view.template(shell, refused)?)?;
    if !context.is_by_script {
        let conversation = &page.heading.conversation;
        let opened = (conversation.kind, conversation.id);
        context.remember_opened(pages, person.user_id(), opened, &mut response);
    }
    Ok(response)
}

/// Returns the error page for a conversation that could not be read. If the session's account sees the conversation in
/// another company, the error page has a form that chooses that company.
async fn elsewhere(
    pages: &Pages,
    context: &PageContext,
    person: Person<'_>,
    window: PageWindow,
    error: Error,
) -> PageError {
    let is_unknown = matches!(&error, Error::Refused(refusal) if refusal.code == Code::ConversationNotFound);
    let named = NamedObject::Conversation(conversation_of(context), window);
    if is_unknown
        && let Some(offer) = other_company::offer(pages, context, person, named, &context.here).await
    {
        return offer;
    }
    not_found(context, error)
}

/// Returns the error page for a conversation or a message that could not be read or changed.
pub(in crate::pages) fn not_found(context: &PageContext, error: Error) -> PageError {
    match error {
        Error::Refused(refusal) if refusal.code == Code::MessageNotFound => {
            PageError::no_message(conversation_path(context))
        }
        other => other.into(),
    }
}

struct ConversationRenderer<'a> {
    pages: &'a Pages,
    context: &'a PageContext,
    page: &'a ConversationPage,
    window: PageWindow,
}

impl ConversationRenderer<'_> {
    fn template(
        &self,
        shell: ClientShell,
        refused: Option<RefusedForm>,
    ) -> Result<ConversationTemplate, PageError> {
        let (page, own_person) = (self.page, shell::own_person(self.context)?);
        let conversation = &page.heading.conversation;
        let path = path_of(conversation.kind, conversation.id);
        let heading = self.heading();
        let link = |parameter: &str, message: Option<&ShownMessage>| {
            message.map(|message| format!("{path}?{parameter}={}", message.public_id()))
        };
        let is_restricted = page.visible_from > MessageId(0);
        let new_key = || self.pages.world.rng.base62(KEY_CHARS);
        Ok(ConversationTemplate {
            done: (self.context.parameter("done") == Some("pressed")).then_some(PRESSED),
            id: conversation.id.encode(conversation.kind),
            position: LivePosition { followed: page.position, at: self.pages.world.clock.now() }.to_string(),
            state: page.state.clone(),
            is_latest: !page.has_later,
            first: if is_restricted { page.visible_from.encode(self.is_dm()) } else { String::new() },
            earlier: link("before", page.messages.first()).filter(|_| page.has_earlier),
            later: link("after", page.messages.last()).filter(|_| page.has_later),
            zone: own_person.timezone.clone().unwrap_or_default(),
            entries: self.entries(own_person.timezone.as_deref())?,
            press: new_key(),
            target: self.target(&path, refused.as_ref()),
            composer: self.composer(new_key(), refused),
            file_limits: FileLimits::new(),
            read_only: page.read_only.map(reason),
            max_chars: MAX_TEXT_CHARS,
            shell: shell.titled(&heading.name),
            heading,
            path,
        })
    }

    fn is_dm(&self) -> bool {
        self.page.heading.conversation.kind.is_dm()
    }

    fn heading(&self) -> PageHeading {
        let heading = &self.page.heading;
        let conversation = &heading.conversation;
        let mut facts = Vec::new();
        if conversation.kind != ConversationKind::Dm {
            facts.push(if conversation.is_private { "Private" } else { "Open to the company" }.to_owned());
            facts.push(match conversation.member_count {
                1 => "1 person".to_owned(),
                many => format!("{many} people"),
            });
        }
        facts.extend(self.page.inactive_recipient.map(|inactive| match inactive {
            InactiveRecipient::Person => "No longer works here".to_owned(),
            InactiveRecipient::App => "This app was removed".to_owned(),
        }));
        let other = heading.with.as_ref();
        PageHeading {
            name: match (&conversation.name, other) {
                (Some(name), _) | (None, Some((_, name))) => name.clone(),
                (None, None) => "A guest".to_owned(),
            },
            kind: conversation.kind.name(),
            person: other.map(|(id, _)| format!("/people/{}", id.encode())),
            is_with_bot: self.page.is_with_bot,
            topic: conversation.topic.clone(),
            facts,
        }
    }

    fn entries(&self, zone: Option<&str>) -> Result<Vec<MessageListEntry>, PageError> {
        let page = self.page;
        let mut entries = Vec::with_capacity(page.messages.len() + 2);
        let mut day = None;
        let mut marks_unread = page.read_up_to > MessageId(0);
        for message in &page.messages {
            let its_day = Day::of(message.created_at, zone);
            if day.replace(its_day) != Some(its_day) {
                entries.push(MessageListEntry::Day { day: its_day.text(), name: its_day.name() });
            }
            if marks_unread && message.id > page.read_up_to && !message.is_own {
                marks_unread = false;
                entries.push(MessageListEntry::Unread);
            }
            let is_highlighted = self.window.named() == Some(message.id);
            let html = article::render_for(message, zone, is_highlighted);
            entries.push(MessageListEntry::Message(html.map_err(|error| template_failed(&error))?));
        }
        Ok(entries)
    }

    fn target_message(&self) -> Option<&ShownMessage> {
        let id = self.window.named()?;
        self.page.messages.iter().find(|message| message.id == id)
    }

    fn target(&self, conversation: &str, refused: Option<&RefusedForm>) -> Option<Target> {
        let (message, rights) = (self.target_message()?, self.page.rights?);
        let refused = refused.filter(|refused| refused.form == FormKind::Edit);
        let edit = (rights.may_edit || refused.is_some()).then(|| match refused {
            Some(refused) => EditForm { text: refused.text.clone(), error: Some(refused.why.clone()) },
            None => EditForm { text: message.text.clone().unwrap_or_default(), error: None },
        });
        let path = format!("{conversation}/{}", message.public_id());
        Some(Target { path, edit, may_delete: rights.may_delete })
    }

    /// Returns the form that posts a message. Returns `None` if the reader may not post, unless `refused` is a rejected
    /// form of this kind.
    fn composer(&self, client_key: String, refused: Option<RefusedForm>) -> Option<Composer> {
        let refused = refused.filter(|refused| refused.form == FormKind::Post);
        if self.page.read_only.is_some() && refused.is_none() {
            return None;
        }
        let reply = self.target_message().map(|message| {
            let sender = message.sender.as_ref();
            RepliedMessage {
                id: message.public_id(),
                sender: sender.map_or("this message", |sender| sender.name.as_str()).to_owned(),
                is_bot: sender.is_some_and(|sender| sender.is_bot),
                via_label: message.via_label.clone(),
            }
        });
        let Some(refused) = refused else {
            return Some(Composer { client_key, reply, text: String::new(), error: None });
        };
        // The form keeps its key. If an earlier request with the key has posted the message, and only the response was
        // lost, the next request then posts no second message.
        let client_key = refused.client_key.unwrap_or(client_key);
        Some(Composer { client_key, reply, text: refused.text, error: Some(refused.why) })
    }
}

/// Returns the sentence that says why the reader cannot write.
pub(in crate::pages) const fn reason(read_only: ReadOnly) -> &'static str {
    match read_only {
        ReadOnly::Announcements => "Only admins can write here: this is for announcements.",
        ReadOnly::Archived => "This group is archived. Nobody can write here any more.",
    }
}

fn template_failed(error: &askama::Error) -> PageError {
    PageError::server(StatusCode::INTERNAL_SERVER_ERROR, format!("failed to render a template: {error}"))
}

/// Checks that the request comes from a form of the page, and returns the person.
///
/// # Errors
/// Errors of [`PageContext::poster`]; a redirect to the choice of a company.
pub(in crate::pages) fn poster<'a>(pages: &Pages, context: &'a PageContext) -> Result<Person<'a>, PageError> {
    context.poster(pages, "")?;
    shell::person(pages, context)
}
