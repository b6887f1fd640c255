//! Handlers for the delivery log of an app's events, for redeliveries, and for test events.

use super::{Admin, no_filters};
use crate::{
    api::same_variants,
    contract::{Nullable, OperationError},
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
    service::{
        callers::Caller,
        events::deliveries::{DeliveryFilter, DeliveryView, Redelivery},
        events::test_events::TestEvent,
        outbox::DirectoryEventKind,
        paging::PageRequest,
    },
};

/// An id that no row has. It replaces a text that is not an id, so that the look-up finds nothing.
const NO_ID: i64 = -1;

same_variants! { DeliveryState => types::DeliveryStateValue { Pending, Delivered, Failed, Dropped } }
same_variants! { types::DeliveryState => DeliveryState { Pending, Delivered, Failed, Dropped } }

impl TryFrom<DeliveryView> for types::Delivery {
    type Error = String;

    /// # Errors
    /// If the stored event has an unknown type. The error is a text that names the type.
    fn try_from(entry: DeliveryView) -> Result<Self, String> {
        let kind = types::EventTypeValue::ALL.iter().find(|kind| kind.as_str() == entry.kind);
        let Some(kind) = kind else {
            return Err(format!("a stored event has the unknown type {}", entry.kind));
        };
        Ok(Self {
            event_id: entry.event_id.encode(),
            r#type: *kind,
            workspace_id: entry.workspace_id.encode(),
            installation_id: entry.installation_id.encode(),
            attempt: entry.attempt,
            state: entry.state.into(),
            status: Nullable(entry.status),
            error: Nullable(entry.error),
            latency_ms: Nullable(entry.latency_ms),
            answer: Nullable(entry.answer),
            at: Nullable(entry.at),
            next_attempt_at: Nullable(entry.next_attempt_at),
            created_at: entry.created_at,
        })
    }
}

fn read_kind(kind: types::DirectoryKind) -> DirectoryEventKind {
    match kind {
        types::DirectoryKind::UserCreated => DirectoryEventKind::UserCreated,
        types::DirectoryKind::UserUpdated => DirectoryEventKind::UserUpdated,
        types::DirectoryKind::UserDeactivated => DirectoryEventKind::UserDeactivated,
        types::DirectoryKind::ConversationCreated => DirectoryEventKind::ConversationCreated,
        types::DirectoryKind::ConversationRenamed => DirectoryEventKind::ConversationRenamed,
        types::DirectoryKind::ConversationArchived => DirectoryEventKind::ConversationArchived,
        types::DirectoryKind::ConversationDeleted => DirectoryEventKind::ConversationDeleted,
        types::DirectoryKind::AppRemovedFromConversation => DirectoryEventKind::AppRemoved,
    }
}

fn queued(id: EventId) -> types::EventQueued {
    types::EventQueued { ok: types::True, event_id: id.encode() }
}

impl EventsHandlers for Admin {
    async fn list_deliveries(
        &self,
        caller: Caller,
        request: ListDeliveriesRequest,
    ) -> Result<ListDeliveriesSuccess, OperationError<ListDeliveriesError>> {
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let filter = DeliveryFilter {
            state: request.state.map(DeliveryState::from),
            kind: request.r#type.map(|kind| kind.as_str().to_owned()),
            installation_id: request
                .installation_id
                .map(|id| InstallationId::parse(&id).unwrap_or(InstallationId(NO_ID))),
            event_id: request.event_id.map(|id| EventId::parse(&id).unwrap_or(EventId(NO_ID))),
            since: request.since,
            until: request.until,
        };
        let app = AppId::parse(&request.app_id);
        let page = match request.order {
            Some(types::LogOrder::Ingested) if filter != DeliveryFilter::default() => {
                return Err(no_filters().into());
            }
            Some(types::LogOrder::Ingested) => caller.operator()?.follow_deliveries(app, page).await?,
            Some(types::LogOrder::Newest) | None => {
                caller.operator()?.list_deliveries(app, filter, page).await?
            }
        };
        let deliveries = page.items.into_iter().map(TryInto::try_into).collect::<Result<_, _>>();
        Ok(ListDeliveriesSuccess::Status200(types::DeliveryPage {
            ok: types::True,
            deliveries: deliveries.map_err(OperationError::internal)?,
            next_cursor: Nullable(page.next_cursor),
        }))
    }

    async fn redeliver_event(
        &self,
        caller: Caller,
        request: RedeliverEventRequest,
    ) -> Result<RedeliverEventSuccess, OperationError<RedeliverEventError>> {
        let (app, event) = (AppId::parse(&request.app_id), EventId::parse(&request.event_id));
        caller.operator()?.redeliver(app, event).await?;
        // `event` is never `None` here, because `redeliver` rejects `None`
        Ok(queued(event.unwrap_or(EventId(NO_ID))).into())
    }

    async fn redeliver_events(
        &self,
        caller: Caller,
        request: RedeliverEventsRequest,
    ) -> Result<RedeliverEventsSuccess, OperationError<RedeliverEventsError>> {
        let types::RedeliverRequest { since, until, state, r#type } = request.body;
        let which = Redelivery {
            since,
            until,
            all: state == Some(types::RedeliverState::All),
            kind: r#type.map(|kind| kind.as_str().to_owned()),
        };
        let redelivered = caller.operator()?.redeliver_all(AppId::parse(&request.app_id), which).await?;
        let redelivered = i64::try_from(redelivered).unwrap_or(i64::MAX);
        Ok(types::Redelivered { ok: types::True, redelivered }.into())
    }

    async fn create_test_event(
        &self,
        caller: Caller,
        request: CreateTestEventRequest,
    ) -> Result<CreateTestEventSuccess, OperationError<CreateTestEventError>> {
        let types::TestEventCreate { r#type, kind, installation_id } = request.body;
        let event = match (r#type, kind) {
            (types::EventType::DirectoryChanged, kind) => {
                TestEvent::Directory(kind.map_or(DirectoryEventKind::UserUpdated, read_kind))
            }
            (_, Some(_)) => {
                let why = "kind is allowed only if type is directory.changed";
                return Err(Refusal::because(Code::InvalidRequest, why).into());
            }
            (types::EventType::AppUninstalled, None) => TestEvent::Uninstalled,
            (types::EventType::Interaction, None) => TestEvent::Interaction,
        };
        let installation = installation_id.map(|id| InstallationId::parse(&id));
        let app = AppId::parse(&request.app_id);
        Ok(queued(caller.operator()?.send_test_event(app, installation, event).await?).into())
    }
}
