//! Sign-in and sign-out.

use std::net::Ipv4Addr;

use super::Admin;
use crate::{
    api::note_persons,
    contract::{OperationError, answer},
    domain::refusal::{Code, Refusal},
    generated::admin::{
        CreateSessionError, CreateSessionRequest, CreateSessionSuccess, DeleteSessionError,
        DeleteSessionRequest, DeleteSessionSuccess, SessionsHandlers, types,
    },
    platform::secrets::Secret,
    service::{
        Error,
        callers::{Caller, principal::ActingPerson},
        sign_in::guesses::SignInLocation,
    },
};

/// The message of every sign-in that is rejected with `invalid_auth`: the password is wrong, the account is unknown, or
/// the account has no person who may sign in.
const WRONG: &str = "wrong e-mail address or password";

impl From<&ActingPerson> for types::Membership {
    fn from(person: &ActingPerson) -> Self {
        Self {
            workspace_id: person.workspace_id.encode(),
            user_id: person.user_id.encode(),
            is_admin: person.administers(),
        }
    }
}

/// Sets the message [`WRONG`] if a sign-in is rejected with `invalid_auth`. The default message of this code is about
/// tokens.
fn with_message(error: Error) -> Error {
    match error {
        Error::Refused(refusal) if refusal.code == Code::InvalidAuth && refusal.message.is_none() => {
            Refusal::because(Code::InvalidAuth, WRONG).into()
        }
        error => error,
    }
}

impl SessionsHandlers for Admin {
    async fn create_session(
        &self,
        request: CreateSessionRequest,
    ) -> Result<CreateSessionSuccess, OperationError<CreateSessionError>> {
        let types::SessionCreate { email, password } = request.body;
        // all callers without a known address get the same address here, as in the rate limits
        let address = answer::address().unwrap_or(Ipv4Addr::UNSPECIFIED.into());
        let location = SignInLocation { address, browser: None };
        let signed_in =
            self.world.sign_in(&email, &Secret::new(password), location).await.map_err(with_message)?;
        note_persons(&signed_in.persons);
        Ok(CreateSessionSuccess::Status201(types::SessionCreated {
            ok: types::True,
            session_token: signed_in.token.expose().to_owned(),
            memberships: signed_in.persons.iter().map(Into::into).collect(),
        }))
    }

    async fn delete_session(
        &self,
        caller: Caller,
        _: DeleteSessionRequest,
    ) -> Result<DeleteSessionSuccess, OperationError<DeleteSessionError>> {
        caller.signed_in()?.sign_out().await?;
        Ok(DeleteSessionSuccess::Status200(types::OkResult { ok: types::True }))
    }
}
