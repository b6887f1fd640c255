//! `POST /c/{conversation}/{message}/actions`: a press on a button of an app's message.

use poem::http::StatusCode;

use crate::{
    domain::{
        ids::{ConversationId, MessageId},
        refusal::Code,
    },
    pages::{
        Outcome, Pages, answer,
        context::PageContext,
        error_page::{PageError, RepeatedForm, TRY_AGAIN},
    },
    service::{Error, web_client::press::NewPress},
};

use super::shell;

/// POST /c/{conversation}/{message}/actions. Redirects to the message. If the press was accepted and the same form is
/// sent again, the response is the same, and the app is not notified again.
pub(in crate::pages) async fn press(pages: &Pages, context: &PageContext) -> Outcome {
    let part = |at: usize| context.parts.get(at).map_or("", String::as_str);
    let (conversation, message) = (part(0), part(1));
    let path = format!("/c/{conversation}/{message}");
    context.poster(pages, "")?;
    let person = shell::person(pages, context)?;
    let field = |name: &str| context.form.get(name).unwrap_or_default().to_owned();
    let press = NewPress { action_id: field("action_id"), nonce: field("press") };
    match person.press(ConversationId::parse(conversation), MessageId::parse(message), press).await {
        Ok(_) => Ok(answer::see_other(&format!("{path}?done=pressed"))),
        Err(error) => {
            // The error page has a form that sends the press again with the same nonce. So the app is not notified
            // twice if the server failed after it had stored the event of the first press.
            let fields = ["action_id", "press"].map(|name| (name, field(name)));
            let repeat = RepeatedForm {
                path: format!("{path}/actions"),
                fields: fields.into(),
                text: None,
                takes_files: false,
                button: TRY_AGAIN,
            };
            Err(explained(error, &path, format!("/c/{conversation}")).with_repeat(repeat))
        }
    }
}

/// Returns the error page that explains why a press was rejected.
fn explained(error: Error, path: &str, conversation: String) -> PageError {
    match error {
        Error::Refused(refusal) => match refusal.code {
            Code::MessageNotFound => PageError::no_message(conversation),
            Code::ConversationArchived => PageError::new(
                StatusCode::CONFLICT,
                "That did not work",
                "The conversation is archived, so its buttons cannot be pressed.",
            )
            .with_retry(path),
            Code::Conflict => PageError::from(refusal).with_retry(path),
            _ => refusal.into(),
        },
        error @ Error::Store(_) => error.into(),
    }
}
