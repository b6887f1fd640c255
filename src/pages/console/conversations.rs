//! The console's page that sends messages as the bot, shows the `curl` command that does the same, and signs the
//! browser in as a person.

use std::fmt::Write as _;

use askama::Template;
use poem::{
    Endpoint, Request, Response,
    http::{HeaderValue, Method, StatusCode, Uri, header},
};
use serde_json::json;

use super::{
    Console,
    context::ConsoleContext,
    requests::{class, pretty},
    shell::ConsoleShell,
};
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, UserId, WorkspaceId},
        people::UserState,
    },
    pages::{Outcome, answer, error_page::PageError, frame::Frame, labels},
    service::{
        Error,
        callers::Caller,
        companies::CompanyView,
        paging::{Page, PageRequest},
        people::UserView,
        sign_in::sessions::SESSION_LIFE,
    },
};

const PATH: &str = "/console/conversations";
/// Path of the operation that the form calls.
const SEND: &str = "/v1/messages";
/// Maximum number of companies to choose from.
const MAX_COMPANIES: u32 = 20;
/// Maximum number of people to choose from.
const MAX_PEOPLE: u32 = 200;
/// Maximum number of conversations to choose from.
const MAX_CONVERSATIONS: u32 = 100;
/// Length of the random part of an idempotency key in base-62 characters.
const KEY_CHARS: usize = 10;

#[derive(Template)]
#[template(path = "console/conversations.html")]
struct ConsoleConversationsPage {
    frame: Frame,
    shell: ConsoleShell,
    companies: Vec<ConsoleOption>,
    /// Whether there are more companies than are listed.
    has_more_companies: bool,
    company: String,
    lists: CompanyLists,
    draft: SendForm,
    /// Whether the process knows the sandbox's bot token, which is used if the operator types no other token.
    has_token: bool,
    key: String,
    curl: String,
    sent: Option<SendResponse>,
}

struct ConsoleOption {
    id: String,
    name: String,
    is_chosen: bool,
}

struct PersonRow {
    id: String,
    name: String,
    initial: String,
    facts: String,
    can_sign_in: bool,
}

/// The response to the request that the form sent.
struct SendResponse {
    id: String,
    status: u16,
    class: &'static str,
    answer: String,
}

/// The fields of the form.
struct SendForm {
    /// Id of the chosen user or conversation; empty if no destination is chosen.
    to: String,
    text: String,
    has_buttons: bool,
    token: String,
    key: String,
}

impl SendForm {
    /// Reads the fields. `field` returns a field by its name. Empty fields get a default, except `to` and `buttons`. In
    /// the text, the line breaks of browsers (CRLF) become LF.
    fn of<'a>(console: &Console, field: impl Fn(&str) -> &'a str) -> Self {
        let facts = console.state.facts.get();
        let known = |text: Option<&String>| text.cloned().unwrap_or_default();
        let or = |name: &str, other: String| match field(name) {
            "" => other,
            given => given.to_owned(),
        };
        let key = format!("console-{}", console.world().rng.base62(KEY_CHARS));
        Self {
            to: field("to").to_owned(),
            text: or("text", "Hello from my bot".to_owned()).replace("\r\n", "\n"),
            has_buttons: field("buttons") == "on",
            token: or("token", known(facts.and_then(|facts| facts.bot_token.as_ref()))),
            key: or("key", key),
        }
    }

    /// Returns the body of the request.
    fn body(&self) -> String {
        let kind = if UserId::parse(&self.to).is_some() { "user" } else { "conversation" };
        let (to, text) = (json!(self.to), json!(self.text));
        let mut body = format!("{{\"to\":{{\"type\":\"{kind}\",\"id\":{to}}},\"text\":{text}");
        if self.has_buttons {
            body.push_str(
                ",\"blocks\":[{\"type\":\"actions\",\"items\":[\
                 {\"action_id\":\"approve\",\"text\":\"Approve\",\"value\":\"42\",\"style\":\"primary\"},\
                 {\"action_id\":\"reject\",\"text\":\"Reject\",\"value\":\"42\",\"style\":\"danger\"}]}]",
            );
        }
        body.push('}');
        body
    }

    /// Returns the `curl` command that sends the message.
    fn curl(&self, base_url: &str) -> String {
        let token = if self.token.is_empty() { "svc_bot_test_..." } else { &self.token };
        let mut text = format!("curl -X POST {base_url}{SEND}");
        for line in [
            format!("Authorization: Bearer {token}"),
            format!("Idempotency-Key: {}", self.key),
            "Content-Type: application/json".to_owned(),
        ] {
            // writing to a String cannot fail
            let _ = write!(text, " \\\n  -H {}", quoted(&line));
        }
        let _ = write!(text, " \\\n  -d {}", quoted(&self.body()));
        text
    }
}

