//! Returns events with their bodies, and the signing secrets of apps, to the sandbox console. In production these
//! operations return `not_found`.

use super::signing::{AppSecrets, SigningSecrets};
use crate::{
    domain::{
        delivery::DeliveryState,
        ids::{AppId, EventId, InstallationId, WorkspaceId},
        refusal::Code,
        time::Timestamp,
    },
    service::{apps::found, callers::Operator, refuse, view},
    store::{
        ReadOp, ReadSql, Result,
        apps::{self, App},
        delivery_log::{self, InspectedEvent},
        op,
    },
};

view! {
    /// An event with the result of its latest attempt.
    EventView of InspectedEvent {
        id: EventId,
        installation_id: InstallationId,
        workspace_id: WorkspaceId,
        /// Type of the event.
        kind: String,
        /// The exact bytes that every attempt signs and sends, unless content was erased from the body (`erased_at`).
        /// After an erasure, these are not the bytes that earlier attempts sent, and the event is not sent again.
        body: String,
        state: DeliveryState,
        /// Number of finished attempts.
        attempts: i64,
        created_at: Timestamp,
        /// For a pending event, when it is due. For any other event, when it was delivered, failed or dropped.
        next_at: Timestamp,
        drop_reason: Option<String>,
        /// When the content of a deleted message was erased from the body; `None` if it was not erased.
        erased_at: Option<Timestamp>,
        status: Option<i64>,
        error: Option<String>,
    }
}

impl Operator<'_> {
    /// Returns up to `limit` events of an app, newest first. If `before` is present, returns only events created before
    /// this time, or at this time with a lower id.
    ///
    /// # Errors
    /// `not_found` for an unknown app, and in production.
    pub async fn inspect_events(
        self,
        app: AppId,
        before: Option<(Timestamp, EventId)>,
        limit: i64,
    ) -> Result<Vec<EventView>> {
        self.sandbox_only()?;
        let before = before.unwrap_or((Timestamp(i64::MAX), EventId(i64::MAX)));
        let found = self.world().db.read(InspectEvents { app, before, limit }).await?;
        Ok(found.into_iter().map(EventView::from).collect())
    }

    /// Returns an event of an app.
    ///
    /// # Errors
    /// `not_found` for an unknown event, for an event of another app, and in production.
    pub async fn inspect_event(self, app: AppId, event: EventId) -> Result<EventView> {
        self.sandbox_only()?;
        match self.world().db.read(InspectEvent { app, event }).await? {
            Some(event) => Ok(event.into()),
            None => refuse(Code::NotFound),
        }
    }

    /// Returns the signing secrets of an app.
    ///
    /// # Errors
    /// `not_found` for an unknown app, and in production; a store error if the secrets cannot be decrypted.
    pub async fn signing_secrets(self, app: AppId) -> Result<SigningSecrets> {
        self.sandbox_only()?;
        let found = self.world().db.read(FindSecrets(app)).await?;
        let stored = AppSecrets {
            current: found.signing_secret,
            previous: found.previous_signing_secret,
            rotated_at: found.signing_rotated_at,
        };
        SigningSecrets::decrypt(self.world(), app, &stored)
    }

    /// Rejects the request in production.
    ///
    /// # Errors
    /// `not_found` in production.
    pub(in crate::service) fn sandbox_only(self) -> Result<()> {
        if self.world().settings.production { refuse(Code::NotFound) } else { Ok(()) }
    }
}

struct InspectEvents {
    app: AppId,
    before: (Timestamp, EventId),
    limit: i64,
}

impl ReadOp for InspectEvents {
    const NAME: &'static str = "inspect_events";
    type Out = Vec<InspectedEvent>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        found(apps::by_id(c, self.app).await?)?;
        delivery_log::inspect(c, self.app, self.before, self.limit).await
    }
}

struct InspectEvent {
    app: AppId,
    event: EventId,
}

op! {
    ReadOp "inspect_event": InspectEvent -> Option<InspectedEvent> =
        |op, c| delivery_log::inspect_one(c, op.app, op.event)
}

struct FindSecrets(AppId);

impl ReadOp for FindSecrets {
    const NAME: &'static str = "find_signing_secrets";
    type Out = App;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<App> {
        found(apps::by_id(c, self.0).await?)
    }
}
