//! Who calls the admin API, whether an operation takes such callers at all, and how often they may ask.
//!
//! What a caller may do to one thing is decided by the workspace, with
//! [`Principal`](crate::workspace::principal::Principal).

use poem::http::{Method, header::AUTHORIZATION};

use super::{Admin, files::UPLOAD_LIMITS};
use crate::{
    contract::{
        self, Admission, BodyLimits, Credential, Door, Fault, LimitRow, OperationInfo,
        answer::{self, Caller},
    },
    domain::{
        refusal::Code,
        token::{self, Kind},
    },
    generated::admin::Security,
    platform::limits::{Key, Rate},
    room::{bearer, caller_address, is_operator, misplaced_limit, note_persons, over, tell},
    workspace::principal::Principal,
};

/// What one operator or account may ask of the admin API: far beyond what people and scripts do, so that a loop
/// gone wild does not take the server from everybody else.
const CEILING: Rate = Rate::new("admin", 200, 1000);
/// The header beside a session cookie.
const CSRF_TOKEN: &str = "x-csrf-token";
/// What the keys of the ceiling are counted under.
const ADMIN: &str = "admin";

impl Security for Admin {
    type Credentials = Principal;
}

impl Door for Admin {
    fn available(&self, operation: &'static OperationInfo) -> bool {
        let settings = &self.world.settings;
        let moves_clock = matches!(operation.id, "getClock" | "updateClock");
        !operation.sandbox || (!settings.production && (!moves_clock || settings.test_clock))
    }

    fn body_limits(&self, operation: &'static OperationInfo) -> BodyLimits {
        if operation.raw { UPLOAD_LIMITS } else { BodyLimits::default() }
    }

    /// The only open operation is the sign-in.
    async fn throttle_anyone(&self, admission: &Admission<'_>) -> Result<(), Fault> {
        match admission.operation.limit {
            LimitRow::SignIn => {}
            LimitRow::Unlimited => return Ok(()),
            _ => return Err(misplaced_limit(admission.operation)),
        }
        let email = admission.body_member("email");
        match self.world.admit_sign_in(email.as_deref(), caller_address(admission.request)).await {
            Ok(standings) => {
                tell(&standings);
                Ok(())
            }
            Err(wait) => Err(over(&wait)),
        }
    }
}

impl contract::Principal<Admin> for Principal {
    async fn authenticate(room: &Admin, admission: &Admission<'_>) -> Result<Self, Fault> {
        let principal = who(room, admission).await?;
        match &principal {
            Self::Operator => answer::caller(Caller::Operator),
            Self::Account { persons, .. } => note_persons(persons),
        }
        Ok(principal)
    }

    fn authorize(&self, _: &Admin, admission: &Admission<'_>) -> Result<(), Fault> {
        if is_taken(self, admission.operation.credentials) { Ok(()) } else { Err(Code::Forbidden.into()) }
    }

    async fn throttle(&self, room: &Admin, admission: &Admission<'_>) -> Result<(), Fault> {
        match admission.operation.limit {
            LimitRow::Admin => {}
            LimitRow::Unlimited => return Ok(()),
            _ => return Err(misplaced_limit(admission.operation)),
        }
        let takes = [(Key::id(ADMIN, self.cursor_owner()), CEILING)];
        match room.world.limits.take_all(&takes, room.world.clock.now()) {
            Ok(_) => Ok(()),
            Err(wait) => Err(over(&wait)),
        }
    }
}

async fn who(room: &Admin, admission: &Admission<'_>) -> Result<Principal, Fault> {
    let headers = admission.request.headers();
    if let Some(token) = room.cookies.session(headers).filter(|_| !headers.contains_key(AUTHORIZATION)) {
        return by_cookie(room, admission, token).await;
    }
    let bearer = bearer(headers)?;
    match Kind::claimed(bearer) {
        Some(Kind::Operator) if is_operator(bearer, room.world.settings.operator_key_sha256.as_ref()) => {
            Ok(Principal::Operator)
        }
        Some(Kind::Session) if token::parse(bearer).is_some() => {
            Ok(room.world.session(token::hash(bearer)).await?)
        }
        _ => Err(Code::InvalidAuth.into()),
    }
}

/// The caller whom a browser's cookie speaks for. A cookie comes with every request, whoever wrote it; so what changes
/// something needs a token as well, which only our own pages know (D-269).
async fn by_cookie(room: &Admin, admission: &Admission<'_>, cookie: &str) -> Result<Principal, Fault> {
    if token::parse(cookie) != Some(Kind::Session) {
        return Err(Code::InvalidAuth.into());
    }
    let session = token::hash(cookie);
    let principal = room.world.session(session).await?;
    let mut tokens = admission.request.headers().get_all(CSRF_TOKEN).iter();
    let given = tokens.next().filter(|_| tokens.next().is_none()).and_then(|token| token.to_str().ok());
    let holds = given.is_some_and(|given| room.world.csrf_holds(&session, "", given));
    if holds || *admission.request.method() == Method::GET {
        Ok(principal)
    } else {
        let why = "with a session cookie, X-CSRF-Token must be a token of one of this session's pages";
        Err(Fault::because(Code::Forbidden, why))
    }
}

/// Whether an operation takes a caller of this kind; an admin is a person too, and everybody is an admin of some
/// companies or of none.
fn is_taken(who: &Principal, credentials: &[Credential]) -> bool {
    credentials.iter().any(|credential| match (credential, who) {
        (Credential::Operator, Principal::Operator) | (Credential::Person, Principal::Account { .. }) => true,
        (Credential::Admin, Principal::Account { .. }) => who.administers_somewhere(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{
            ids::{AccountId, UserId, WorkspaceId},
            people::UserState,
            time::Timestamp,
        },
        store::accounts::Membership,
    };

    #[test]
    fn kinds_of_callers() {
        use Credential::{Admin, Operator, Person};

        let account = |is_admin, state| Principal::Account {
            account_id: AccountId(1),
            session: [0; 32],
            persons: vec![Membership {
                user_id: UserId(1),
                workspace_id: WorkspaceId(1),
                state,
                is_admin,
                is_external: false,
                sessions_valid_after: Timestamp(0),
            }],
        };
        let (admin, person) = (account(true, UserState::Active), account(false, UserState::Active));
        for (credentials, operator_may, admin_may, person_may) in [
            (&[Operator][..], true, false, false),
            (&[Operator, Admin], true, true, false),
            (&[Operator, Admin, Person], true, true, true),
            (&[Operator, Person], true, true, true),
            (&[Admin, Person], false, true, true),
        ] {
            assert_eq!(is_taken(&Principal::Operator, credentials), operator_may, "{credentials:?}");
            assert_eq!(is_taken(&admin, credentials), admin_may, "{credentials:?}");
            assert_eq!(is_taken(&person, credentials), person_may, "{credentials:?}");
        }
        assert!(!is_taken(&account(true, UserState::Onboarding), &[Operator, Admin]));
    }
}
