//! Failures that the sandbox console injects into deliveries. In production no failure can be injected.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::{RESPONSE_LIMITS, SharedDelivery};
use crate::{
    platform::outbound::{OutboundFailure, OutboundRequest, OutboundResponse, UnansweredRequest},
    service::events::deliveries::failures::InjectedFailure,
};

/// The text that the delivery log shows as the response body of an attempt with an injected failure, unless the attempt
/// has a response of the app.
pub(super) const ANSWER: &str = "(made to fail in the sandbox console)";

/// Makes a delivery attempt with an injected failure. The attempt takes no longer than the timeouts of a real attempt,
/// because the lease of the app must outlast the attempt.
pub(super) async fn send(
    shared: &SharedDelivery,
    failure: InjectedFailure,
    permitted: impl Future<Output = bool> + Send + 'static,
    request: OutboundRequest,
) -> Result<OutboundResponse, UnansweredRequest> {
    let begun = shared.world.clock.instant();
    match failure {
        InjectedFailure::Status(status) => Ok(OutboundResponse {
            status: StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            headers: HeaderMap::new(),
            body: Bytes::from_static(ANSWER.as_bytes()),
            is_whole: true,
            latency: begun.elapsed(),
        }),
        InjectedFailure::Delay(delay) => {
            let waited = shared.world.clock.sleep(delay.min(RESPONSE_LIMITS.head));
            let (answered, ()) =
                tokio::join!(shared.outbound.send_if(permitted, request, RESPONSE_LIMITS), waited);
            let latency = begun.elapsed();
            match answered {
                Ok(reply) if delay < RESPONSE_LIMITS.head => Ok(OutboundResponse { latency, ..reply }),
                Err(no_reply) if delay < RESPONSE_LIMITS.head => Err(no_reply),
                _ => Err(UnansweredRequest { why: OutboundFailure::Timeout, latency }),
            }
        }
        InjectedFailure::Cut => {
            // as with a real connection that closes before the response, the app receives the event
            let _ = shared.outbound.send_if(permitted, request, RESPONSE_LIMITS).await;
            Err(UnansweredRequest { why: OutboundFailure::Closed, latency: begun.elapsed() })
        }
    }
}
