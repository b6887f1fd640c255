//! The forms of a conversation: post, edit, delete, and mark as read. Also opens files of messages.

use poem::http::StatusCode;

use super::{
    conversation::{
        FormKind, RefusedForm, answer_with, conversation_of, conversation_path, message_of, not_found,
        poster, reason, thread_of,
    },
    other_company::{self, NamedObject},
    uploads,
};
use crate::{
    domain::{
        ids::{FileId, MessageId},
        message::MAX_TEXT_CHARS,
        refusal::{Code, Refusal},
    },
    pages::{
        Outcome, Pages, answer,
        context::PageContext,
        error_page::{PageError, sentence},
        form,
    },
    service::{
        Error, messages,
        web_client::{
            reading::{PageWindow, ReadOnly},
            writing::{INVALID_KEY, NewMessage},
        },
    },
};

/// POST /c/{conversation}/messages.
pub(in crate::pages) async fn post(pages: &Pages, context: &mut PageContext) -> Outcome {
    let posted = post_form(pages, context).await;
    posted.map_err(|error| explained(context, error))
}

async fn post_form(pages: &Pages, context: &mut PageContext) -> Outcome {
    let (mut files, mut refused) = (Vec::new(), None);
    if let Some(form) = context.file_form.take() {
        let (form, received) = uploads::read(pages, context, form).await;
        // the fields are kept even after an error, so that the error page can contain the typed text
        context.form = form;
        let received = received?;
        (files, refused) = (received.files, received.refused);
    }
    let context = &*context;
    let person = poster(pages, context)?;
    let new = NewMessage {
        text: form::text_of(&context.form),
        thread: thread_of(&context.form),
        client_key: context.form.filled("client_key").map(str::to_owned),
        files,
    };
    let posted = match refused {
        None => person.post_message(conversation_of(context), new).await,
        Some(refusal) => {
            person.discard_files(&new.files).await;
            Err(Error::Refused(refusal))
        }
    };
    match posted {
        Ok(()) => Ok(answer::see_other(&conversation_path(context))),
        Err(Error::Refused(refusal)) if is_about_form(&refusal) => {
            let refused = || refused_form(context, FormKind::Post, &refusal);
            let window = thread_of(&context.form).map_or(PageWindow::Newest, PageWindow::Around);
            match answer_with(pages, context, window, Some(refused())).await {
                // perhaps the message to which the form replies was deleted, so the page shows the newest messages
                Err(error) if error.status() == StatusCode::NOT_FOUND => {
                    answer_with(pages, context, PageWindow::Newest, Some(refused())).await
                }
                page => page,
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// Reads the text fields of a rejected form with files, so that the response can contain the typed text. Does not read
/// the files. Does nothing for a form without files, whose fields are already read.
pub(in crate::pages) async fn read_typed_text(pages: &Pages, context: &mut PageContext) {
    if let Some(form) = context.file_form.take() {
        context.form = uploads::read_fields(pages, context, form).await;
    }
}

/// POST /c/{conversation}/{message}/edit.
pub(in crate::pages) async fn edit(pages: &Pages, context: &PageContext) -> Outcome {
    let edited = edit_form(pages, context).await;
    edited.map_err(|error| explained(context, error))
}

/// Returns the error page for a rejected form. Applies [`PageError::or_in_other_company`] if the visitor is in several
/// companies and the error page contains the form with its typed text. A 404 error page without a link then explains
/// how to send the form in another company.
fn explained(context: &PageContext, error: PageError) -> PageError {
    let has_several_companies = context.visitor.as_ref().is_some_and(|visitor| visitor.people.len() > 1);
    let shows_text = !context.is_by_script && !form::text_of(&context.form).is_empty();
    if has_several_companies && shows_text { error.or_in_other_company() } else { error }
}

async fn edit_form(pages: &Pages, context: &PageContext) -> Outcome {
    let person = poster(pages, context)?;
    let (conversation, message) = (conversation_of(context), message_of(context));
    match person.edit_message(conversation, message, form::text_of(&context.form)).await {
        Ok(()) => {
            let message = context.parts.get(1).map_or("", String::as_str);
            Ok(answer::see_other(&format!("{}/{message}", conversation_path(context))))
        }
        Err(Error::Refused(refusal)) if refusal.code == Code::Forbidden => {
            Err(PageError::forbidden("You can edit only your own messages."))
        }
        Err(Error::Refused(refusal)) if is_about_form(&refusal) => {
            let refused = refused_form(context, FormKind::Edit, &refusal);
            answer_with(pages, context, PageWindow::Around(message), Some(refused)).await
        }
        Err(error) => Err(not_found(context, error)),
    }
}

/// POST /c/{conversation}/{message}/delete.
pub(in crate::pages) async fn delete(pages: &Pages, context: &PageContext) -> Outcome {
    let person = poster(pages, context)?;
    match person.delete_message(conversation_of(context), message_of(context)).await {
        Ok(()) => Ok(answer::see_other(&conversation_path(context))),
        Err(Error::Refused(refusal)) if refusal.code == Code::Forbidden => Err(PageError::forbidden(
            "You can delete only your own messages. Admins of the company can delete every message.",
        )),
        Err(error) => Err(not_found(context, error)),
    }
}

/// POST /c/{conversation}/read.
pub(in crate::pages) async fn mark_as_read(pages: &Pages, context: &PageContext) -> Outcome {
    let person = poster(pages, context)?;
    let up_to = context.form.filled("message_id").map(MessageId::parse);
    let id = conversation_of(context);
    let marked = match context.is_by_script {
        true => person.mark_as_read_soon(id, up_to).await,
        false => person.mark_as_read(id, up_to).await,
    };
    marked.map_err(|error| not_found(context, error))?;
    Ok(answer::see_other(&conversation_path(context)))
}

/// GET /c/{conversation}/files/{file}.
pub(in crate::pages) async fn open_file(pages: &Pages, context: &PageContext) -> Outcome {
    let person = super::shell::person(pages, context)?;
    let file = context.parts.get(1).and_then(|id| FileId::parse(id));
    let (link, shown) = match person.file_link_in(conversation_of(context), file).await {
        Ok(found) => found,
        Err(Error::Refused(refusal)) if refusal.code == Code::ConversationNotFound => {
            let named = NamedObject::File(conversation_of(context), file);
            let offer = other_company::offer(pages, context, person, named, &context.here).await;
            return Err(offer.unwrap_or_else(|| refusal.into()));
        }
        Err(error) => return Err(error.into()),
    };
    context.confirm_conversation(pages, shown);
    Ok(answer::redirect(&link))
}

/// Returns whether the response to this rejection is the conversation with the form, so that the person can correct the
/// form or send it again. Every other rejection gets an error page.
fn is_about_form(refusal: &Refusal) -> bool {
    let is_session = matches!(refusal.code, Code::InvalidAuth | Code::Forbidden | Code::UserDeactivated);
    (400..500).contains(&refusal.status()) && refusal.status() != 404 && !is_session
}

fn refused_form(context: &PageContext, form: FormKind, refusal: &Refusal) -> RefusedForm {
    let text = form::text_of(&context.form);
    let chars = text.chars().count();
    let why = refusal.message.as_deref();
    let (is_key_used, is_key_invalid) = (why == Some(messages::KEY_USED), why == Some(INVALID_KEY));
    let key = context.form.filled("client_key").filter(|_| !is_key_used && !is_key_invalid);
    let (status, why) = match refusal.code {
        Code::NotAllowedInConversation => (StatusCode::FORBIDDEN, reason(ReadOnly::Announcements).to_owned()),
        Code::ConversationArchived => (StatusCode::CONFLICT, reason(ReadOnly::Archived).to_owned()),
        Code::Conflict if is_key_used => (
            StatusCode::CONFLICT,
            "This form was sent before, with another text or other files. Send it again to post this message too."
                .to_owned(),
        ),
        Code::InvalidRequest if chars > MAX_TEXT_CHARS => (
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("The message has {chars} characters. It can have at most {MAX_TEXT_CHARS}."),
        ),
        code => {
            let status = match code {
                Code::InvalidRequest => StatusCode::UNPROCESSABLE_ENTITY,
                _ => StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::BAD_REQUEST),
            };
            (status, sentence(why.unwrap_or("the message was not sent")))
        }
    };
    RefusedForm { status, form, text, why, client_key: key.map(str::to_owned) }
}
