//! Reads a form with files as a stream. Each file is stored while it arrives.

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, future, stream};
use parking_lot::Mutex;
use poem::http::StatusCode;
use serde_json::{Map, Value};

use super::{
    conversation::{conversation_of, thread_of},
    file_limits::{self, LIMITS, MAX_FILES},
    shell,
};
use crate::{
    contract::{BodyLimits, Chunks, read_streamed},
    domain::{
        message::MAX_TEXT_CHARS,
        refusal::{Code, Refusal},
    },
    pages::{
        Pages,
        context::{FileForm, PageContext},
        error_page::{PageError, sentence},
        form::{Form, TYPED_TEXT_LIMITS},
        multipart::{FormError, FormReader, MAX_FIELD_BYTES, Part},
    },
    platform::blobs::ReceiveError,
    service::{
        Error,
        callers::Person,
        files::{FileView, shown_name, unavailable, uploads::MAX_FILE_BYTES},
    },
};

/// `Retry-After` in seconds if the account sends too many forms at once.
const RETRY_AFTER: u32 = 5;

/// Reason for rejecting a file whose headers the parser cannot read: usually because of the file's name.
const UNREADABLE_NAME: &str =
    "a file was not sent: its name contains a control character; rename the file, then choose it again";

/// Limits for reading only the fields that precede the files of a form.
const FIELD_LIMITS: BodyLimits =
    BodyLimits { bytes: 2 * MAX_FIELD_BYTES, time: std::time::Duration::from_secs(10) };

/// The files of a form that was read to its end.
pub(super) struct ReceivedFiles {
    /// The stored files.
    pub(super) files: Vec<FileView>,
    /// The rejection of a file, or of the whole form because the person may not post. Files that came after the
    /// rejection were not stored.
    pub(super) refused: Option<Refusal>,
}

/// Reads a form to its end. Continues after a file was rejected, because a browser shows no response before it has sent
/// the whole request. With an error, also returns the fields that were read before the error.
///
/// # Errors
/// - A redirect to the sign-in page.
/// - 429 for too many forms of the account at once.
/// - 413 for a body or a field that is too large, and for too many parts.
/// - 408 for a body that is too slow.
/// - 400 for a malformed body, and for a repeated field.
/// - 403 for a file before a valid CSRF token.
/// - A redirect to the choice of a company.
/// - 404 if the person is not in the conversation.
/// - Store errors.
///
/// The maintenance job for unattached files later deletes the files that were stored before the error.
pub(super) async fn read(
    pages: &Pages,
    context: &PageContext,
    form: FileForm,
) -> (Form, Result<ReceivedFiles, PageError>) {
    let account = match context.visitor() {
        Ok(visitor) => visitor.caller.cursor_owner(),
        Err(error) => return (Form::default(), Err(error)),
    };
    let Some(_open) = pages.open_forms.open(account) else {
        return (read_fields(pages, context, form).await, Err(PageError::too_often(RETRY_AFTER)));
    };
    let fields = Mutex::default();
    let received = receive(pages, context, form, &fields).await;
    (Form::of(fields.into_inner()), received)
}

async fn receive(
    pages: &Pages,
    context: &PageContext,
    form: FileForm,
    fields: &Mutex<Map<String, Value>>,
) -> Result<ReceivedFiles, PageError> {
    let idle = pages.world.settings.uploads.idle;
    let reader = UploadReader { pages, context, fields, files: Vec::new(), refused: None };
    read_streamed(form.body, LIMITS, idle, |chunks| reader.read(chunks, form.boundary)).await
}

