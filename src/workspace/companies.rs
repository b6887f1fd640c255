//! Companies and their settings. Called by the admin room and the pages.

use super::{
    Stamp, World, assistants,
    principal::Principal,
    reading::{Page, PageRequest},
    refuse,
};
use crate::{
    domain::{
        cursor::CursorScope,
        email,
        ids::WorkspaceId,
        refusal::{Code, Refusal},
    },
    store::{
        Op, Result, Sql,
        workspaces::{self, Workspace},
    },
};

/// What the longest life of an assistant's connection may be, in hours.
pub const SESSION_HOURS: std::ops::RangeInclusive<i64> = 1..=8760;

/// A company about to be created.
#[derive(Clone, Debug)]
pub struct NewCompany {
    /// As people see it.
    pub name: String,
    /// The company's e-mail domain.
    pub domain: Option<String>,
}

/// What changes in a company; `None` leaves a setting as it is, an inner `None` clears it.
#[derive(Clone, Debug, Default)]
pub struct CompanyChange {
    /// As people see it.
    pub name: Option<String>,
    /// The company's e-mail domain.
    pub domain: Option<Option<String>>,
    /// Whether assistants may be connected.
    pub ai_assistants: Option<bool>,
    /// How long an assistant's connection may live, in [`SESSION_HOURS`].
    pub max_session_hours: Option<Option<i64>>,
}

impl World {
    /// Creates a company without people, with assistants allowed.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `invalid_request` for a domain that is no host name.
    pub async fn create_company(&self, who: &Principal, new: NewCompany) -> Result<Workspace> {
        who.operator()?;
        check_domain(new.domain.as_deref())?;
        let at = self.stamp();
        let company = Workspace {
            id: WorkspaceId(at.id()?),
            name: new.name,
            domain: new.domain,
            ai_assistants: true,
            max_session_hours: None,
            created_at: at.now,
        };
        self.db.write(CreateCompany(company)).await
    }

    /// Every company, in order of creation.
    ///
    /// # Errors
    /// `forbidden` unless the operator asks; `invalid_cursor`.
    pub async fn list_companies(&self, who: &Principal, request: PageRequest<'_>) -> Result<Page<Workspace>> {
        who.operator()?;
        let scope = CursorScope {
            endpoint: "admin.workspaces",
            owner: who.cursor_owner(),
            conversation: None,
            filter: "",
        };
        let after = self.position(&scope, request.cursor, 0)?;
        let found = self.db.read(ListCompanies { after, limit: i64::from(request.limit) + 1 }).await?;
        Ok(self.page(&scope, request.limit, found, |w| w.id.0))
    }

    /// One company with its settings, for the operator and its admins.
    ///
    /// # Errors
    /// `not_found`, also for strangers; `forbidden` for its other people.
    pub async fn company(&self, who: &Principal, id: WorkspaceId) -> Result<Workspace> {
        who.administer(id, Code::NotFound)?;
        self.db.read(FindCompany(id)).await
    }

    /// Changes a company's settings, for the operator and its admins. Turning assistants off ends every connection of
    /// the company, a shorter maximum those that are older.
    ///
    /// # Errors
    /// `not_found`, also for strangers; `forbidden` for its other people; `invalid_request` for a domain that is
    /// no host name and for hours out of [`SESSION_HOURS`].
    pub async fn change_company(
        &self,
        who: &Principal,
        id: WorkspaceId,
        change: CompanyChange,
    ) -> Result<Workspace> {
        who.administer(id, Code::NotFound)?;
        check_domain(change.domain.as_ref().and_then(Option::as_deref))?;
        if change.max_session_hours.flatten().is_some_and(|hours| !SESSION_HOURS.contains(&hours)) {
            let why = "max_session_hours must be from 1 to 8760";
            return Err(Refusal::because(Code::InvalidRequest, why).into());
        }
        self.db.write(ChangeCompany { at: self.stamp(), id, change }).await
    }
}

fn check_domain(domain: Option<&str>) -> Result<()> {
    if domain.is_some_and(|domain| !email::is_domain(domain)) {
        return Err(Refusal::because(Code::InvalidRequest, "domain is not a domain name").into());
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

impl Op for ListCompanies {
    const NAME: &'static str = "list_companies";
    const REPLICA: bool = true;
    type Out = Vec<Workspace>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<Workspace>> {
        workspaces::page(c, self.after, self.limit).await
    }
}

struct FindCompany(WorkspaceId);

impl Op for FindCompany {
    const NAME: &'static str = "find_company";
    type Out = Workspace;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Workspace> {
        match workspaces::by_id(c, self.0).await? {
            Some(company) => Ok(company),
            None => refuse(Code::NotFound),
        }
    }
}

struct ChangeCompany {
    at: Stamp,
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
        let CompanyChange { name, domain, ai_assistants, max_session_hours } = self.change.clone();
        company.name = name.unwrap_or(company.name);
        company.domain = domain.unwrap_or(company.domain);
        company.ai_assistants = ai_assistants.unwrap_or(company.ai_assistants);
        company.max_session_hours = max_session_hours.unwrap_or(company.max_session_hours);
        workspaces::update(c, &company).await?;
        assistants::connections::end_by_settings(c, &before, &company, self.at.now).await?;
        Ok(company)
    }
}
