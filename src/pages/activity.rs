//! The tool calls of assistants: `/admin/activity` lists the calls of a company, and `/settings/activity` the calls of
//! the visitor's own assistants.

use std::collections::HashMap;

use askama::Template;
use poem::http::StatusCode;

use super::{
    Outcome, Pages, answer,
    company::{self, CompanyHeading},
    context::PageContext,
    error_page::PageError,
    frame::Frame,
    labels,
    local_time::{LocalTime, local_time, start_of_day},
    visitor::Visitor,
};
use crate::{
    domain::{
        ids::UserId,
        tool_calls::{ToolEnd, ToolId},
    },
    service::{
        paging::{Page, PageRequest},
        people::OwnPerson,
        tool_calls::{CallFilter, TargetName, ToolCallView},
    },
};

const ADMIN_PATH: &str = "/admin/activity";
const OWN_PATH: &str = "/settings/activity";
/// Calls per page.
const PAGE_SIZE: u32 = 50;
/// Maximum number of people who are offered if the text of the filter is ambiguous.
const MAX_CHOICES: u32 = 10;
const SECONDS_OF_A_DAY: u64 = 24 * 60 * 60;

#[derive(Template)]
#[template(path = "activity.html")]
struct ActivityPage<'a> {
    frame: Frame,
    heading: CompanyHeading,
    for_admins: bool,
    /// Retention of calls, such as `90 days`.
    retention: String,
    person: PersonFilter,
    clients: Vec<FilterOption>,
    tools: Vec<FilterOption>,
    /// The text in the field `since`.
    since: &'a str,
    is_filtered: bool,
    calls: Vec<ToolCallRow>,
    is_first: bool,
    next: Option<String>,
}

/// The filter with which an admin limits the list to the calls of one person.
#[derive(Default)]
struct PersonFilter {
    /// The text of the filter if it does not identify exactly one person.
    text: String,
    /// The identified person.
    one: Option<PersonOption>,
    /// The people that the text could mean.
    several: Vec<PersonOption>,
    /// Whether more people match than are offered.
    are_more: bool,
}

struct PersonOption {
    id: String,
    name: String,
    email: String,
}

/// An option of a select element.
struct FilterOption {
    value: String,
    name: String,
    is_chosen: bool,
}

struct ToolCallRow {
    tool: String,
    outcome: &'static str,
    is_ok: bool,
    error_code: Option<String>,
    person_id: String,
    person: String,
    /// The client id, percent-encoded for a query.
    client_id: String,
    client: String,
    targets: String,
    at: LocalTime,
    took: String,
}

/// GET /admin/activity. These query parameters filter the list: `person` (an id, a name or an e-mail address),
/// `client_id`, `tool`, `since` (a day).
pub(super) async fn show_all(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.visitor()?;
    let own_person = company::shown(context, visitor, company::is_admin)?;
    let person_filter = match context.parameter("person").map(str::trim) {
        None | Some("") => PersonFilter::default(),
        Some(text) => find_person(visitor, own_person, text).await?,
    };
    show(pages, context, visitor, own_person, Some(person_filter)).await
}

/// GET /settings/activity. These query parameters filter the list: `client_id`, `tool`, `since` (a day).
pub(super) async fn show_own(pages: &Pages, context: &PageContext) -> Outcome {
    let visitor = context.visitor()?;
    let own_person = company::shown(context, visitor, company::anybody)?;
    show(pages, context, visitor, own_person, None).await
}

async fn show(
    pages: &Pages,
    context: &PageContext,
    visitor: &Visitor,
    own_person: &OwnPerson,
    person_filter: Option<PersonFilter>,
) -> Outcome {
    let company = visitor.caller.in_company(own_person.workspace_id)?;
    let for_admins = person_filter.is_some();
    let person = person_filter.unwrap_or_default();
    let of = match &person.one {
        _ if !for_admins => Some(Some(own_person.user_id)),
        Some(one) => Some(UserId::parse(&one.id)),
        // if the text identifies no person or several people, no calls match
        None if !person.text.is_empty() => Some(None),
        None => None,
    };
    let (client, tool, since) =
        (context.parameter("client_id"), context.parameter("tool"), context.parameter("since"));
    let day = since
        .map(|text| start_of_day(text, own_person.timezone.as_deref()).ok_or_else(invalid_day))
        .transpose()?;
    let filter = CallFilter {
        of,
        client_id: client.map(str::to_owned),
        tool: tool.map(str::to_owned),
        since: day,
        ..CallFilter::default()
    };
    let cursor = context.parameter("cursor");
    let request = PageRequest { limit: PAGE_SIZE, cursor };
    let Page { items, next_cursor } = company.list_tool_calls(filter, request).await?;
    let own = (!for_admins).then_some(own_person.user_id);
    let known = company.clients_of_tool_calls(own).await?;

    let (path, eligible) = match for_admins {
        true => (ADMIN_PATH, company::is_admin as fn(&OwnPerson) -> bool),
        false => (OWN_PATH, company::anybody as fn(&OwnPerson) -> bool),
    };
    let chosen = person.one.as_ref().map(|one| one.id.as_str());
    let kept = [("person", chosen), ("client_id", client), ("tool", tool), ("since", since)];
    let page = ActivityPage {
        frame: company::frame(
            pages,
            context,
            own_person,
            if for_admins { "Activity" } else { "Your assistants' activity" },
        ),
        heading: CompanyHeading::new(path, visitor, own_person, eligible).keeping(&kept),
        for_admins,
        retention: match pages.world.settings.audit_life.as_secs() / SECONDS_OF_A_DAY {
            1 => "1 day".to_owned(),
            days => format!("{days} days"),
        },
        clients: clients(known, client),
        tools: tools(tool),
        since: since.unwrap_or_default(),
        is_filtered: kept.iter().any(|(_, value)| value.is_some()) || !person.text.is_empty(),
        person,
        calls: rows(visitor, own_person, items).await?,
        is_first: cursor.is_none(),
        next: next_cursor,
    };
    answer::page(StatusCode::OK, &page)
}

