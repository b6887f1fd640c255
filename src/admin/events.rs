//! Deliveries of events to apps.

use super::{Admin, no_filters, page_request};
use crate::{
    contract::{Nullable, Problem},
    domain::{
        delivery::DeliveryState,
        ids::{AppId, EventId, InstallationId},
        refusal::{Code, Refusal},
    },
    generated::admin::{
        CreateTestEventError, CreateTestEventRequest, CreateTestEventSuccess, EventsHandlers,
        ListDeliveriesError, ListDeliveriesRequest, ListDeliveriesSuccess, RedeliverEventError,
        RedeliverEventRequest, RedeliverEventSuccess, RedeliverEventsError, RedeliverEventsRequest,
        RedeliverEventsSuccess, types,
    },
    store::{
        Error, StoreError,
        delivery_log::{Entry, LogFilter},
    },
    workspace::{deliveries::Redelivery, outbox::Kind, principal::Principal, test_events::TestEvent},
};

/// An id that nothing has, for a text that is none.
const NOTHING: i64 = -1;

fn wire(entry: Entry) -> Result<types::Delivery, Error> {
    let kind = types::EventType::ALL.iter().find(|kind| kind.as_str() == entry.kind);
    let Some(kind) = kind else {
        return Err(StoreError::bug(format!("a stored event has the type {}", entry.kind)).into());
    };
    Ok(types::Delivery {
        event_id: entry.event_id.encode(),
        r#type: *kind,
        workspace_id: entry.workspace_id.encode(),
        installation_id: entry.installation_id.encode(),
        attempt: entry.attempt,
        state: match entry.state {
            DeliveryState::Pending => types::DeliveryState::Pending,
            DeliveryState::Delivered => types::DeliveryState::Delivered,
            DeliveryState::Failed => types::DeliveryState::Failed,
            DeliveryState::Dropped => types::DeliveryState::Dropped,
        },
        status: Nullable(entry.status),
        error: Nullable(entry.error),
        latency_ms: Nullable(entry.latency_ms),
        answer: Nullable(entry.answer),
        at: Nullable(entry.at),
        next_attempt_at: Nullable(entry.next_attempt_at),
        created_at: entry.created_at,
    })
}

fn read_state(state: types::DeliveryState) -> DeliveryState {
    match state {
        types::DeliveryState::Pending => DeliveryState::Pending,
        types::DeliveryState::Delivered => DeliveryState::Delivered,
        types::DeliveryState::Failed => DeliveryState::Failed,
        types::DeliveryState::Dropped => DeliveryState::Dropped,
    }
}

fn read_kind(kind: types::DirectoryKind) -> Kind {
    match kind {
        types::DirectoryKind::UserCreated => Kind::UserCreated,
        types::DirectoryKind::UserUpdated => Kind::UserUpdated,
        types::DirectoryKind::UserDeactivated => Kind::UserDeactivated,
        types::DirectoryKind::ConversationCreated => Kind::ConversationCreated,
        types::DirectoryKind::ConversationRenamed => Kind::ConversationRenamed,
        types::DirectoryKind::ConversationArchived => Kind::ConversationArchived,
        types::DirectoryKind::ConversationDeleted => Kind::ConversationDeleted,
        types::DirectoryKind::AppRemovedFromConversation => Kind::AppRemoved,
    }
}

fn queued(id: EventId) -> types::EventQueued {
    types::EventQueued { ok: types::True, event_id: id.encode() }
}

impl EventsHandlers for Admin {
    async fn list_deliveries(
        &self,
        caller: Principal,
        request: ListDeliveriesRequest,
    ) -> Result<ListDeliveriesSuccess, Problem<ListDeliveriesError>> {
        let page = page_request(request.limit, request.cursor.as_ref());
        let filter = LogFilter {
            state: request.state.map(read_state),
            kind: request.r#type.map(|kind| kind.as_str().to_owned()),
            installation_id: request
                .installation_id
                .map(|id| InstallationId::parse(&id).unwrap_or(InstallationId(NOTHING))),
            event_id: request.event_id.map(|id| EventId::parse(&id).unwrap_or(EventId(NOTHING))),
            since: request.since,
            until: request.until,
        };
        let app = AppId::parse(&request.app_id);
        let page = match request.order {
            Some(types::LogOrder::Ingested) if filter != LogFilter::default() => {
                return Err(no_filters().into());
            }
            Some(types::LogOrder::Ingested) => self.world.follow_deliveries(&caller, app, page).await?,
            Some(types::LogOrder::Newest) | None => {
                self.world.list_deliveries(&caller, app, filter, page).await?
            }
        };
        Ok(ListDeliveriesSuccess::Status200(types::DeliveryPage {
            ok: types::True,
            deliveries: page.items.into_iter().map(wire).collect::<Result<_, _>>()?,
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn redeliver_event(
        &self,
        caller: Principal,
        request: RedeliverEventRequest,
    ) -> Result<RedeliverEventSuccess, Problem<RedeliverEventError>> {
        let (app, event) = (AppId::parse(&request.app_id), EventId::parse(&request.event_id));
        self.world.redeliver(&caller, app, event).await?;
        Ok(queued(event.unwrap_or(EventId(NOTHING))).into())
    }

    async fn redeliver_events(
        &self,
        caller: Principal,
        request: RedeliverEventsRequest,
    ) -> Result<RedeliverEventsSuccess, Problem<RedeliverEventsError>> {
        let types::RedeliverRequest { since, until, state, r#type } = request.body;
        let which = Redelivery {
            since,
            until,
            all: state == Some(types::RedeliverState::All),
            kind: r#type.map(|kind| kind.as_str().to_owned()),
        };
        let redelivered = self.world.redeliver_all(&caller, AppId::parse(&request.app_id), which).await?;
        let redelivered = i64::try_from(redelivered).unwrap_or(i64::MAX);
        Ok(types::Redelivered { ok: types::True, redelivered }.into())
    }

    async fn create_test_event(
        &self,
        caller: Principal,
        request: CreateTestEventRequest,
    ) -> Result<CreateTestEventSuccess, Problem<CreateTestEventError>> {
        let types::TestEventCreate { r#type, kind, installation_id } = request.body;
        let event = match (r#type, kind) {
            (types::EventType::DirectoryChanged, kind) => {
                TestEvent::Directory(kind.map_or(Kind::UserUpdated, read_kind))
            }
            (_, Some(_)) => {
                let why = "kind is only for directory.changed";
                return Err(Refusal::because(Code::InvalidRequest, why).into());
            }
            (types::EventType::AppUninstalled, None) => TestEvent::Uninstalled,
            (types::EventType::Interaction, None) => TestEvent::Interaction,
        };
        let installation = installation_id.map(|id| InstallationId::parse(&id));
        let app = AppId::parse(&request.app_id);
        Ok(queued(self.world.send_test_event(&caller, app, installation, event).await?).into())
    }
}
