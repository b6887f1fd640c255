//! Uploads. The body is sent in parts, and each part restarts the timeout.
//!
//! The `read_timeout` of reqwest includes sending the whole body, so a large file over a slow connection would exceed
//! it.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::sync::watch;

use crate::{
    cli::failure::{Failure, Result},
    platform::clock::Clock,
};

/// Maximum time between two parts that the HTTP connection takes, and between the last part and the end of the
/// response. The time is long, because after the last part the socket buffers can still contain several megabytes,
/// which a slow connection needs minutes to send. If the peer no longer acknowledges data, the connection fails earlier
/// on Linux, because reqwest sets `TCP_USER_TIMEOUT` to 30 seconds.
pub(super) const TIMEOUT: Duration = Duration::from_secs(300);
/// Size of a part in bytes.
const PART: usize = 64 * 1024;

/// A body of known length, which notifies `taken` whenever the HTTP connection takes a part.
struct BodyParts {
    rest: Bytes,
    taken: watch::Sender<()>,
}

impl Body for BodyParts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        self.taken.send_replace(());
        let size = self.rest.len().min(PART);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(size)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

/// Runs `call` with a body that sends `content`.
///
/// # Errors
/// - Errors of `call`.
/// - [`Failure::Unreachable`] if the HTTP connection takes no part for `timeout`, and the response is not complete.
pub(super) async fn run<T, F: Future<Output = Result<T>>>(
    clock: &Clock,
    timeout: Duration,
    content: Vec<u8>,
    call: impl FnOnce(reqwest::Body) -> F,
) -> Result<T> {
    let (taken, mut progress) = watch::channel(());
    let mut call = std::pin::pin!(call(reqwest::Body::wrap(BodyParts { rest: content.into(), taken })));
    loop {
        tokio::select! {
            biased;
            result = &mut call => return result,
            // `changed` fails when the body has been dropped, which disables this branch. From then on, the timeout
            // limits the wait for the response
            Ok(()) = progress.changed() => {}
            () = clock.sleep(timeout) => {
                let text = format!("the server has neither read the upload nor responded for {} s", timeout.as_secs());
                return Err(Failure::Unreachable(text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;
    use crate::domain::time::Timestamp;

    const LIMIT: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn the_timeout_does_not_limit_an_upload_whose_parts_are_taken() {
        let clock = &Clock::manual(Timestamp(0));
        let content = vec![7; 10 * PART + 1];
        let received = run(clock, LIMIT, content.clone(), async |mut body| {
            let mut received = Vec::new();
            while let Some(frame) = body.frame().await {
                received.extend_from_slice(&frame.unwrap().into_data().unwrap());
                // gives `run` time to restart its timer before the clock moves
                tokio::task::yield_now().await;
                clock.advance(LIMIT.checked_sub(Duration::from_secs(1)).unwrap());
                tokio::task::yield_now().await;
            }
            Ok(received)
        })
        .await
        .unwrap();
        assert!(received == content, "the whole content is sent");
        assert_eq!(clock.now(), Timestamp(11 * 59_000_000));
    }

    #[tokio::test]
    async fn an_upload_fails_if_no_further_part_is_taken_or_no_response_follows() {
        for taken in [1, 2] {
            let clock = &Clock::manual(Timestamp(0));
            let result: Result<()> = run(clock, LIMIT, vec![7; PART + 1], async |mut body| {
                for _ in 0..taken {
                    body.frame().await.unwrap().unwrap();
                }
                // With one part taken, the connection keeps the body and takes no further part. With both parts taken,
                // it drops the body, and only the response is missing
                let _held = if taken == 1 {
                    Some(body)
                } else {
                    drop(body);
                    None
                };
                tokio::task::yield_now().await;
                clock.advance(LIMIT);
                std::future::pending().await
            })
            .await;
            assert!(
                matches!(result, Err(Failure::Unreachable(_))),
                "an upload without progress fails, after {taken} of 2 parts: {result:?}"
            );
        }
    }
}