/// Returns a function that returns a field by its name, from the form of a POST or the query of other requests. Only
/// the field `text` keeps surrounding spaces. The function ignores a `token` in the query: browser histories and logs
/// keep URLs, so no page should put a token into a URL.
fn field_reader<'a>(context: &'a ConsoleContext) -> impl Fn(&str) -> &'a str {
    |name| match (name, context.is_post) {
        ("text", true) => context.form.get(name).unwrap_or_default(),
        ("text", false) => context.parameter(name),
        (_, true) => context.field(name),
        ("token", false) => "",
        (_, false) => context.parameter(name).trim(),
    }
}

/// Quotes a text as one word for a POSIX shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// GET /console/conversations.
pub(super) async fn show(console: &Console, context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let page = PageRequest { limit: MAX_COMPANIES, cursor: None };
    let Page { items: mut companies, next_cursor } = caller.operator()?.list_companies(page).await?;
    let chosen = choose(console, caller, &mut companies, context.parameter("company")).await?;
    let sent = console.recorder.find(context.parameter("sent"));
    let sent_text = console.state.sent_text.lock().clone().filter(|(id, _)| id == context.parameter("sent"));
    let first_person = console.state.facts.get().and_then(|facts| facts.first_person.as_deref());
    let mut draft = SendForm::of(console, |name| match (field_reader(context)(name), &sent_text) {
        ("", Some((_, text))) if name == "text" => text.as_str(),
        ("", _) if name == "to" => first_person.unwrap_or_default(),
        (given, _) => given,
    });
    let mut lists = match chosen {
        Some(company) => read(caller, company, &draft.to).await?,
        None => CompanyLists::default(),
    };
    // the `curl` command names the destination to which the form sends
    draft.to = lists.choose_destination();
    let (frame, shell) = ConsoleShell::new(console, context, "Conversations", PATH);
    let sent = sent.map(|request| SendResponse {
        id: request.id.clone(),
        status: request.status,
        class: class(request.status),
        answer: pretty(&request.response_body().text),
    });
    let has_token = console.state.facts.get().is_some_and(|facts| facts.bot_token.is_some());
    let page = ConsoleConversationsPage {
        frame,
        shell,
        companies: companies
            .iter()
            .map(|company| ConsoleOption {
                id: company.id.encode(),
                name: company.name.clone(),
                is_chosen: Some(company.id) == chosen,
            })
            .collect(),
        has_more_companies: next_cursor.is_some(),
        company: chosen.map(WorkspaceId::encode).unwrap_or_default(),
        lists,
        curl: draft.curl(&console.world().settings.base_url),
        has_token,
        key: draft.key.clone(),
        draft,
        sent,
    };
    answer::client_page(StatusCode::OK, &page)
}

/// Returns the company with the id `wanted`, and adds it to the list if necessary. If `wanted` is empty, returns the
/// sandbox's first demo company, or the first company of the list if the list does not contain that demo company.
/// Returns `None` if `wanted` and the list are empty.
///
/// # Errors
/// 404 for an unknown company.
async fn choose(
    console: &Console,
    caller: &Caller,
    companies: &mut Vec<CompanyView>,
    wanted: &str,
) -> Result<Option<WorkspaceId>, PageError> {
    let own = console.state.facts.get().and_then(|facts| facts.company.clone()).unwrap_or_default();
    let by = |id: &str| companies.iter().find(|company| company.id.encode() == id).map(|company| company.id);
    if wanted.is_empty() {
        return Ok(by(&own).or_else(|| companies.first().map(|company| company.id)));
    }
    if let Some(listed) = by(wanted) {
        return Ok(Some(listed));
    }
    let id = WorkspaceId::parse(wanted).ok_or_else(PageError::not_found)?;
    companies.push(caller.admin_of(id)?.company().await?);
    Ok(Some(id))
}

