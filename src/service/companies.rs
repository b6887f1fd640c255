//! Companies and their settings.

use super::{
    Stamp,
    callers::{CompanyAdmin, Operator},
    check_visible, oauth,
    paging::{Page, PageRequest},
    refuse, view,
};
use crate::{
    domain::{
        assistant::sending::AssistantSends,
        cursor::CursorScope,
        email,
        ids::WorkspaceId,
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    store::{
        Op, ReadOp, ReadSql, Result, Sql, op,
        workspaces::{self, Workspace},
    },
};

/// The values allowed for the maximum lifetime of an assistant's connection, in hours.
pub const SESSION_HOURS: std::ops::RangeInclusive<i64> = 1..=8760;

view! {
    /// A company with its settings, as it is shown to the operator and the company's admins.
    CompanyView of Workspace {
        id: WorkspaceId,
        name: String,
        /// The company's e-mail domain.
        domain: Option<String>,
        /// Whether assistants may be connected.
        ai_assistants: bool,
        /// Maximum lifetime of an assistant's connection, in hours; `None` for no limit.
        max_session_hours: Option<i64>,
        /// Who sends the drafts of the company's assistants.
        assistant_sends: AssistantSends,
        created_at: Timestamp,
    }
}

view! {
    /// A company as it is shown to its people and bots.
    VisibleCompany of Workspace {
        id: WorkspaceId,
        name: String,
        domain: Option<String>,
    }
}

/// A company to create.
#[derive(Clone, Debug)]
pub struct NewCompany {
    /// Name shown to people.
    pub name: String,
    /// The company's e-mail domain.
    pub domain: Option<String>,
}

/// A company's settings for assistants. A page for the company's admins shows and changes all of them in one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssistantSettings {
    /// Whether assistants may be connected.
    pub ai_assistants: bool,
    /// Maximum lifetime of an assistant's connection, in hours; `None` for no limit.
    pub max_session_hours: Option<i64>,
    /// Who sends the drafts of the company's assistants.
    pub assistant_sends: AssistantSends,
}

impl CompanyView {
    /// Returns the settings for assistants.
    #[must_use]
    pub const fn assistant_settings(&self) -> AssistantSettings {
        AssistantSettings {
            ai_assistants: self.ai_assistants,
            max_session_hours: self.max_session_hours,
            assistant_sends: self.assistant_sends,
        }
    }
}

/// Changes to a company; `None` leaves a setting unchanged, `Some(None)` clears it.
#[derive(Clone, Debug, Default)]
pub struct CompanyChange {
    /// Name shown to people.
    pub name: Option<String>,
    /// The company's e-mail domain.
    pub domain: Option<Option<String>>,
    /// Whether assistants may be connected.
    pub ai_assistants: Option<bool>,
    /// Maximum lifetime of an assistant's connection in hours, within [`SESSION_HOURS`]; `Some(None)` for no limit.
    pub max_session_hours: Option<Option<i64>>,
    /// Who sends the drafts of the company's assistants.
    pub assistant_sends: Option<AssistantSends>,
    /// The settings for assistants that the admin has seen. If the stored settings differ, the whole change is
    /// rejected. `None` accepts any stored settings.
    pub expected: Option<AssistantSettings>,
}

impl Operator<'_> {
    /// Creates a company without people. The company allows assistants.
    ///
    /// # Errors
    /// `invalid_request` for a name without visible characters, and for an invalid domain.
    pub async fn create_company(self, new: NewCompany) -> Result<CompanyView> {
        check_visible("name", Some(&new.name))?;
        check_domain(new.domain.as_deref())?;
        let stamp = self.world().stamp();
        let company = Workspace {
            id: WorkspaceId(stamp.id()?),
            name: new.name,
            domain: new.domain,
            ai_assistants: true,
            max_session_hours: None,
            assistant_sends: AssistantSends::Direct,
            created_at: stamp.now,
        };
        Ok(self.caller().write(CreateCompany(company)).await?.into())
    }

    /// Lists all companies in order of creation.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_companies(self, request: PageRequest<'_>) -> Result<Page<CompanyView>> {
        let scope = CursorScope {
            endpoint: "admin.workspaces",
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: "",
        };
        let after = self.world().position(&scope, request.cursor, 0)?;
        let found =
            self.world().db.read(ListCompanies { after, limit: i64::from(request.limit) + 1 }).await?;
        Ok(self.world().page(&scope, request.limit, found, |w| w.id.0).map(CompanyView::from))
    }
}

