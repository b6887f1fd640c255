//! A task that is aborted when its handle is dropped. So a task that a worker spawned does not outlive the worker.
//! Unlike a future that the worker polls itself, the task also runs while the worker waits for something else.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::task::JoinHandle;

/// The handle of a task. Resolves to the result of the task, or `None` if the task panicked.
pub(super) struct Task<T>(JoinHandle<T>);

impl<T: Send + 'static> Task<T> {
    pub(super) fn spawn(work: impl Future<Output = T> + Send + 'static) -> Self {
        Self(tokio::spawn(work))
    }
}

impl<T> Future for Task<T> {
    type Output = Option<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        Pin::new(&mut self.0).poll(context).map(Result::ok)
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_runs_before_its_handle_is_awaited_and_is_aborted_when_its_handle_is_dropped() {
        let (end, finished) = tokio::sync::oneshot::channel();
        let task = Task::spawn(async move { end.send(()) });
        // the task ends, although its handle has not been awaited yet
        finished.await.unwrap();
        assert_eq!(task.await, Some(Ok(())));
        let (held, ends) = tokio::sync::oneshot::channel::<()>();
        drop(Task::spawn(async move {
            let _held = held;
            std::future::pending::<()>().await;
        }));
        assert!(ends.await.is_err(), "the abort drops the task's future, and with it the sender");
    }

    #[tokio::test]
    async fn a_panic_is_returned_as_none() {
        assert_eq!(Task::spawn(async { assert_eq!(1, 2) }).await, None);
    }
}