/// Reads the fields of a form. Stops at the first file, at an error or at a limit. The limit is lower for visitors who
/// are not signed in, and for an account that sends too many forms at once.
pub(super) async fn read_fields(pages: &Pages, context: &PageContext, form: FileForm) -> Form {
    let account = context.visitor.as_ref().map(|visitor| visitor.caller.cursor_owner());
    let open = account.and_then(|account| pages.open_forms.open(account));
    let limits = if open.is_some() { FIELD_LIMITS } else { TYPED_TEXT_LIMITS };
    let fields = Mutex::default();
    let into = &fields;
    let idle = pages.world.settings.uploads.idle;
    let whole = BodyLimits { bytes: LIMITS.bytes, ..limits };
    let read = read_streamed(form.body, whole, idle, |chunks| async move {
        let mut chunks = beginning(chunks, limits.bytes).fuse().boxed();
        let mut parts = FormReader::new(&mut chunks, form.boundary);
        while let Some(Part::Field { name, text, is_whole }) = parts.next_part().await? {
            take_field(into, name, text, is_whole)?;
        }
        Ok::<_, PageError>(())
    });
    if let Err(error) = read.await {
        tracing::debug!(?error, "failed to read the fields of a rejected form");
    }
    Form::of(fields.into_inner())
}

/// Returns the first `left` bytes of a body.
fn beginning(chunks: Chunks, left: usize) -> Chunks {
    let pieces = stream::unfold((chunks, left), |(mut chunks, left)| async move {
        if left == 0 {
            return None;
        }
        let mut chunk = chunks.next().await?;
        let read = match &mut chunk {
            Ok(bytes) => {
                bytes.truncate(left);
                bytes.len()
            }
            Err(_) => 0,
        };
        Some((chunk, (chunks, left - read)))
    });
    pieces.boxed()
}

/// The reason why the content of a file was not received.
enum ContentError {
    Form(FormError),
    TooLarge,
}

struct UploadReader<'a> {
    pages: &'a Pages,
    context: &'a PageContext,
    /// The fields that were read. Files are not among them.
    fields: &'a Mutex<Map<String, Value>>,
    files: Vec<FileView>,
    refused: Option<Refusal>,
}

impl<'a> UploadReader<'a> {
    async fn read(mut self, chunks: Chunks, boundary: String) -> Result<ReceivedFiles, PageError> {
        // fused, because the stream is polled below even if the parser has already read it to the end
        let mut chunks = chunks.fuse().boxed();
        let is_read = self.read_parts(FormReader::new(&mut chunks, boundary)).await?;
        if !is_read {
            self.refused.get_or_insert_with(|| Refusal::because(Code::InvalidRequest, UNREADABLE_NAME));
            while let Some(chunk) = chunks.next().await {
                chunk?;
            }
        }
        Ok(ReceivedFiles { files: self.files, refused: self.refused })
    }

