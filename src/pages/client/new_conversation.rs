//! `/conversations/new`: creates a group, or a channel of a group.

use askama::Template;
use poem::http::StatusCode;

use super::{
    conversation::KEY_CHARS,
    conversations::MAX_QUERY,
    other_company::{self, NamedObject},
    people::{DirectoryRow, sentence},
    shell::{self, ClientShell},
};
use crate::{
    contract::answer::nothing_changed,
    domain::{
        conversation::{ConversationKind, type_name},
        ids::{ConversationId, UserId},
        refusal::{Code, Refusal},
    },
    pages::{Outcome, Pages, answer, company, context::PageContext, error_page::PageError},
    service::{
        Error,
        callers::Person,
        conversations::{KEY_USED, NewConversation},
        paging::PageRequest,
        web_client::reading::PageWindow,
    },
};

/// Maximum number of characters of a name, as in the admin API.
const MAX_NAME: usize = 200;
/// Maximum number of characters of a topic, as in the admin API.
const MAX_TOPIC: usize = 1_000;
/// Maximum number of members, as in the admin API.
const MAX_MEMBERS: usize = 1_000;
/// Maximum number of the person's own groups that are offered for a new channel. The same maximum applies to the open
/// groups that are offered.
const MAX_GROUPS: usize = 200;
/// Maximum number of people whom a search offers as members.
const MAX_PEOPLE: u32 = 30;

#[derive(Template)]
#[template(path = "client/new_conversation.html")]
struct NewPage<'a> {
    shell: ClientShell,
    /// The company of the conversation.
    workspace_id: String,
    form: &'a NewConversationForm,
    client_key: String,
    problem: Option<String>,
    groups: Vec<GroupOption>,
    people: Vec<PersonChoice>,
    /// Whether further people may match the search.
    has_more_people: bool,
}

struct GroupOption {
    id: String,
    name: String,
    is_chosen: bool,
}

struct PersonChoice {
    person: DirectoryRow,
    is_chosen: bool,
}

/// The fields of the form.
struct NewConversationForm {
    /// `group` or `channel`.
    kind: &'static str,
    name: String,
    topic: String,
    /// `channel` or `private_channel`; empty if the form does not have the field.
    access: String,
    parent: String,
    members: Vec<String>,
    /// The search text for people.
    find: String,
    /// Idempotency key; empty if the page has to choose a key.
    client_key: String,
}

/// The status and the reason of a rejected form.
type Problem = (StatusCode, String);

impl NewConversationForm {
    fn of_query(context: &PageContext) -> Self {
        let text = |name| context.parameter(name).unwrap_or_default().to_owned();
        let parent = text("parent_id");
        let is_channel = !parent.is_empty() || context.parameter("kind") == Some("channel");
        Self {
            kind: if is_channel { "channel" } else { "group" },
            name: String::new(),
            topic: String::new(),
            access: String::new(),
            parent,
            members: Vec::new(),
            find: String::new(),
            client_key: String::new(),
        }
    }

    fn of_post(context: &PageContext) -> Self {
        let text = |name| context.form.get(name).unwrap_or_default().to_owned();
        let values: Vec<String> = context.form.all("member_ids").map(std::borrow::Cow::into_owned).collect();
        let ids = values.iter().flat_map(|value| value.split([',', ' ', '\n', '\r'])).map(str::trim);
        Self {
            kind: if context.form.get("kind") == Some("channel") { "channel" } else { "group" },
            name: text("name").trim().to_owned(),
            topic: text("topic").trim().to_owned(),
            access: text("type"),
            parent: text("parent_id"),
            members: ids.filter(|id| !id.is_empty()).map(str::to_owned).collect(),
            find: text("find").trim().to_owned(),
            client_key: text("client_key"),
        }
    }

    fn is_channel(&self) -> bool {
        self.kind == "channel"
    }

    /// Returns whether the form creates a private group, which employees cannot join by themselves.
    fn is_private(&self) -> bool {
        self.access == type_name(true)
    }