/// The people and the destinations of a company that the page lists.
#[derive(Default)]
struct CompanyLists {
    people: Vec<PersonRow>,
    /// Whether there are more people than are listed.
    has_more_people: bool,
    destinations: Vec<ConsoleOption>,
    /// Whether there may be more destinations than are listed.
    has_more_destinations: bool,
}

impl CompanyLists {
    /// Returns the id of the chosen destination; an empty text if there are no destinations. If no destination is
    /// chosen, chooses the first destination, as a browser does for a list without a selected option.
    fn choose_destination(&mut self) -> String {
        if !self.destinations.iter().any(|destination| destination.is_chosen)
            && let Some(first) = self.destinations.first_mut()
        {
            first.is_chosen = true;
        }
        let chosen = self.destinations.iter().find(|destination| destination.is_chosen);
        chosen.map(|destination| destination.id.clone()).unwrap_or_default()
    }
}

/// Reads the people of a company, and the destinations that the form offers: groups, channels, and people who are
/// active or onboarding. Adds the chosen destination `to` if the destinations do not contain it.
async fn read(caller: &Caller, company: WorkspaceId, to: &str) -> Result<CompanyLists, PageError> {
    let admin = caller.admin_of(company)?;
    let page = |limit| PageRequest { limit, cursor: None };
    let Page { items: people, next_cursor: more_people } = admin.list_people(None, page(MAX_PEOPLE)).await?;
    let Page { items: conversations, next_cursor: more_conversations } =
        admin.list_all_conversations(page(MAX_CONVERSATIONS)).await?;
    let choice = |id: String, name: String| ConsoleOption { is_chosen: id == to, id, name };
    let mut destinations: Vec<_> = people
        .iter()
        .filter(|person| person.state.is_active())
        .map(|person| choice(person.id.encode(), person.name.clone()))
        .collect();
    destinations.extend(
        conversations.into_iter().filter(|it| !it.is_deleted && it.kind != ConversationKind::Dm).map(|it| {
            let id = it.id.encode(it.kind);
            choice(id.clone(), format!("# {}", it.name.unwrap_or(id)))
        }),
    );
    let mut rows: Vec<_> = people.iter().map(row).collect();
    if !destinations.iter().any(|destination| destination.is_chosen)
        && let Some((destination, person)) = destination(caller, company, to).await?
    {
        destinations.push(destination);
        rows.extend(person);
    }
    Ok(CompanyLists {
        has_more_people: more_people.is_some(),
        has_more_destinations: more_people.is_some() || more_conversations.is_some(),
        people: rows,
        destinations,
    })
}

/// Returns the destination with this id in a company, as the chosen destination. For a person, also returns their row.
/// Returns `None` if there is no such destination.
async fn destination(
    caller: &Caller,
    company: WorkspaceId,
    id: &str,
) -> Result<Option<(ConsoleOption, Option<PersonRow>)>, PageError> {
    let chosen = |name: String| ConsoleOption { id: id.to_owned(), name, is_chosen: true };
    let found = if let Some(user) = UserId::parse(id) {
        caller.full_person(user).await.map(|person| {
            let is_here = person.workspace_id == company && person.state.is_active() && !person.is_bot;
            is_here.then(|| (chosen(person.name.clone()), Some(row(&person))))
        })
    } else {
        caller.full_conversation(ConversationId::parse(id)).await.map(|(it, _)| {
            let is_here = it.workspace_id == company && !it.is_deleted && it.kind != ConversationKind::Dm;
            is_here.then(|| (chosen(format!("# {}", it.name.unwrap_or_else(|| id.to_owned()))), None))
        })
    };
    match found {
        Err(Error::Refused(refusal)) if refusal.status() == 404 => Ok(None),
        found => Ok(found?),
    }
}

fn row(person: &UserView) -> PersonRow {
    let mut facts = vec![person.email.clone().unwrap_or_else(|| "No e-mail address".to_owned())];
    if person.is_admin {
        facts.push("admin".to_owned());
    }
    if person.is_external {
        facts.push("guest".to_owned());
    }
    if person.state != UserState::Active {
        facts.push(labels::state(person.state).to_lowercase());
    }
    PersonRow {
        id: person.id.encode(),
        name: person.name.clone(),
        initial: person
            .name
            .chars()
            .next()
            .map(|letter| letter.to_uppercase().to_string())
            .unwrap_or_default(),
        facts: facts.join(" · "),
        can_sign_in: person.state.is_active() && person.email.is_some(),
    }
}

