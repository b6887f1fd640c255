//! The demo's companies and people.

use std::{collections::BTreeSet, num::NonZeroU64};

use futures_util::future::try_join_all;
use serde_json::json;

use super::{
    Company, Demo, SeededPerson,
    client::{Seeder, given},
};
use switchboard_clients::admin::types;

use crate::cli::{
    client::accept,
    failure::{Failure, Result},
    paging::{self, PageArgs},
};

const FIRST: (&str, &str) = ("Lanternworks", "lanternworks");
const SECOND: (&str, &str) = ("Tidewater Studio", "tidewater");

/// A property of a person of the demo.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trait {
    Admin,
    SignsIn,
    HidesEmail,
    Guest,
    HiddenGuest,
    Onboarding,
}

use Trait::{Admin, Guest, HiddenGuest, HidesEmail, Onboarding, SignsIn};

struct PersonSpec {
    role: &'static str,
    name: &'static str,
    /// Local part of the e-mail address.
    local: &'static str,
    title: Option<&'static str>,
    timezone: Option<&'static str>,
    traits: &'static [Trait],
}

const fn spec(
    role: &'static str,
    name: &'static str,
    local: &'static str,
    traits: &'static [Trait],
) -> PersonSpec {
    PersonSpec { role, name, local, title: None, timezone: None, traits }
}

const IN_FIRST: [PersonSpec; 11] = [
    PersonSpec {
        title: Some("Head of operations"),
        timezone: Some("Europe/London"),
        ..spec("admin", "Grace Okafor", "grace", &[Admin, SignsIn])
    },
    PersonSpec {
        title: Some("Engineer"),
        timezone: Some("Europe/Stockholm"),
        ..spec("employee", "Ada Lindqvist", "ada", &[SignsIn])
    },
    spec("both_companies", "Mira Castell", "mira", &[SignsIn]),
    spec("hidden_email", "Kenji Mori", "kenji", &[HidesEmail]),
    spec("blocks_the_app", "Sven Aalto", "sven", &[]),
    spec("onboarding", "Noor Haddad", "noor", &[Onboarding]),
    spec("deactivated", "Tom Becker", "tom", &[]),
    spec("removed", "Ines Duarte", "ines", &[]),
    spec("guest", "Vera Novak", "vera", &[Guest, SignsIn]),
    spec("hidden_guest", "Paul Whitlock", "paul", &[HiddenGuest]),
    spec("second_employee", "Rosa Almeida", "rosa", &[]),
];

const IN_SECOND: [PersonSpec; 2] = [
    spec("other_admin", "Otto Brandt", "otto", &[Admin, SignsIn]),
    spec("other_employee", "Lea Sommer", "lea", &[]),
];

/// Creates the companies. Their e-mail domains differ from those of all other companies.
pub(super) async fn companies(seeder: &Seeder<'_>, demo: &mut Demo) -> Result<()> {
    let admin = seeder.server.admin();
    let everything = PageArgs::default();
    let found = paging::all("workspaces", &everything, async |cursor, limit: Option<NonZeroU64>| {
        admin.list_workspaces(Option::as_ref(&cursor), limit).await
    });
    let found = found.await?;
    let taken: BTreeSet<_> = found["workspaces"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|company| company["domain"].as_str())
        .collect();
    let suffix = free_suffix(|suffix| {
        [FIRST, SECOND].iter().any(|(_, stem)| taken.contains(domain(stem, suffix).as_str()))
    });
    for (role, (name, stem)) in [("first", FIRST), ("second", SECOND)] {
        let domain = domain(stem, &suffix);
        let body = types::WorkspaceCreate { name: given(name)?, domain: Some(given(&domain)?) };
        let id = accept(admin.create_workspace(&body)).await?.workspace.id;
        demo.workspaces.insert(role.to_owned(), Company { id, name: name.to_owned(), domain });
    }
    Ok(())
}

fn domain(stem: &str, suffix: &str) -> String {
    format!("{stem}{suffix}.example")
}

