//! A single delivery attempt of an event.

use std::sync::Arc;

use bytes::Bytes;
use http::Method;
use parking_lot::Mutex;
use url::Url;

use super::{RESPONSE_LIMITS, SharedDelivery, failures, sign};
use crate::{
    domain::{
        delivery::{Attempt, Retry},
        ids::{AppId, EventId},
    },
    platform::{
        metrics::{EVENT_ATTEMPT_SECONDS, EVENT_ATTEMPTS},
        outbound::{OutboundFailure, OutboundRequest, OutboundResponse, UnansweredRequest},
    },
    service::{
        Result, World,
        events::deliveries::{confirm::SendRight, queue::DueEvent, signing::SigningSecrets},
    },
};

/// Maximum number of bytes of a response body that are stored in the delivery log.
const MAX_LOGGED_BODY: usize = 1024;
/// The error name in the delivery log for a response with a status other than 2xx.
const STATUS: &str = "status";

/// An event that is ready to be sent.
pub(super) struct Ready {
    pub(super) event: DueEvent,
    /// The callback URL.
    pub(super) url: String,
    /// The secrets with which the request is signed.
    pub(super) secrets: Arc<SigningSecrets>,
}

/// Sends an event and returns the result. `id` is the attempt's id in the delivery log.
///
/// Right before the body is sent, the server checks whether the event may still be sent ([`World::may_send`]). If it
/// may not, or if the check fails or takes too long, no body is sent, and `None` is returned.
pub(super) async fn make(shared: &SharedDelivery, app: AppId, id: i64, ready: Ready) -> Option<Attempt> {
    let Ready { event, url, secrets } = ready;
    shared.world.after_disconnect(&event.right).await;
    let clock = &shared.world.clock;
    let at = clock.now();
    let headers = sign::headers(&event, &secrets, at, &shared.settings.agent);
    let address = host_and_port(&url);
    let request = OutboundRequest { method: Method::POST, url, headers, body: Bytes::from(event.body) };
    let permission = Permission::default();
    let permitted = permission.clone().check(Arc::clone(&shared.world), (app, event.id), event.right);
    let failure = shared.world.injected_failures.as_ref().and_then(|failures| failures.take(app));
    let answered = match failure {
        None => Box::pin(shared.outbound.send_if(permitted, request, RESPONSE_LIMITS)).await,
        Some(failure) => Box::pin(failures::send(shared, failure, permitted, request)).await,
    };
    if matches!(&answered, Err(UnansweredRequest { why: OutboundFailure::Timeout, .. })) {
        permission.deny_if_pending();
    }
    if permission.is_denied() {
        return None;
    }
    let latency = match &answered {
        Ok(reply) => reply.latency,
        Err(unanswered) => unanswered.latency,
    };
    let (status, error, response_body) = match &answered {
        Ok(reply) => {
            (Some(reply.status), (!reply.status.is_success()).then_some(STATUS), Some(logged_body(reply)))
        }
        Err(UnansweredRequest { why, .. }) => (None, Some(why.name()), None),
    };
    let response_body = response_body.or_else(|| failure.map(|_| failures::ANSWER.to_owned()));
    let number = event.attempts + 1;
    let latency_ms = i64::try_from(latency.as_millis()).unwrap_or(i64::MAX);
    metrics::counter!(EVENT_ATTEMPTS, "outcome" => error.unwrap_or("delivered")).increment(1);
    metrics::histogram!(EVENT_ATTEMPT_SECONDS).record(latency.as_secs_f64());
    if let Some(error) = error {
        tracing::info!(
            app = app.encode(),
            event = event.id.encode(),
            attempt = number,
            address,
            error,
            status = status.map(|status| status.as_u16()),
            latency_ms,
            "failed to deliver an event"
        );
    }
    let ended_at = clock.now();
    Some(Attempt {
        id,
        event_id: event.id,
        before: event.attempts,
        at,
        ended_at,
        retry: Retry::after(number - event.earlier, ended_at),
        delivered: error.is_none(),
        status: status.map(|status| i64::from(status.as_u16())),
        error,
        latency_ms,
        response_body,
    })
}

/// The permission to send the body of an event. Clones share its state.
#[derive(Clone, Default)]
struct Permission(Arc<Mutex<PermissionState>>);

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum PermissionState {
    #[default]
    NotChecked,
    /// The check is running.
    Pending,
    Granted,
    Denied,
}

