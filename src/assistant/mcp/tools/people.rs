//! `whoami`, `list_people` and `get_person`.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    Answer, Call, Need, Tool, Which,
    arguments::{self, Arg, CURSOR, Kind},
    failure, shapes, words,
};
use crate::{
    domain::{grant::AccessScope, refusal::Code, search},
    store::Result,
    workspace::employee::people::PeopleFilter,
};

const LIMIT: u32 = 100;

const OF_LIST: &[Arg] = &[
    Arg::optional(
        "name",
        Kind::Text(100),
        "Only people whose name, title or e-mail address has these words, or words that begin so. At least one word.",
    ),
    Arg::optional("include_inactive", Kind::Flag, "Also people whose accounts are deactivated or removed."),
    Arg::optional("limit", Kind::Count(200, LIMIT), "Most people of one page."),
    CURSOR,
];

const OF_GET: &[Arg] = &[Arg::needed("person", Kind::Person, "The person, by id or e-mail address.")];

pub(super) fn who_am_i() -> Tool {
    let text = || json!({"type": "string"});
    let workspace = [("id", text()), ("name", text()), ("domain", json!({"type": ["string", "null"]}))];
    let connection = [
        ("id", text()),
        ("label", json!({"type": "string", "description": "Shown on messages sent through the connection."})),
        ("scopes", json!({"type": "array", "items": text()})),
    ];
    Tool {
        name: "whoami",
        title: "Who am I",
        description: "Tells which employee you act for, in which company, under which label, and what you may do.",
        needs: Need::Read,
        input: arguments::schema(&[]),
        output: shapes::object(
            &[
                ("user", shapes::user_schema()),
                ("workspace", shapes::object(&workspace, &[])),
                ("connection", shapes::object(&connection, &[])),
            ],
            &[],
        ),
        read_only: true,
        destructive: false,
        idempotent: true,
        arguments: &[],
        which: Which::WhoAmI,
        example: "{}",
    }
}

pub(super) fn list() -> Tool {
    Tool {
        name: "list_people",
        title: "List people",
        description: "Lists the people of the company as its members see them, in order of creation. Use it to find \
            somebody by name.",
        needs: Need::Read,
        input: arguments::schema(OF_LIST),
        output: shapes::page("users", &shapes::user_schema(), &[]),
        read_only: true,
        destructive: false,
        idempotent: true,
        arguments: OF_LIST,
        which: Which::ListPeople,
        example: r#"{"name": "anna"}"#,
    }
}

pub(super) fn get() -> Tool {
    Tool {
        name: "get_person",
        title: "Get a person",
        description: "Shows one person of the company, or an app that writes there, by id or e-mail address.",
        needs: Need::Read,
        input: arguments::schema(OF_GET),
        output: shapes::object(&[("user", shapes::user_schema())], &[]),
        read_only: true,
        destructive: false,
        idempotent: true,
        arguments: OF_GET,
        which: Which::GetPerson,
        example: r#"{"person": "anna@example.com"}"#,
    }
}

impl Call<'_> {
    pub(super) async fn who_am_i(&self) -> Result<Answer> {
        let (user, workspace) = self.world.employee_self(self.who.into()).await?;
        let scopes: Vec<_> = self.who.scopes.iter().map(AccessScope::name).collect();
        let mut text = format!(
            "You act for {} ({}) in {} ({}). What you send is labelled \"{}\". Scopes: {}.\n",
            words::name(&user.name),
            user.id,
            words::name(&workspace.name),
            workspace.id,
            words::name(&self.who.display_name),
            scopes.join(" ")
        );
        words::person(&mut text, self.who.into(), &user);
        let structured = json!({
            "user": shapes::user(self.who.into(), &user),
            "workspace": {"id": workspace.id, "name": workspace.name, "domain": workspace.domain},
            "connection": {
                "id": self.who.connection_id,
                "label": self.who.display_name,
                "scopes": scopes,
            },
        });
        Ok(Answer::of(structured, text, vec![user.id.encode()]))
    }

    /// The words of a name that a list is narrowed by. Without one it would be the whole list.
    pub(super) fn name_filter(&self) -> Result<Option<String>> {
        match self.given.text("name") {
            Some(name) if search::words(name).is_empty() => {
                Err(failure::invalid("name has no word to look for"))
            }
            name => Ok(name.map(str::to_owned)),
        }
    }

    pub(super) async fn list_people(&self) -> Result<Answer> {
        let filter =
            PeopleFilter { name: self.name_filter()?, inactive: self.given.flag("include_inactive") };
        let page = self.world.employee_people(self.who.into(), filter, self.given.page(LIMIT)).await?;
        let mut text = format!("{}.\n", words::counted(page.items.len(), "person"));
        for user in &page.items {
            words::person(&mut text, self.who.into(), user);
        }
        if page.items.is_empty() {
            let _ = writeln!(text, "Try another spelling or only a part of the name.");
        }
        words::more(&mut text, page.next_cursor.as_deref());
        let users: Vec<_> = page.items.iter().map(|user| shapes::user(self.who.into(), user)).collect();
        let structured = json!({"users": users, "next_cursor": page.next_cursor});
        Ok(Answer::of(structured, text, Vec::new()))
    }

    pub(super) async fn get_person(&self) -> Result<Answer> {
        let Some(person) = self.given.person("person") else { return Err(Code::UserNotFound.into()) };
        let user = self.world.employee_person(self.who.into(), person).await?;
        let mut text = String::new();
        words::person(&mut text, self.who.into(), &user);
        let structured = json!({"user": shapes::user(self.who.into(), &user)});
        Ok(Answer::of(structured, text, vec![user.id.encode()]))
    }
}