    /// Returns the conversation to create.
    ///
    /// # Errors
    /// The status, and a sentence for the person about the first invalid field.
    fn new_conversation(&self, context: &PageContext) -> Result<NewConversation, Problem> {
        let wrong = |why: &str| Err((StatusCode::UNPROCESSABLE_ENTITY, why.to_owned()));
        let kind = context.form.get("kind").and_then(ConversationKind::from_name);
        let Some(kind) = kind.filter(|kind| !kind.is_dm()) else {
            return wrong("Choose whether to create a group or a channel.");
        };
        if self.name.is_empty() {
            return wrong("Type a name.");
        }
        if self.name.chars().nth(MAX_NAME).is_some() {
            return wrong("The name is too long: it can have at most 200 characters.");
        }
        if self.topic.chars().nth(MAX_TOPIC).is_some() {
            return wrong("The topic is too long: it can have at most 1,000 characters.");
        }
        if self.members.len() > MAX_MEMBERS {
            return wrong("Choose at most 1,000 people.");
        }
        let is_private = match self.access.as_str() {
            "" => None,
            text if text == type_name(false) => Some(false),
            text if text == type_name(true) => Some(true),
            _ => return wrong("Choose who may join."),
        };
        if kind == ConversationKind::Group && !self.parent.is_empty() {
            return wrong("Only a channel belongs to a group. Create a channel, or leave the group out.");
        }
        if kind == ConversationKind::Channel && self.parent.is_empty() {
            return wrong("Choose the group that the channel belongs to.");
        }
        let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Ok(NewConversation {
            kind,
            parent: given(&self.parent).map(|id| ConversationId::parse(&id)),
            name: given(&self.name),
            topic: given(&self.topic),
            is_private,
            announcement_only: None,
            members: self.members.iter().map(|id| UserId::parse(id)).collect(),
        })
    }
}

/// GET /conversations/new, with an optional `kind` and `parent_id`.
pub(in crate::pages) async fn show(pages: &Pages, context: &PageContext) -> Outcome {
    let (person, form) = (shell::person(pages, context)?, NewConversationForm::of_query(context));
    if let Some(parent) = ConversationId::parse(&form.parent) {
        let named = NamedObject::Conversation(Some(parent), PageWindow::Newest);
        if let Some(offer) = other_company::offer(pages, context, person, named, &context.here).await {
            return Err(offer);
        }
    }
    render(pages, context, &form, StatusCode::OK, None).await
}

