//! The tools `whoami`, `list_people` and `get_person`.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    Tool, ToolId, ToolResult, ToolRun,
    arguments::{self, Arg, ArgumentKind, CURSOR},
    failure, render_json, render_text,
};
use crate::{
    domain::{grant::AccessScope, refusal::Code, search},
    service::{Result, employee::people::PeopleFilter},
};

const DEFAULT_LIMIT: u32 = 100;

const LIST_ARGUMENTS: &[Arg] = &[
    Arg::optional(
        "name",
        ArgumentKind::Text(100),
        "Only people where each of the given words is a word, or the beginning of a word, in the name, display name, \
         title or e-mail address. Must contain at least one word.",
    ),
    Arg::optional("include_inactive", ArgumentKind::Flag, "Also deactivated and removed people."),
    Arg::optional("limit", ArgumentKind::Count(200, DEFAULT_LIMIT), "Maximum number of people per page."),
    CURSOR,
];

const GET_ARGUMENTS: &[Arg] =
    &[Arg::required("person", ArgumentKind::Person, "The person, by id or e-mail address.")];

pub(super) fn who_am_i() -> Tool {
    let text = || json!({"type": "string"});
    let workspace = [("id", text()), ("name", text()), ("domain", json!({"type": ["string", "null"]}))];
    let connection = [
        ("id", text()),
        ("label", json!({"type": "string", "description": "Shown on messages sent through the connection."})),
        ("scopes", json!({"type": "array", "items": text()})),
    ];
    Tool {
        id: ToolId::WhoAmI,
        title: "Who am I",
        description: "Returns the employee you act for, the company, the label of your messages, and your scopes.",
        input: arguments::schema(&[]),
        output: render_json::object(
            &[
                ("user", render_json::user_schema()),
                ("workspace", render_json::object(&workspace, &[])),
                ("connection", render_json::object(&connection, &[])),
            ],
            &[],
        ),
        destructive: false,
        idempotent: true,
        arguments: &[],
        errors: "none of its own",
        example: "{}",
    }
}

pub(super) fn list() -> Tool {
    Tool {
        id: ToolId::ListPeople,
        title: "List people",
        description: "Lists the people of the company as its members see them, in order of creation. Use it to find \
            a person by name.",
        input: arguments::schema(LIST_ARGUMENTS),
        output: render_json::page("users", &render_json::user_schema(), &[]),
        destructive: false,
        idempotent: true,
        arguments: LIST_ARGUMENTS,
        errors: "`invalid_request` (no word in the name)",
        example: r#"{"name": "anna"}"#,
    }
}

pub(super) fn get() -> Tool {
    Tool {
        id: ToolId::GetPerson,
        title: "Get a person",
        description: "Returns a person of the company, by id or e-mail address, or the bot of an app, by id.",
        input: arguments::schema(GET_ARGUMENTS),
        output: render_json::object(&[("user", render_json::user_schema())], &[]),
        destructive: false,
        idempotent: true,
        arguments: GET_ARGUMENTS,
        errors: "`user_not_found`",
        example: r#"{"person": "anna@example.com"}"#,
    }
}

impl ToolRun<'_> {
    pub(super) async fn who_am_i(&self) -> Result<ToolResult> {
        let (user, workspace) = self.assistant.identity().await?;
        let scopes: Vec<_> = self.connected.scopes().iter().map(AccessScope::name).collect();
        let mut text = format!(
            "You act for {} ({}) in {} ({}). What you send is labelled \"{}\". Scopes: {}.\n",
            render_text::name(&user.name),
            user.id,
            render_text::name(&workspace.name),
            workspace.id,
            render_text::name(self.connected.display_name()),
            scopes.join(" ")
        );
        render_text::person(&mut text, &user);
        let structured = json!({
            "user": render_json::user(&user),
            "workspace": {"id": workspace.id, "name": workspace.name, "domain": workspace.domain},
            "connection": {
                "id": self.connected.connection_id(),
                "label": self.connected.display_name(),
                "scopes": scopes,
            },
        });
        Ok(ToolResult::of(structured, text, vec![user.id.encode()]))
    }

    /// Returns the argument `name` of a tool that lists people or conversations. Rejects a text without words, because
    /// it would match everything.
    pub(super) fn name_filter(&self) -> Result<Option<String>> {
        match self.given.text("name") {
            Some(name) if search::words(name).is_empty() => Err(failure::invalid("name must contain a word")),
            name => Ok(name.map(str::to_owned)),
        }
    }

    /// Returns whether the call requests the first page of a list that is filtered by name.
    pub(super) fn is_new_search(&self) -> bool {
        self.given.text("name").is_some() && self.given.text("cursor").is_none()
    }

    pub(super) async fn list_people(&self) -> Result<ToolResult> {
        let filter =
            PeopleFilter { name: self.name_filter()?, inactive: self.given.flag("include_inactive") };
        let page = self.assistant.list_people(filter, self.given.page(DEFAULT_LIMIT)).await?;
        let mut text = format!("{}.\n", render_text::counted(page.items.len(), "person"));
        for user in &page.items {
            render_text::person(&mut text, user);
        }
        if page.items.is_empty() && page.next_cursor.is_none() && self.is_new_search() {
            let _ = writeln!(text, "Try another spelling or only a part of the name.");
        }
        render_text::more(&mut text, page.next_cursor.as_deref());
        let users: Vec<_> = page.items.iter().map(render_json::user).collect();
        let structured = json!({"users": users, "next_cursor": page.next_cursor});
        Ok(ToolResult::of(structured, text, Vec::new()))
    }

    pub(super) async fn get_person(&self) -> Result<ToolResult> {
        let Some(person) = self.given.person("person") else { return Err(Code::UserNotFound.into()) };
        let user = self.assistant.person(person).await?;
        let mut text = String::new();
        render_text::person(&mut text, &user);
        let structured = json!({"user": render_json::user(&user)});
        Ok(ToolResult::of(structured, text, vec![user.id.encode()]))
    }
}
