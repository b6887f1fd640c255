//! `/admin/activity` and `/settings/activity`: what assistants did, in a company or for oneself.

use std::collections::HashMap;

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, About},
    frame::Frame,
    moment::{Moment, moment, start_of_day},
    trouble::Trouble,
    visit::{Visit, Visitor},
    words,
};
use crate::{
    domain::{
        ids::UserId,
        tool_calls::{READ_TOOLS, ToolEnd, WRITE_TOOLS},
    },
    workspace::{
        people::Persona,
        reading::{Page, PageRequest},
        tool_calls::{CallFilter, TargetName, ToolCall},
    },
};

const ADMIN_PATH: &str = "/admin/activity";
const OWN_PATH: &str = "/settings/activity";
/// Calls on one page.
const SHOWN: u32 = 50;
/// People to choose from when a name fits several.
const CHOICES: u32 = 10;
const SECONDS_OF_A_DAY: u64 = 24 * 60 * 60;

#[derive(Template)]
#[template(path = "activity.html")]
struct ActivityPage<'a> {
    frame: Frame,
    about: About,
    for_admins: bool,
    /// How long calls are kept.
    days: u64,
    person: Whose,
    clients: Vec<Choice>,
    tools: Vec<Choice>,
    /// As it stands in the field.
    since: &'a str,
    is_filtered: bool,
    calls: Vec<Row>,
    is_first: bool,
    next: Option<String>,
}

/// Whose calls an admin asked for.
#[derive(Default)]
struct Whose {
    /// What was typed and did not name one person.
    text: String,
    /// The one person.
    one: Option<Person>,
    /// Those of whom one could be meant.
    several: Vec<Person>,
    /// More than are offered.
    are_more: bool,
}

struct Person {
    id: String,
    name: String,
    email: String,
}

/// An option of a list.
struct Choice {
    value: String,
    name: String,
    is_chosen: bool,
}

/// A call.
struct Row {
    tool: String,
    outcome: &'static str,
    is_ok: bool,
    error_code: Option<String>,
    person_id: String,
    person: String,
    /// For a query.
    client_id: String,
    client: String,
    targets: String,
    at: Moment,
    took: String,
}

/// GET /admin/activity: `person` (an id, a name or an address), `client_id`, `tool`, `since` (a day).
pub(super) async fn show_all(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let persona = company::shown(visit, visitor, company::is_admin)?;
    let whose = match visit.parameter("person").map(str::trim) {
        None | Some("") => Whose::default(),
        Some(text) => find(pages, visitor, persona, text).await?,
    };
    show(pages, visit, visitor, persona, Some(whose)).await
}

/// GET /settings/activity: `client_id`, `tool`, `since`.
pub(super) async fn show_own(pages: &Pages, visit: &Visit) -> Outcome {
    let visitor = visit.visitor()?;
    let persona = company::shown(visit, visitor, company::anybody)?;
    show(pages, visit, visitor, persona, None).await
}

async fn show(
    pages: &Pages,
    visit: &Visit,
    visitor: &Visitor,
    persona: &Persona,
    whose: Option<Whose>,
) -> Outcome {
    let (who, company, zone) = (&visitor.principal, persona.workspace_id, persona.timezone.as_deref());
    let for_admins = whose.is_some();
    let person = whose.unwrap_or_default();
    let of = match &person.one {
        _ if !for_admins => Some(Some(persona.user_id)),
        Some(one) => Some(UserId::parse(&one.id)),
        // until it is said who is meant, nobody is
        None if !person.text.is_empty() => Some(None),
        None => None,
    };
    let (client, tool, since) =
        (visit.parameter("client_id"), visit.parameter("tool"), visit.parameter("since"));
    let day = since.map(|text| start_of_day(text, zone).ok_or_else(no_day)).transpose()?;
    let filter = CallFilter {
        of,
        client_id: client.map(str::to_owned),
        tool: tool.map(str::to_owned),
        since: day,
        ..CallFilter::default()
    };
    let cursor = visit.parameter("cursor");
    let request = PageRequest { limit: SHOWN, cursor };
    let Page { items, next_cursor } = pages.world.list_tool_calls(who, company, filter, request).await?;
    let own = (!for_admins).then_some(persona.user_id);
    let known = pages.world.clients_of_tool_calls(who, company, own).await?;

    let (path, eligible) = match for_admins {
        true => (ADMIN_PATH, company::is_admin as fn(&Persona) -> bool),
        false => (OWN_PATH, company::anybody as fn(&Persona) -> bool),
    };
    let chosen = person.one.as_ref().map(|one| one.id.as_str());
    let kept = [("person", chosen), ("client_id", client), ("tool", tool), ("since", since)];
    let page = ActivityPage {
        frame: company::frame(
            pages,
            visit,
            if for_admins { "Activity" } else { "Your assistants' activity" },
        ),
        about: About::new(path, visitor, persona, eligible).keeping(&kept),
        for_admins,
        days: pages.world.settings.audit_life.as_secs() / SECONDS_OF_A_DAY,
        clients: clients(known, client),
        tools: tools(tool),
        since: since.unwrap_or_default(),
        is_filtered: kept.iter().any(|(_, value)| value.is_some()) || !person.text.is_empty(),
        person,
        calls: rows(pages, visitor, persona, items).await?,
        is_first: cursor.is_none(),
        next: next_cursor,
    };
    answer::page(StatusCode::OK, &page)
}