fn invalid_day() -> PageError {
    PageError::invalid("The day must be a date such as 2026-11-20.")
}

/// Finds a person by id, name or e-mail address.
async fn find_person(
    visitor: &Visitor,
    own_person: &OwnPerson,
    text: &str,
) -> Result<PersonFilter, PageError> {
    let company = visitor.caller.in_company(own_person.workspace_id)?;
    if let Some(id) = UserId::parse(text) {
        let name = company.names_of(vec![id]).await?.pop().map(|(_, name)| name);
        let name = name.unwrap_or_else(|| "Unknown person".to_owned());
        let one = Some(PersonOption { id: id.encode(), name, email: String::new() });
        return Ok(PersonFilter { one, ..PersonFilter::default() });
    }
    let request = PageRequest { limit: MAX_CHOICES, cursor: None };
    let found = visitor.caller.admin_of(own_person.workspace_id)?.list_people(Some(text), request).await?;
    let are_more = found.next_cursor.is_some();
    let people = found.items.into_iter();
    let mut people: Vec<_> = people
        .map(|user| PersonOption {
            id: user.id.encode(),
            name: user.name,
            email: user.email.unwrap_or_default(),
        })
        .collect();
    if people.len() == 1 && !are_more {
        return Ok(PersonFilter { one: people.pop(), ..PersonFilter::default() });
    }
    Ok(PersonFilter { text: text.to_owned(), one: None, several: people, are_more })
}

/// Returns the clients as options. If several clients have the same name, each of their options also shows the end of
/// the client id.
fn clients(known: Vec<(String, String)>, chosen: Option<&str>) -> Vec<FilterOption> {
    let mut known = known;
    if let Some(chosen) = chosen.filter(|chosen| known.iter().all(|(id, _)| id != chosen)) {
        known.push((chosen.to_owned(), chosen.to_owned()));
    }
    let mut names: HashMap<String, usize> = HashMap::new();
    for (_, name) in &known {
        *names.entry(name.clone()).or_default() += 1;
    }
    let choice = |(id, name): (String, String)| FilterOption {
        is_chosen: Some(id.as_str()) == chosen,
        name: match names.get(&name) {
            Some(2..) => format!("{name} ({})", labels::ending(&id)),
            _ => name,
        },
        value: id,
    };
    known.into_iter().map(choice).collect()
}

fn tools(chosen: Option<&str>) -> Vec<FilterOption> {
    let other = chosen.filter(|tool| ToolId::from_name(tool).is_none());
    let all = ToolId::ALL.iter().map(|tool| tool.name()).chain(other);
    all.map(|tool| FilterOption {
        value: tool.to_owned(),
        name: labels::tool(tool),
        is_chosen: Some(tool) == chosen,
    })
    .collect()
}

async fn rows(
    visitor: &Visitor,
    own_person: &OwnPerson,
    calls: Vec<ToolCallView>,
) -> Result<Vec<ToolCallRow>, PageError> {
    let company = visitor.caller.in_company(own_person.workspace_id)?;
    let mut ids: Vec<UserId> = calls.iter().map(|call| call.user_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let people: HashMap<UserId, String> = company.names_of(ids).await?.into_iter().collect();
    let names = company.names_of_targets(&calls).await?;
    let names: HashMap<String, TargetName> = names.into_iter().map(|name| (name.id.clone(), name)).collect();
    let row = |call: ToolCallView| ToolCallRow {
        tool: labels::tool(&call.tool),
        outcome: labels::tool_end(call.outcome),
        is_ok: call.outcome == ToolEnd::Ok,
        person_id: call.user_id.encode(),
        person: people.get(&call.user_id).cloned().unwrap_or_default(),
        client_id: url::form_urlencoded::byte_serialize(call.client_id.as_bytes()).collect(),
        targets: labels::targets(&call.targets, call.more_targets, &names),
        at: local_time(call.at, own_person.timezone.as_deref()),
        took: labels::took(call.took),
        error_code: call.error_code,
        client: call.display_name,
    };
    Ok(calls.into_iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_with_the_same_name_are_distinguished() {
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
        // a chosen client that is not in the list is offered too, so that the form keeps the filter
        assert_eq!(clients(Vec::new(), Some("mcpc_x")).len(), 1);
    }

    #[test]
    fn a_chosen_tool_that_does_not_exist_is_offered_too() {
        assert_eq!(tools(None).len(), ToolId::ALL.len());
        let choices = tools(Some("a_new_one"));
        assert_eq!(
            choices.last().map(|choice| (choice.name.as_str(), choice.is_chosen)),
            Some(("a_new_one", true))
        );
    }
}
