//! Signing in and out.

use super::Admin;
use crate::{
    contract::Problem,
    generated::admin::{
        CreateSessionError, CreateSessionRequest, CreateSessionSuccess, DeleteSessionError,
        DeleteSessionRequest, DeleteSessionSuccess, SessionsHandlers, types,
    },
    platform::secrets::Secret,
    room::note_persons,
    store::accounts::Membership,
    workspace::principal::{Principal, administers},
};

fn wire(person: &Membership) -> types::Membership {
    types::Membership {
        workspace_id: person.workspace_id.encode(),
        user_id: person.user_id.encode(),
        is_admin: administers(person),
    }
}

impl SessionsHandlers for Admin {
    async fn create_session(
        &self,
        request: CreateSessionRequest,
    ) -> Result<CreateSessionSuccess, Problem<CreateSessionError>> {
        let types::SessionCreate { email, password } = request.body;
        let signed_in = self.world.sign_in(&email, &Secret::new(password)).await?;
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