fn no_day() -> Trouble {
    Trouble::invalid("The day must be written as year, month and day, such as 2026-11-20.")
}

/// The person of an id, a name or an address.
async fn find(pages: &Pages, visitor: &Visitor, persona: &Persona, text: &str) -> Result<Whose, Trouble> {
    let (who, company) = (&visitor.principal, persona.workspace_id);
    if let Some(id) = UserId::parse(text) {
        let name = pages.world.names_of(who, company, vec![id]).await?.pop().map(|(_, name)| name);
        let name = name.unwrap_or_else(|| "Somebody who is not here".to_owned());
        let one = Some(Person { id: id.encode(), name, email: String::new() });
        return Ok(Whose { one, ..Whose::default() });
    }
    let request = PageRequest { limit: CHOICES, cursor: None };
    let found = pages.world.list_everybody(who, company, Some(text), request).await?;
    let people = found.items.into_iter().filter(|user| !user.is_bot);
    let mut people: Vec<_> = people
        .map(|user| Person { id: user.id.encode(), name: user.name, email: user.email.unwrap_or_default() })
        .collect();
    let are_more = found.next_cursor.is_some();
    if people.len() == 1 && !are_more {
        return Ok(Whose { one: people.pop(), ..Whose::default() });
    }
    Ok(Whose { text: text.to_owned(), one: None, several: people, are_more })
}

/// The clients to choose from; those of one name are told apart by the end of their ids.
fn clients(known: Vec<(String, String)>, chosen: Option<&str>) -> Vec<Choice> {
    let mut known = known;
    if let Some(chosen) = chosen.filter(|chosen| known.iter().all(|(id, _)| id != chosen)) {
        known.push((chosen.to_owned(), chosen.to_owned()));
    }
    let mut names: HashMap<String, usize> = HashMap::new();
    for (_, name) in &known {
        *names.entry(name.clone()).or_default() += 1;
    }
    let choice = |(id, name): (String, String)| Choice {
        is_chosen: Some(id.as_str()) == chosen,
        name: match names.get(&name) {
            Some(2..) => format!("{name} ({})", words::ending(&id)),
            _ => name,
        },
        value: id,
    };
    known.into_iter().map(choice).collect()
}

fn tools(chosen: Option<&str>) -> Vec<Choice> {
    let known = READ_TOOLS.into_iter().chain(WRITE_TOOLS);
    let other = chosen.filter(|tool| known.clone().all(|known| known != *tool));
    let all = known.chain(other);
    all.map(|tool| Choice {
        value: tool.to_owned(),
        name: words::tool(tool),
        is_chosen: Some(tool) == chosen,
    })
    .collect()
}

async fn rows(
    pages: &Pages,
    visitor: &Visitor,
    persona: &Persona,
    calls: Vec<ToolCall>,
) -> Result<Vec<Row>, Trouble> {
    let (who, company) = (&visitor.principal, persona.workspace_id);
    let mut ids: Vec<UserId> = calls.iter().map(|call| call.user_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let people: HashMap<UserId, String> =
        pages.world.names_of(who, company, ids).await?.into_iter().collect();
    let names = pages.world.names_of_targets(who, company, &calls).await?;
    let names: HashMap<String, TargetName> = names.into_iter().map(|name| (name.id.clone(), name)).collect();
    let row = |call: ToolCall| Row {
        tool: words::tool(&call.tool),
        outcome: words::tool_end(call.outcome),
        is_ok: call.outcome == ToolEnd::Ok,
        person_id: call.user_id.encode(),
        person: people.get(&call.user_id).cloned().unwrap_or_default(),
        client_id: url::form_urlencoded::byte_serialize(call.client_id.as_bytes()).collect(),
        targets: words::targets(&call.targets, call.more_targets, &names),
        at: moment(call.at, persona.timezone.as_deref()),
        took: words::took(call.took),
        error_code: call.error_code,
        client: call.display_name,
    };
    Ok(calls.into_iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_of_one_name_are_told_apart() {
        let known = [
            ("mcpc_aaaaaa111111", "Claude Code"),
            ("mcpc_bbbbbb222222", "Claude Code"),
            ("https://x/y", "X"),
        ];
        let known = known.map(|(id, name)| (id.to_owned(), name.to_owned())).to_vec();
        let choices = clients(known, Some("https://x/y"));
        let names: Vec<_> = choices.iter().map(|choice| choice.name.as_str()).collect();
        assert_eq!(names, ["Claude Code (…111111)", "Claude Code (…222222)", "X"]);
        assert!(choices[2].is_chosen && !choices[0].is_chosen);
        // one that is not among them is offered all the same, or the form would drop it
        assert_eq!(clients(Vec::new(), Some("mcpc_x")).len(), 1);
    }

    #[test]
    fn tools_have_names_for_people() {
        assert_eq!(tools(None).len(), READ_TOOLS.len() + WRITE_TOOLS.len());
        let choices = tools(Some("a_new_one"));
        assert_eq!(
            choices.last().map(|choice| (choice.name.as_str(), choice.is_chosen)),
            Some(("a_new_one", true))
        );
    }
}
