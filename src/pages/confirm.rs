//! Confirms the visitor's rights immediately before a page or a redirect is sent, because the rights could have been
//! revoked since the store was read (`docs/decisions/0030-revocations-and-answers.md`).

use std::sync::Arc;

use futures_util::future::BoxFuture;
use poem::http::StatusCode;

use super::{
    Pages, answer, error_page::PageError, error_response::error_response, frame::Frame, next::sign_in_path,
    visitor::Visitor,
};
use crate::{
    contract::{
        ApiError,
        answer::{Confirmation, Rejection},
    },
    domain::refusal::Code,
    service::{Error, World, callers::Caller, callers::ShownConversation, callers::confirm::ReadTime},
};

/// Confirms that the session still has the rights with which a page was rendered or a redirect was created.
pub(super) struct PageConfirmation {
    world: Arc<World>,
    caller: Caller,
    as_of: ReadTime,
    /// Path and query of the page to which a rejected visitor is redirected, if necessary through the sign-in page.
    here: String,
    /// Whether the script of the web client sent the request. A rejected script gets 401 instead of a redirect.
    is_by_script: bool,
    /// The conversations that the page shows.
    shown: Vec<ShownConversation>,
    /// The frame of the error page for a visitor who no longer sees a conversation. If it is `None`, such a visitor is
    /// redirected to the page again.
    frame: Option<Frame>,
}

impl Confirmation for PageConfirmation {
    fn is_current(&self) -> bool {
        self.world.is_current(&self.as_of)
    }

    fn has_written(&self) -> bool {
        self.caller.has_written()
    }

    fn confirm(&mut self) -> BoxFuture<'_, Result<(), Rejection>> {
        Box::pin(async move {
            self.as_of = self.world.as_of();
            let confirmed = self.caller.confirm_everywhere(self.shown.clone()).await;
            confirmed.map_err(|error| self.rejection(error))
        })
    }

    fn hold(&mut self) -> BoxFuture<'_, Result<bool, Rejection>> {
        Box::pin(async move {
            let held = self.caller.hold_everywhere(self.shown.clone()).await;
            held.map_err(|error| self.rejection(error))
        })
    }
}

impl PageConfirmation {
    pub(super) fn new(
        pages: &Pages,
        visitor: &Visitor,
        as_of: ReadTime,
        here: &str,
        is_by_script: bool,
    ) -> Self {
        let (world, caller) = (Arc::clone(&pages.world), visitor.caller.clone());
        Self { world, caller, as_of, here: here.to_owned(), is_by_script, shown: Vec::new(), frame: None }
    }

    /// Also confirms that the visitor still sees what the page shows of a conversation. If the visitor no longer sees
    /// it, the response is a 404 page in `frame`.
    pub(super) fn showing(self, shown: ShownConversation, frame: Frame) -> Self {
        Self { shown: vec![shown], frame: Some(frame), ..self }
    }

    /// Also confirms that the visitor still sees what a list shows of each conversation. If the visitor no longer sees
    /// it, the response is a redirect to the list, which then shows only what the visitor may see.
    pub(super) fn listing(self, shown: Vec<ShownConversation>) -> Self {
        Self { shown, ..self }
    }

    fn rejection(&mut self, error: Error) -> Rejection {
        match error {
            Error::Refused(refusal)
                if refusal.code == Code::ConversationNotFound && !self.shown.is_empty() =>
            {
                Rejection::Response(Box::new(match self.frame.take() {
                    Some(frame) => error_response(PageError::not_found(), frame),
                    None => answer::redirect(&self.here),
                }))
            }
            Error::Refused(_) if self.is_by_script => ApiError::client(StatusCode::UNAUTHORIZED).into(),
            // if the session is still valid, the sign-in page redirects back to the page, which then shows only what
            // the visitor may see
            Error::Refused(_) => Rejection::Response(Box::new(answer::redirect(&sign_in_path(&self.here)))),
            error @ Error::Store(_) => ApiError::from(error).into(),
        }
    }
}