/// POST /conversations/new: `workspace_id`, `kind`, `name`, `type`, `parent_id`, `topic`, `member_ids`, `client_key`.
/// Creates the conversation in the company that the session has chosen. If `workspace_id` names another company,
/// creates nothing and shows the form again. If the form is sent again with the same `client_key`, the response
/// redirects to the conversation that the first request created.
///
/// If the field `decision` is `find`, creates nothing, and shows the form with people who match the search text in the
/// field `find`. An empty search text matches everybody.
pub(in crate::pages) async fn create(pages: &Pages, context: &PageContext) -> Outcome {
    context.poster(pages, "")?;
    let mut form = NewConversationForm::of_post(context);
    let own_person = shell::own_person(context)?;
    let named_company = context.form.filled(company::FIELD);
    if named_company.is_some_and(|id| id != own_person.workspace_id.encode()) {
        let problem = other_company_chosen(&own_person.company);
        return render(pages, context, &form, StatusCode::CONFLICT, Some(problem)).await;
    }
    let is_find = match context.form.get("decision") {
        Some("find") => true,
        // The person pressed the Enter key in one of the text fields. If the search field has a text, the person was
        // probably in the search field.
        Some("enter") => !form.find.is_empty(),
        _ => false,
    };
    if is_find {
        nothing_changed();
        if form.find.chars().nth(MAX_QUERY).is_some() {
            let problem = "The search text is too long.".to_owned();
            return render(pages, context, &form, StatusCode::UNPROCESSABLE_ENTITY, Some(problem)).await;
        }
        return render(pages, context, &form, StatusCode::OK, None).await;
    }
    let new = match form.new_conversation(context) {
        Ok(new) => new,
        Err((status, problem)) => return render(pages, context, &form, status, Some(problem)).await,
    };
    let key = Some(form.client_key.as_str()).filter(|key| !key.is_empty());
    match shell::person(pages, context)?.create_conversation(new, key).await {
        Ok(created) => Ok(answer::see_other(&shell::path_of(created.kind, created.id))),
        Err(Error::Refused(refusal)) => {
            if refusal.message.as_deref() == Some(KEY_USED) {
                form.client_key.clear();
            }
            let Some((status, problem)) = problem(&refusal) else { return Err(refusal.into()) };
            render(pages, context, &form, status, Some(problem)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the reason for rejecting a form of another company. The person chose the company `chosen` after the form was
/// shown, perhaps in another window.
fn other_company_chosen(chosen: &str) -> String {
    format!(
        "This form was for another company, so nothing was created. Send the form again to create the conversation in \
         {chosen}."
    )
}

/// Returns the status and the reason of a rejection whose cause the person can correct; `None` for other rejections.
fn problem(refusal: &Refusal) -> Option<Problem> {
    let status = StatusCode::from_u16(refusal.code.status()).ok()?;
    let text = match refusal.code {
        Code::ConversationNotFound => "There is no such group. Choose one of the offered groups.".to_owned(),
        Code::UserNotFound => "One of the people does not exist, or you do not see them.".to_owned(),
        Code::Forbidden => {
            "You may create a channel only in a group that you are in or may join. The same condition applies to \
             everybody whom you add."
                .to_owned()
        }
        Code::Conflict | Code::InvalidRequest => sentence(refusal.message.as_deref()?),
        _ => return None,
    };
    Some((status, text))
}

async fn render(
    pages: &Pages,
    context: &PageContext,
    form: &NewConversationForm,
    status: StatusCode,
    problem: Option<String>,
) -> Outcome {
    let person = shell::person(pages, context)?;
    let title = if form.is_channel() { "New channel" } else { "New group" };
    let (people, has_more_people) = people(pages, context, form).await?;
    let page = NewPage {
        groups: if form.is_channel() { groups(person, &form.parent).await? } else { Vec::new() },
        people,
        has_more_people,
        shell: shell::load(pages, context, person, None).await?.titled(title),
        workspace_id: shell::own_person(context)?.workspace_id.encode(),
        client_key: match form.client_key.as_str() {
            "" => pages.world.rng.base62(KEY_CHARS),
            key => key.to_owned(),
        },
        form,
        problem,
    };
    answer::client_page(status, &page)
}

/// Returns the groups of the person and the groups that the person may join, sorted by name. Adds `chosen` if it is not
/// among them, so that the form keeps the value.
async fn groups(person: Person<'_>, chosen: &str) -> Result<Vec<GroupOption>, PageError> {
    let mut all = person.own_groups(MAX_GROUPS).await?;
    let open = person.list_open(None, MAX_GROUPS, None).await?.items;
    all.extend(open.into_iter().map(|open| (open.group.id, open.group.name)));
    all.sort_by_key(|(id, name)| (name.to_lowercase(), *id));
    all.dedup_by_key(|(id, _)| *id);
    let group = |(id, name): (ConversationId, String)| {
        let id = id.encode(ConversationKind::Group);
        GroupOption { is_chosen: id == chosen, id, name }
    };
    let mut options: Vec<GroupOption> = all.into_iter().map(group).collect();
    if !chosen.is_empty() && !options.iter().any(|option| option.is_chosen) {
        options.insert(0, GroupOption { id: chosen.to_owned(), name: chosen.to_owned(), is_chosen: true });
    }
    Ok(options)
}

/// Returns the chosen people, and up to [`MAX_PEOPLE`] other people whom the search finds. Omits the visitor. Also
/// returns whether further people may match. Ignores a search text that is too long.
async fn people(
    pages: &Pages,
    context: &PageContext,
    form: &NewConversationForm,
) -> Result<(Vec<PersonChoice>, bool), PageError> {
    let (person, you) = (shell::person(pages, context)?, shell::own_person(context)?.user_id);
    let chosen: Vec<UserId> =
        form.members.iter().filter_map(|id| UserId::parse(id)).take(MAX_MEMBERS).collect();
    let named = if chosen.is_empty() { Vec::new() } else { person.people(chosen.clone()).await? };
    let sought =
        Some(form.find.as_str()).filter(|text| !text.is_empty() && text.chars().count() <= MAX_QUERY);
    let request = PageRequest { limit: MAX_PEOPLE, cursor: None };
    let found = person.find_people(sought, request).await?;
    let has_more = found.next_cursor.is_some();
    let others = found.items.into_iter().filter(|user| !chosen.contains(&user.id));
    let choice = |user, is_chosen| PersonChoice { person: DirectoryRow::new(user, you), is_chosen };
    let mut choices: Vec<PersonChoice> = named.into_iter().map(|user| choice(user, true)).collect();
    choices.extend(others.map(|user| choice(user, false)));
    choices.retain(|choice| !choice.person.is_you);
    Ok((choices, has_more))
}
