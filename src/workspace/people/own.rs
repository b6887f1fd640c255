//! What people see of themselves on their pages.

pub use crate::store::accounts::Persona;
use crate::{
    domain::{
        ids::{AccountId, UserId, WorkspaceId},
        refusal::Code,
    },
    store::{
        Op, Result, Sql, accounts,
        users::{self, AppChoice},
    },
    workspace::{
        World,
        principal::{Principal, Right},
        refuse,
    },
};

impl World {
    /// The persons a session speaks for, in the order they were added to their companies; none for the operator.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn personas(&self, who: &Principal) -> Result<Vec<Persona>> {
        let Principal::Account { account_id, persons, .. } = who else { return Ok(Vec::new()) };
        let mut personas = self.db.read(FindPersonas(*account_id)).await?;
        personas.retain(|persona| persons.iter().any(|person| person.user_id == persona.user_id));
        Ok(personas)
    }

    /// The apps that the caller may block, or has blocked, as their person of a company, by name.
    ///
    /// # Errors
    /// `user_not_found` in a company where the caller is nobody.
    pub async fn app_choices(&self, who: &Principal, workspace: WorkspaceId) -> Result<Vec<AppChoice>> {
        let person = who.right_in(workspace).and_then(Right::person);
        let Some(user) = person else { return refuse(Code::UserNotFound) };
        self.db.read(FindAppChoices { user, workspace }).await
    }
}

struct FindPersonas(AccountId);

impl Op for FindPersonas {
    const NAME: &'static str = "find_personas";
    type Out = Vec<Persona>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<Persona>> {
        accounts::personas(c, self.0).await
    }
}

struct FindAppChoices {
    user: UserId,
    workspace: WorkspaceId,
}

impl Op for FindAppChoices {
    const NAME: &'static str = "find_app_choices";
    type Out = Vec<AppChoice>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<AppChoice>> {
        users::app_choices(c, self.user, self.workspace).await
    }
}