/// Returns the first of the suffixes `""`, `-2`, `-3`, … that is not taken.
fn free_suffix(is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2u32..).map(|number| format!("-{number}"));
    std::iter::once(String::new()).chain(numbered).find(|suffix| !is_taken(suffix)).unwrap_or_default()
}

/// Creates the people. All people are active or onboarding at first, so that they can post messages and join
/// conversations. `final_states` deactivates or removes some of them.
pub(super) async fn people(seeder: &Seeder<'_>, demo: &mut Demo) -> Result<()> {
    let (first, second) = (demo.workspaces["first"].clone(), demo.workspaces["second"].clone());
    let password = demo.password.clone();
    // people with passwords are created concurrently, because hashing is slow on purpose
    let (slow, quick): (Vec<_>, Vec<_>) = IN_FIRST
        .iter()
        .map(|spec| (spec, &first))
        .chain(IN_SECOND.iter().map(|spec| (spec, &second)))
        .partition(|(spec, _)| spec.traits.contains(&SignsIn));
    let added =
        try_join_all(slow.into_iter().map(|(spec, company)| add(seeder, spec, company, &password))).await?;
    demo.people.extend(added);
    for (spec, company) in quick {
        demo.people.extend([add(seeder, spec, company, &password).await?]);
    }
    // this person's account has a user in each company; the second user needs no password of its own
    let shared = &demo.people["both_companies"];
    let body = types::UserCreate {
        email: given(shared.email.as_deref().unwrap_or_default())?,
        ..new_person(&shared.name, "unused@example.com")?
    };
    let user = accept(seeder.server.admin().create_user(&second.id, &body)).await?.user;
    demo.people.insert("both_companies_in_second".to_owned(), person(user, Some(password)));
    Ok(())
}

async fn add(
    seeder: &Seeder<'_>,
    spec: &PersonSpec,
    company: &Company,
    password: &str,
) -> Result<(String, SeededPerson)> {
    let is = |wanted| spec.traits.contains(&wanted);
    let body = types::UserCreate {
        display_name: spec.name.split(' ').next().map(given).transpose()?,
        title: spec.title.map(given).transpose()?,
        timezone: spec.timezone.map(given).transpose()?,
        is_admin: Some(is(Admin)),
        is_external: Some(is(Guest) || is(HiddenGuest)),
        email_visible: Some(!is(HidesEmail)),
        guest_visible: Some(!is(HiddenGuest)),
        state: is(Onboarding).then_some(types::UserState::Onboarding),
        password: is(SignsIn).then(|| given(password)).transpose()?,
        ..new_person(spec.name, &format!("{}@{}", spec.local, company.domain))?
    };
    let user = accept(seeder.server.admin().create_user(&company.id, &body)).await?.user;
    Ok((spec.role.to_owned(), person(user, is(SignsIn).then(|| password.to_owned()))))
}

/// Returns the request that creates a person, without optional fields.
fn new_person(name: &str, email: &str) -> Result<types::UserCreate> {
    let required = json!({"name": name, "email": email});
    serde_json::from_value(required)
        .map_err(|error| Failure::Usage(format!("a person of the demo is not valid: {error}")))
}

pub(super) fn person(user: types::User, password: Option<String>) -> SeededPerson {
    SeededPerson {
        id: user.id,
        workspace_id: user.workspace_id,
        name: user.name,
        email: user.email,
        state: user.state.to_string(),
        password,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_demo_gets_other_domains() {
        assert_eq!(free_suffix(|_| false), "");
        assert_eq!(free_suffix(|suffix| ["", "-2"].contains(&suffix)), "-3");
    }

    #[test]
    fn all_people_have_distinct_roles_and_addresses() {
        let roles: BTreeSet<_> = IN_FIRST.iter().chain(&IN_SECOND).map(|spec| spec.role).collect();
        assert_eq!(roles.len(), IN_FIRST.len() + IN_SECOND.len());
        let addresses: BTreeSet<_> = IN_FIRST.iter().chain(&IN_SECOND).map(|spec| spec.local).collect();
        assert_eq!(addresses.len(), IN_FIRST.len() + IN_SECOND.len());
    }
}