/// GET and POST /console/conversations/curl: returns the `curl` command for the fields of the form, as text. POST is
/// for a message text that is too long for a URL.
pub(super) fn curl(console: &Console, context: &ConsoleContext) -> Response {
    let draft = SendForm::of(console, field_reader(context));
    let mut response = Response::from(poem::Body::from(draft.curl(&console.world().settings.base_url)));
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    answer::common(response.headers_mut());
    response
}

/// POST /console/conversations: sends as the bot, or signs the browser in as a person.
pub(super) async fn act(console: &Console, context: &mut ConsoleContext) -> Outcome {
    match context.field("action") {
        "send" => send(console, context).await,
        "switch" => sign_in_as(console, context).await,
        _ => Err(PageError::invalid("Choose what to do.")),
    }
}

/// Sends a message through the bot API with all its middleware, so that the request is recorded and limited like any
/// other request.
async fn send(console: &Console, context: &ConsoleContext) -> Outcome {
    let draft = SendForm::of(console, field_reader(context));
    if draft.to.is_empty() {
        return Err(PageError::invalid("Nothing was sent: choose a person or a conversation to send to."));
    }
    let Ok(authorization) = HeaderValue::from_str(&format!("Bearer {}", draft.token)) else {
        return Err(PageError::invalid("A token is made of letters, digits and underscores."));
    };
    let Ok(key) = HeaderValue::from_str(&draft.key) else {
        return Err(PageError::invalid("An idempotency key is made of visible ASCII characters."));
    };
    let request = Request::builder()
        .method(Method::POST)
        .uri(Uri::from_static(SEND))
        .header(header::AUTHORIZATION, authorization)
        .header("idempotency-key", key)
        .header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))
        .body(draft.body());
    let mut response = match console.bot.call(request).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    };
    let id =
        response.headers().get("x-request-id").and_then(|id| id.to_str().ok()).unwrap_or_default().to_owned();
    // reads the response body to its end, because the recorder records only what is read
    let _ = response.take_body().into_bytes().await;
    let buttons = if draft.has_buttons { "on" } else { "" };
    // the text is left out, because it can be too long for a URL
    let fields = [
        ("company", context.field("company")),
        ("to", draft.to.as_str()),
        ("buttons", buttons),
        ("sent", id.as_str()),
    ];
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    *console.state.sent_text.lock() = Some((id, draft.text));
    Ok(answer::redirect(&format!("{PATH}?{query}")))
}

async fn sign_in_as(console: &Console, context: &mut ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let Some(person) = UserId::parse(context.field("user_id")) else { return Err(PageError::not_found()) };
    let signed_in = caller.operator()?.sign_in_as(person).await?;
    context.set_cookie(console.pages.cookies.set_session(signed_in.token.expose(), SESSION_LIFE));
    Ok(answer::redirect("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(to: &str, text: &str) -> SendForm {
        let (to, text, token) = (to.to_owned(), text.to_owned(), "svc_bot_test_x".to_owned());
        SendForm { to, text, has_buttons: false, token, key: "k".to_owned() }
    }

    #[test]
    fn the_curl_command_quotes_each_header_and_the_body_as_separate_shell_words() {
        let to = UserId(1).encode();
        let text = draft(&to, "it's \"quoted\" & $HOME").curl("http://127.0.0.1:1");
        assert!(text.starts_with("curl -X POST http://127.0.0.1:1/v1/messages \\\n"), "{text}");
        assert!(text.contains("-H 'Authorization: Bearer svc_bot_test_x' \\\n"), "{text}");
        assert!(text.contains(r#""text":"it'\''s \"quoted\" & $HOME"}'"#), "{text}");
    }

    #[test]
    fn the_body_is_valid_json_and_names_the_kind_of_destination() {
        for (to, kind) in [
            (UserId(1).encode(), "user"),
            (ConversationId(1).encode(ConversationKind::Group), "conversation"),
            (ConversationId(1).encode(ConversationKind::Channel), "conversation"),
        ] {
            let body = SendForm { has_buttons: true, ..draft(&to, "x\n") }.body();
            let body: serde_json::Value = serde_json::from_str(&body).unwrap();
            assert_eq!((&body["to"]["type"], &body["to"]["id"]), (&json!(kind), &json!(to)));
            assert_eq!(body["blocks"][0]["items"].as_array().unwrap().len(), 2);
        }
    }
}