impl Permission {
    /// Returns whether the event may still be sent. Returns `false` if the check fails, or if the attempt times out
    /// during the check.
    ///
    /// A check before the request begins would not be enough: the app's server can delay name resolution, connection
    /// and TLS, and the installation can be disconnected during the delay.
    async fn check(self, world: Arc<World>, of: (AppId, EventId), right: SendRight) -> bool {
        self.decide(of, world.may_send(right)).await
    }

    async fn decide(self, (app, event): (AppId, EventId), check: impl Future<Output = Result<bool>>) -> bool {
        *self.0.lock() = PermissionState::Pending;
        let is_permitted = check.await.unwrap_or_else(|error| {
            tracing::warn!(
                app = app.encode(),
                event = event.encode(),
                %error,
                "failed to confirm that an event may still be sent"
            );
            false
        });
        let mut state = self.0.lock();
        if *state == PermissionState::Pending {
            *state = if is_permitted { PermissionState::Granted } else { PermissionState::Denied };
        }
        *state == PermissionState::Granted
    }

    /// Denies the permission if the check is still running when the attempt times out. In this case the app has
    /// received no body, so the timeout is not recorded as a failure of the app.
    fn deny_if_pending(&self) {
        let mut state = self.0.lock();
        if *state == PermissionState::Pending {
            *state = PermissionState::Denied;
        }
    }

    fn is_denied(&self) -> bool {
        *self.0.lock() == PermissionState::Denied
    }
}

/// Returns host and port of a URL for the log, because the rest of the URL can contain secrets. Returns an empty text
/// for an invalid URL.
fn host_and_port(url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let parts = parsed.as_ref().and_then(|url| Some((url.host_str()?, url.port_or_known_default()?)));
    parts.map_or_else(String::new, |(host, port)| format!("{host}:{port}"))
}

/// Returns the beginning of a response body as a text that SQLite and PostgreSQL can store.
fn logged_body(reply: &OutboundResponse) -> String {
    let body = &reply.body[..reply.body.len().min(MAX_LOGGED_BODY)];
    let mut text = String::from_utf8_lossy(body).replace('\0', "\u{fffd}");
    if reply.body.len() > MAX_LOGGED_BODY && text.ends_with('\u{fffd}') {
        // removes a truncated character
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http::{HeaderMap, StatusCode};

    use super::*;

    const OF: (AppId, EventId) = (AppId(1), EventId(1));

    #[tokio::test]
    async fn a_timeout_denies_the_permission_only_while_the_check_is_running() {
        for is_permitted in [true, false] {
            let permission = Permission::default();
            permission.deny_if_pending();
            assert!(!permission.is_denied(), "a timeout before the check denies nothing");
            assert_eq!(permission.clone().decide(OF, async { Ok(is_permitted) }).await, is_permitted);
            permission.deny_if_pending();
            assert_eq!(permission.is_denied(), !is_permitted, "a timeout after the check changes nothing");
        }
        let permission = Permission::default();
        let slow = async {
            permission.deny_if_pending();
            Ok(true)
        };
        assert!(
            !permission.clone().decide(OF, slow).await,
            "no body is sent after a timeout during the check"
        );
        assert!(permission.is_denied());
    }

    #[test]
    fn response_bodies_are_logged_as_truncated_text() {
        let logged = |body: &[u8]| {
            logged_body(&OutboundResponse {
                status: StatusCode::OK,
                headers: HeaderMap::new(),
                body: Bytes::copy_from_slice(body),
                is_whole: true,
                latency: Duration::ZERO,
            })
        };
        assert_eq!(logged(b""), "");
        assert_eq!(logged(b"a\0\xffb"), "a\u{fffd}\u{fffd}b");
        assert_eq!(logged(&[b'x'; 5000]), "x".repeat(MAX_LOGGED_BODY));
        assert_eq!(logged("é".repeat(2000).as_bytes()), "é".repeat(MAX_LOGGED_BODY / 2));
        let odd = format!("x{}", "é".repeat(2000));
        assert_eq!(logged(odd.as_bytes()), format!("x{}", "é".repeat(MAX_LOGGED_BODY / 2 - 1)));
    }

    #[test]
    fn only_host_and_port_of_a_url_are_logged() {
        assert_eq!(host_and_port("https://a.example/secret?x=1"), "a.example:443");
        assert_eq!(host_and_port("http://127.0.0.1:8080/secret"), "127.0.0.1:8080");
        assert_eq!(host_and_port("nothing"), "");
    }
}
