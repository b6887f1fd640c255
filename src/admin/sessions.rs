//! Signing in and out.

use super::Admin;
use crate::{
    contract::Problem,
    domain::refusal::{Code, Refusal},
    generated::admin::{
        CreateSessionError, CreateSessionRequest, CreateSessionSuccess, DeleteSessionError,
        DeleteSessionRequest, DeleteSessionSuccess, SessionsHandlers, types,
    },
    platform::secrets::Secret,
    room::note_persons,
    store::{Error, accounts::Membership},
    workspace::principal::{Principal, administers},
};

/// Wrong or unknown, or nobody's who may act: the answers are alike.
const WRONG: &str = "e-mail address and password do not open an account";

fn wire(person: &Membership) -> types::Membership {
    types::Membership {
        workspace_id: person.workspace_id.encode(),
        user_id: person.user_id.encode(),
        is_admin: administers(person),
    }
}

/// Says of what was refused that it is address and password, for there is no token yet.
fn worded(error: Error) -> Error {
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
    ) -> Result<CreateSessionSuccess, Problem<CreateSessionError>> {
        let types::SessionCreate { email, password } = request.body;
        let signed_in = self.world.sign_in(&email, &Secret::new(password)).await.map_err(worded)?;
        note_persons(&signed_in.persons);
        Ok(CreateSessionSuccess::Status201(types::SessionCreated {
            ok: types::True,
            session_token: signed_in.token.expose().to_owned(),
            memberships: signed_in.persons.iter().map(wire).collect(),
        }))
    }

    async fn delete_session(
        &self,
        caller: Principal,
        _: DeleteSessionRequest,
    ) -> Result<DeleteSessionSuccess, Problem<DeleteSessionError>> {
        self.world.sign_out(&caller).await?;
        Ok(DeleteSessionSuccess::Status200(types::OkResult { ok: types::True }))
    }
}