    /// Reads the parts. Returns `false` if the parser stopped at a part whose headers it cannot read.
    async fn read_parts(&mut self, mut form: FormReader<'_>) -> Result<bool, PageError> {
        let mut person = None;
        loop {
            match form.next_part().await {
                Ok(Some(Part::File { name, mimetype })) => {
                    let person = match person {
                        Some(person) => person,
                        None => *person.insert(self.admit().await?),
                    };
                    self.take_file(person, &mut form, name, mimetype).await?;
                }
                Ok(Some(Part::Field { name, text, is_whole })) => {
                    take_field(self.fields, name, text, is_whole)?;
                }
                Ok(None) => return Ok(true),
                Err(FormError::Headers) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Checks the CSRF token and whether the person may post, before the first file is received. Returns the person. If
    /// the person may not post, stores the rejection in `refused`. A rejection with status 404 is returned as an error
    /// instead. If a message was already posted with the `client_key` of the form, stores no rejection.
    async fn admit(&mut self) -> Result<Person<'a>, PageError> {
        let form = Form::of(self.fields.lock().clone());
        self.context.sent_form(self.pages, "", &form)?;
        let person = shell::person(self.pages, self.context)?;
        match person.check_post(conversation_of(self.context), thread_of(&form)).await {
            Ok(()) => {}
            Err(Error::Refused(refusal)) if refusal.status() != 404 => {
                // the files of a repeated form are received, because they are compared with those of the first form
                let is_repeated = match form.filled("client_key") {
                    Some(key) => person.has_posted(conversation_of(self.context), key).await?,
                    None => false,
                };
                self.refused = Some(refusal).filter(|_| !is_repeated);
            }
            Err(error) => return Err(error.into()),
        }
        Ok(person)
    }

    /// Stores a file, unless an earlier file or the form was rejected.
    async fn take_file(
        &mut self,
        person: Person<'_>,
        form: &mut FormReader<'_>,
        name: String,
        mimetype: Option<String>,
    ) -> Result<(), PageError> {
        if self.refused.is_some() {
            return Ok(());
        }
        if self.files.len() == MAX_FILES {
            self.refused = Some(Refusal::because(Code::InvalidRequest, file_limits::too_many()));
            return Ok(());
        }
        match self.store(person, form, name.clone(), mimetype).await? {
            Ok(file) => self.files.push(file),
            Err(refusal) => self.refused = Some(about_file(&name, refusal)),
        }
        Ok(())
    }

    /// Stores a file. The inner error rejects the file: the form is read to its end, but no later file is stored. After
    /// the outer error the form is not read further.
    async fn store(
        &self,
        person: Person<'_>,
        form: &mut FormReader<'_>,
        name: String,
        mimetype: Option<String>,
    ) -> Result<Result<FileView, Refusal>, PageError> {
        let upload = match person.admit_file(name, mimetype).await {
            Ok(upload) => upload,
            Err(Error::Refused(refusal)) => return Ok(Err(refusal)),
            Err(error) => return Err(error.into()),
        };
        let mut left = MAX_FILE_BYTES;
        let content = form.content().map_err(ContentError::Form).and_then(move |chunk: Bytes| {
            let rest = left.checked_sub(chunk.len());
            left = rest.unwrap_or_default();
            future::ready(rest.map(|_| chunk).ok_or(ContentError::TooLarge))
        });
        let received = match self.pages.world.receive_file(upload, content).await {
            Ok(received) => received,
            Err(ReceiveError::Source(ContentError::TooLarge)) => {
                return Ok(Err(Code::PayloadTooLarge.into()));
            }
            Err(ReceiveError::Source(ContentError::Form(error))) => return Err(error.into()),
            Err(ReceiveError::Storage(error)) => return Err(unavailable(&error).into()),
        };
        match person.keep_file(received).await {
            Ok(file) => Ok(Ok(file)),
            Err(Error::Refused(refusal)) => Ok(Err(refusal)),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns the rejection with a message that names the file.
fn about_file(name: &str, refusal: Refusal) -> Refusal {
    let name: String = shown_name(name).chars().take(60).collect();
    let why = match refusal.code {
        Code::PayloadTooLarge => file_limits::too_large(),
        _ => refusal.message.as_deref().unwrap_or("it cannot be stored").to_owned(),
    };
    Refusal { message: Some(file_limits::about(&name, &why).into()), ..refusal }
}

/// Adds a field to the fields that were read.
///
/// # Errors
/// - 400 for a repeated field.
/// - 413 for a field that is too large. The beginning of the field is added nevertheless.
fn take_field(
    fields: &Mutex<Map<String, Value>>,
    name: String,
    text: String,
    is_whole: bool,
) -> Result<(), PageError> {
    let is_message = name == "text";
    if fields.lock().insert(name, Value::String(text)).is_some() {
        return Err(PageError::invalid("The form has a field more than once."));
    }
    if is_whole {
        return Ok(());
    }
    let why = match is_message {
        true => format!(
            "The message is too long: it can have at most {MAX_TEXT_CHARS} characters. Only its beginning is kept here."
        ),
        false => "A field of the form is too long.".to_owned(),
    };
    Err(PageError::new(StatusCode::PAYLOAD_TOO_LARGE, "Too long", why))
}

impl From<FormError> for PageError {
    fn from(error: FormError) -> Self {
        match error {
            FormError::Body(error) => error.into(),
            FormError::Encoding => Self::invalid("The form is not UTF-8."),
            FormError::TooManyParts => {
                let why = sentence(&file_limits::too_many());
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "Too many files", why)
            }
            FormError::Headers | FormError::Malformed => {
                Self::invalid("The form was cut off or is malformed.")
            }
        }
    }
}
