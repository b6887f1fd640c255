//! A task that ends with its handle, so that what a lane has begun goes on whatever the lane itself waits for, and
//! does not outlive it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::task::JoinHandle;

/// The handle; gives what the task gave, or `None` when it panicked.
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
    async fn it_goes_on_by_itself_and_ends_with_its_handle() {
        let (tell, told) = tokio::sync::oneshot::channel();
        let task = Task::spawn(async move { tell.send(()) });
        // nobody waits for the task
        told.await.unwrap();
        assert_eq!(task.await, Some(Ok(())));
        let (held, ends) = tokio::sync::oneshot::channel::<()>();
        drop(Task::spawn(async move {
            let _held = held;
            std::future::pending::<()>().await;
        }));
        assert!(ends.await.is_err());
    }

    #[tokio::test]
    async fn a_panic_stays_inside() {
        assert_eq!(Task::spawn(async { assert_eq!(1, 2) }).await, None);
    }
}
