//! Deliveries that fail because the sandbox console wants it. Never in production, where none are set.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::{Shared, attempt::RESPONSE_LIMITS};
use crate::{
    platform::outbound::{Failure, NoReply, Outgoing, Reply},
    workspace::events::deliveries::failures::InjectedFailure,
};

/// The logged answer of such a delivery, if the app's own answer is not used.
pub(super) const ANSWER: &str = "(made to fail in the sandbox console)";

/// Sends an event as the failure says. Takes no longer than a real attempt may, because the lease of the app covers that.
pub(super) async fn send(
    shared: &Shared,
    failure: InjectedFailure,
    permitted: impl Future<Output = bool> + Send + 'static,
    request: Outgoing,
) -> Result<Reply, NoReply> {
    let begun = shared.world.clock.instant();
    match failure {
        InjectedFailure::Status(status) => Ok(Reply {
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            headers: HeaderMap::new(),
            body: Bytes::from_static(ANSWER.as_bytes()),
            is_whole: true,
            latency: begun.elapsed(),
        }),
        InjectedFailure::Delay(delay) => {
            let waited = shared.world.clock.pass(delay.min(RESPONSE_LIMITS.head));
            let (answered, ()) =
                tokio::join!(shared.outbound.send_if(permitted, request, RESPONSE_LIMITS), waited);
            let latency = begun.elapsed();
            match answered {
                Ok(reply) if delay < RESPONSE_LIMITS.head => Ok(Reply { latency, ..reply }),
                Err(no_reply) if delay < RESPONSE_LIMITS.head => Err(no_reply),
                _ => Err(NoReply { why: Failure::Timeout, latency }),
            }
        }
        InjectedFailure::Cut => {
            // the app has the event, as after a real cut; its answer is lost
            let _ = shared.outbound.send_if(permitted, request, RESPONSE_LIMITS).await;
            Err(NoReply { why: Failure::Closed, latency: begun.elapsed() })
        }
    }
}