impl CompanyAdmin<'_> {
    /// Returns the company with its settings.
    ///
    /// # Errors
    /// `not_found` for an unknown company.
    pub async fn company(self) -> Result<CompanyView> {
        Ok(self.world().db.read(FindCompany(self.company_id())).await?.into())
    }

    /// Changes the company's name, domain and settings for assistants. Turning assistants off revokes every connection
    /// of the company. A change of the maximum lifetime revokes the connections that exceed the new maximum
    /// . It also revokes the connections that exceed the previous maximum, so that a longer maximum does not
    /// make an expired connection active again.
    ///
    /// The response waits for transactions that write on behalf of the company's assistants and began before the
    /// commit. So if the change makes the company's people confirm drafts ([`AssistantSends::Confirm`]), no call in
    /// progress posts a draft after the response.
    ///
    /// # Errors
    /// - `invalid_request` for a name without visible characters, for an invalid domain, and for hours outside
    ///   [`SESSION_HOURS`].
    /// - `not_found` for an unknown company.
    /// - `conflict` if the stored settings for assistants differ from [`CompanyChange::expected`].
    pub async fn change_company(self, change: CompanyChange) -> Result<CompanyView> {
        check_visible("name", change.name.as_deref())?;
        check_domain(change.domain.as_ref().and_then(Option::as_deref))?;
        if change.max_session_hours.flatten().is_some_and(|hours| !SESSION_HOURS.contains(&hours)) {
            let why = "max_session_hours must be from 1 to 8760";
            return Err(Refusal::because(Code::InvalidRequest, why).into());
        }
        let op = ChangeCompany { stamp: self.world().stamp(), id: self.company_id(), change };
        Ok(self.caller().write(op).await?.into())
    }
}

fn check_domain(domain: Option<&str>) -> Result<()> {
    if domain.is_some_and(|domain| !email::is_domain(domain)) {
        let why = "domain must be a host name, such as example.com";
        return Err(Refusal::because(Code::InvalidRequest, why).into());
    }
    Ok(())
}

struct CreateCompany(Workspace);

impl Op for CreateCompany {
    const NAME: &'static str = "create_company";
    type Out = Workspace;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Workspace> {
        workspaces::insert(c, &self.0).await?;
        Ok(self.0.clone())
    }
}

struct ListCompanies {
    after: i64,
    limit: i64,
}

op! {
    ReadOp "list_companies", REPLICA: ListCompanies -> Vec<Workspace> =
        |op, c| workspaces::page(c, op.after, op.limit)
}

struct FindCompany(WorkspaceId);

impl ReadOp for FindCompany {
    const NAME: &'static str = "find_company";
    type Out = Workspace;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Workspace> {
        match workspaces::by_id(c, self.0).await? {
            Some(company) => Ok(company),
            None => refuse(Code::NotFound),
        }
    }
}

struct ChangeCompany {
    stamp: Stamp,
    id: WorkspaceId,
    change: CompanyChange,
}

impl Op for ChangeCompany {
    const NAME: &'static str = "change_company";
    type Out = Workspace;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Workspace> {
        let Some(before) = workspaces::by_id_for_update(c, self.id).await? else {
            return refuse(Code::NotFound);
        };
        let mut company = before.clone();
        let CompanyChange { name, domain, ai_assistants, max_session_hours, assistant_sends, expected } =
            self.change.clone();
        // Checked in the transaction: if two admins have seen the same settings and both change them, the second
        // admin's change is rejected.
        if expected.is_some_and(|seen| seen != CompanyView::from(before.clone()).assistant_settings()) {
            return refuse(Code::Conflict);
        }
        company.name = name.unwrap_or(company.name);
        company.domain = domain.unwrap_or(company.domain);
        company.ai_assistants = ai_assistants.unwrap_or(company.ai_assistants);
        company.max_session_hours = max_session_hours.unwrap_or(company.max_session_hours);
        company.assistant_sends = assistant_sends.unwrap_or(company.assistant_sends);
        if company != before {
            workspaces::update(c, &company).await?;
        }
        oauth::connections::revoke_by_settings(c, &before, &company, self.stamp.now).await?;
        Ok(company)
    }
}
