//! Adding a person to a company.

use super::{check_fields, check_roles, claim_address, identity, invalid, news};
use crate::{
    domain::{
        email,
        ids::{UserId, WorkspaceId},
        people::{UserState, email_key},
        refusal::Code,
        time::Timestamp,
    },
    platform::secrets::Secret,
    store::{
        Op, Result, Sql,
        users::{self, User},
    },
    workspace::{
        Stamp, World,
        principal::{Principal, Right},
    },
};

/// A person about to be added.
#[derive(Clone, Debug)]
pub struct NewPerson {
    /// The full name.
    pub name: String,
    /// Also the sign-in name.
    pub email: String,
    /// The first name.
    pub display_name: Option<String>,
    /// The job title.
    pub title: Option<String>,
    /// An IANA name.
    pub timezone: Option<String>,
    /// An `https` address.
    pub avatar_url: Option<String>,
    /// Administers the company.
    pub is_admin: bool,
    /// A guest from outside the company.
    pub is_external: bool,
    /// Whether colleagues see the address.
    pub email_visible: bool,
    /// Whether members see this guest.
    pub guest_visible: bool,
    /// Any.
    pub state: UserState,
    /// Without one a new account cannot sign in yet.
    pub password: Option<Secret>,
}

impl World {
    /// Adds a person in any state (W-07); the address' account is found or created.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company; `forbidden` for its people who are no admins;
    /// `invalid_request`; `conflict` when another person of the company has the address, or an admin gives a
    /// password for an account of another company's person.
    pub async fn create_person(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        new: NewPerson,
    ) -> Result<User> {
        let right = who.administer(workspace, Code::NotFound)?;
        check_fields(Some(&new.email), new.timezone.as_deref())?;
        if new.state == UserState::Removed && new.password.is_some() {
            return invalid("a removed person has no password");
        }
        let at = self.stamp();
        let user = person(UserId(at.id()?), workspace, at.now, &new);
        check_roles(&user)?;
        let password_hash = self.hash_password(new.password.as_ref()).await?;
        let email_key = email_key(&new.email);
        self.db.write(CreatePerson { at, right, who: who.clone(), user, email_key, password_hash }).await
    }
}

/// The person of a form, still without an account.
fn person(id: UserId, workspace_id: WorkspaceId, created_at: Timestamp, new: &NewPerson) -> User {
    let mut user = User {
        id,
        workspace_id,
        account_id: None,
        app_id: None,
        name: new.name.clone(),
        display_name: new.display_name.clone(),
        email: Some(email::normal(&new.email)),
        avatar_url: new.avatar_url.clone(),
        title: new.title.clone(),
        timezone: new.timezone.clone(),
        state: new.state,
        is_admin: new.is_admin,
        is_external: new.is_external,
        is_bot: false,
        email_visible: new.email_visible,
        guest_visible: new.guest_visible,
        created_at,
    };
    if user.state == UserState::Removed {
        super::state::forget(&mut user);
    }
    user
}

struct CreatePerson {
    at: Stamp,
    right: Right,
    who: Principal,
    /// Without the account.
    user: User,
    email_key: String,
    password_hash: Option<String>,
}

impl Op for CreatePerson {
    const NAME: &'static str = "create_person";
    type Out = User;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let mut user = self.user.clone();
        claim_address(c, user.workspace_id, &self.email_key, user.id).await?;
        if user.email.is_some() {
            let account = identity::of_address(c, &self.at, &self.email_key).await?;
            user.account_id = Some(account);
            if let Some(hash) = &self.password_hash {
                identity::set_password(c, &self.who, self.right, user.workspace_id, account, hash).await?;
            }
        }
        let email_key = user.email.as_ref().map(|_| self.email_key.as_str());
        users::insert(c, &user, email_key).await?;
        news::tell(c, &self.at, None, &user).await?;
        Ok(user)
    }
}
