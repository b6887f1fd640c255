//! Parses a form with files, `multipart/form-data` (RFC 7578), while its body arrives. The caller gets the content of
//! each file as a stream. The parser is the crate `multer`.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    task::{Poll, ready},
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use multer::{Field, Multipart};
use parking_lot::Mutex;
use poem::http::header;

use crate::{
    contract::{ApiError, Chunks},
    domain::refusal::Code,
};

/// Limit in bytes on the buffer of the parser, without the last chunk in it. If the buffer reaches the limit, and the
/// parser finds neither a boundary nor the end of a part's headers in it, the next chunk is rejected. The parser
/// searches all buffered bytes again with each chunk, so without the limit the time would be quadratic. Boundaries and
/// headers that browsers send are shorter.
const MAX_UNPARSED: usize = 64 << 10;
/// Maximum number of parts of a form. A valid form has fewer parts: at most 200 files and a few fields with text.
const MAX_PARTS: usize = 220;
/// The name of the fields with files.
const FILE: &str = "file";
/// The fields of the form that are not files.
const FIELDS: [&str; 4] = ["csrf", "client_key", "thread_id", "text"];
/// Maximum size in bytes of a field that is not a file.
pub const MAX_FIELD_BYTES: usize = 1 << 20;

/// Returns the boundary between the parts of a form with files, from its `Content-Type`. Returns `None` for any
/// other media type, and if there is no boundary.
#[must_use]
pub fn boundary(content_type: &str) -> Option<String> {
    multer::parse_boundary(content_type).ok()
}

/// The reason why a form cannot be read.
#[derive(Debug)]
pub enum FormError {
    /// The body could not be read, is too large, or exceeds the limit on the buffer of the parser (`MAX_UNPARSED`).
    Body(ApiError),
    /// The headers of a part are invalid. For example, a file name contains a control character: browsers escape only
    /// line breaks and quotation marks in the name.
    Headers,
    /// A field is not UTF-8.
    Encoding,
    TooManyParts,
    /// Any other syntax error, such as a missing end.
    Malformed,
}

/// A part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Field {
        name: String,
        text: String,
        /// Whether `text` is the whole field. If the field is larger than [`MAX_FIELD_BYTES`], `text` is its beginning.
        is_whole: bool,
    },
    /// A file. [`FormReader::content`] returns its content.
    File {
        /// The file's name on the device, with line breaks replaced by spaces. Never empty.
        name: String,
        /// The media type without parameters.
        mimetype: Option<String>,
    },
}

/// Reads the parts of a form. Skips a part that is neither one of the text fields (`FIELDS`) nor a file in the field
/// `file`.
#[derive(Debug)]
pub struct FormReader<'a> {
    parsing: Parsing,
    parts: Multipart<'a>,
    /// The part that was returned last.
    current: Option<Field<'a>>,
    parts_read: usize,
}

impl<'a> FormReader<'a> {
    pub fn new(chunks: &'a mut Chunks, boundary: String) -> Self {
        let parsing = Parsing::default();
        let parts = Multipart::new(parsing.source(chunks), boundary);
        Self { parsing, parts, current: None, parts_read: 0 }
    }

    /// Returns the next part; `None` at the end of the form. Discards the unread content of the previous part.
    ///
    /// # Errors
    /// A [`FormError`], after which the form cannot be read further.
    pub async fn next_part(&mut self) -> Result<Option<Part>, FormError> {
        loop {
            self.skip().await?;
            let field = match self.parts.next_field().await {
                Ok(Some(field)) => field,
                Ok(None) => return Ok(None),
                Err(multer::Error::ReadHeaderFailed(_)) => return Err(FormError::Headers),
                Err(error) => return Err(self.parsing.failed(&error)),
            };
            self.parsing.advanced();
            self.parts_read += 1;
            if self.parts_read > MAX_PARTS {
                return Err(FormError::TooManyParts);
            }
            let name = field.name().unwrap_or_default().to_owned();
            // browsers send a part with an empty file name if no file was chosen
            let file_name = name_of(&field).filter(|name| !name.is_empty());
            let mimetype = field.content_type().map(|media_type| media_type.essence_str().to_owned());
            self.current = Some(field);
            if let Some(file_name) = file_name.filter(|_| name == FILE) {
                return Ok(Some(Part::File { name: file_name, mimetype }));
            }
            if FIELDS.contains(&name.as_str()) {
                let (text, is_whole) = self.text().await?;
                return Ok(Some(Part::Field { name, text, is_whole }));
            }
        }
    }

    /// Returns the unread content of the part that was returned last.
    pub fn content(&mut self) -> impl Stream<Item = Result<Bytes, FormError>> + Send {
        let Self { parsing, current, .. } = self;
        let parsing = &*parsing;
        stream::poll_fn(move |cx| {
            let Some(field) = current.as_mut() else { return Poll::Ready(None) };
            let chunk = ready!(field.poll_next_unpin(cx));
            Poll::Ready(chunk.map(|chunk| {
                let chunk = chunk.map_err(|error| parsing.failed(&error))?;
                parsing.advanced();
                Ok(chunk)
            }))
        })
    }

    /// Returns the text of the current field, and whether the text is the whole field. If the field is too large, the
    /// text is its beginning, up to the first bytes that are not UTF-8.
    async fn text(&mut self) -> Result<(String, bool), FormError> {
        let mut bytes = Vec::new();
        let mut content = self.content();
        let mut is_whole = true;
        while let Some(chunk) = content.try_next().await? {
            let left = MAX_FIELD_BYTES - bytes.len();
            bytes.extend_from_slice(&chunk[..chunk.len().min(left)]);
            if chunk.len() > left {
                is_whole = false;
                // keeps only the valid beginning, because the limit may have cut a character
                let end = bytes.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
                bytes.truncate(end);
                break;
            }
        }
        String::from_utf8(bytes).map(|text| (text, is_whole)).map_err(|_| FormError::Encoding)
    }

    /// Reads and discards the rest of a part. The parser would discard the rest too, but without returning for each
    /// chunk. Then [`Parsing::advanced`] would not be called, and a large part would exceed [`MAX_UNPARSED`].
    async fn skip(&mut self) -> Result<(), FormError> {
        let mut content = self.content();
        while content.try_next().await?.is_some() {}
        drop(content);
        // the parser returns the next part only after the previous part was dropped
        self.current = None;
        Ok(())
    }
}

/// Returns a file's name on the device, with line breaks replaced by spaces; `None` for a part that is not a file.
/// Browsers escape quotation marks and line breaks in the name, but not backslashes (HTML, "multipart/form-data
/// encoding").
fn name_of(field: &Field<'_>) -> Option<String> {
    let name = field.file_name().or_else(|| name_with_backslash_at_end(field))?;
    Some(name.replace("%22", "\"").replace("%0D", " ").replace("%0A", " "))
}

/// Returns a file name that ends with a backslash. The parser does not find such a name, because it reads the backslash
/// as an escape of the closing quotation mark.
fn name_with_backslash_at_end<'a>(field: &'a Field<'_>) -> Option<&'a str> {
    let disposition =
        std::str::from_utf8(field.headers().get(header::CONTENT_DISPOSITION)?.as_bytes()).ok()?;
    let (_, name) = disposition.split_once("; filename=\"")?;
    name.strip_suffix('"').filter(|name| name.ends_with('\\'))
}

/// The state of a form that is being parsed. Cheap to clone.
#[derive(Clone, Debug, Default)]
struct Parsing(Arc<MultipartState>);

#[derive(Debug, Default)]
struct MultipartState {
    /// Whether the parser has polled the body since it last advanced or received a chunk. The parser polls the body
    /// before it searches the buffered bytes, so the poll that sets this flag returns no chunk. When the parser polls
    /// again, it has searched all buffered bytes and found nothing.
    has_searched: AtomicBool,
    /// Number of bytes that the parser received since it last advanced, without the last chunk.
    searched: AtomicUsize,
    /// Length in bytes of the last chunk that the parser received since it last advanced.
    last: AtomicUsize,
    /// Why the body could not be read. The parser's own error does not contain this error.
    error: Mutex<Option<ApiError>>,
}

impl Parsing {
    /// Records that the parser returned a part, or content of a part.
    fn advanced(&self) {
        self.0.has_searched.store(false, Relaxed);
        self.0.searched.store(0, Relaxed);
        self.0.last.store(0, Relaxed);
    }

    /// Returns the body as a stream for the parser. The stream returns the next chunk only when the parser finds
    /// nothing more in the bytes that it has. A stream that returned every chunk at once would make the parser buffer
    /// everything that has arrived. The stream fails with 413 if a chunk arrives after the buffer has reached
    /// [`MAX_UNPARSED`].
    fn source<'a>(
        &self,
        chunks: &'a mut Chunks,
    ) -> impl Stream<Item = Result<Bytes, io::Error>> + Send + use<'a> {
        let Self(state) = self.clone();
        stream::poll_fn(move |cx| {
            if !state.has_searched.swap(true, Relaxed) {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            let searched = state.searched.load(Relaxed) + state.last.load(Relaxed);
            let chunk = match ready!(chunks.poll_next_unpin(cx)) {
                Some(Ok(_)) if state.searched.load(Relaxed) >= MAX_UNPARSED => {
                    Err(Code::PayloadTooLarge.into())
                }
                Some(chunk) => chunk,
                None => return Poll::Ready(None),
            };
            Poll::Ready(Some(match chunk {
                Ok(chunk) => {
                    state.has_searched.store(false, Relaxed);
                    state.searched.store(searched, Relaxed);
                    state.last.store(chunk.len(), Relaxed);
                    Ok(chunk)
                }
                Err(error) => {
                    *state.error.lock() = Some(error);
                    Err(io::Error::other("failed to read the body"))
                }
            }))
        })
    }

    /// Returns the form error for an error of the parser.
    fn failed(&self, error: &multer::Error) -> FormError {
        match self.0.error.lock().take() {
            Some(error) => FormError::Body(error),
            None => {
                tracing::debug!(%error, "malformed form");
                FormError::Malformed
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, mimetype: Option<&str>) -> Part {
        Part::File { name: name.to_owned(), mimetype: mimetype.map(str::to_owned) }
    }

    /// Returns the parts of a body that arrives in chunks of `size` bytes, each with the content of its file. The
    /// content of a text field is empty.
    async fn parts(body: &str, size: usize) -> Result<Vec<(Part, String)>, FormError> {
        let chunks: Vec<_> = body.as_bytes().chunks(size).map(Bytes::copy_from_slice).map(Ok).collect();
        let mut chunks = stream::iter(chunks).fuse().boxed();
        let mut form = FormReader::new(&mut chunks, "edge".to_owned());
        let mut found = Vec::new();
        while let Some(part) = form.next_part().await? {
            let mut content = Vec::new();
            let mut pieces = form.content();
            while let Some(piece) = pieces.try_next().await? {
                content.extend_from_slice(&piece);
            }
            found.push((part, String::from_utf8(content).unwrap()));
        }
        Ok(found)
    }

    #[tokio::test]
    async fn parts_do_not_depend_on_the_chunks() {
        let body = "preamble\r\n--edge\r\ncontent-disposition: form-data; name=\"csrf\"\r\n\r\na\r\n--edg\r\n--edge  \r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"a%22b%0D%0A.txt\"\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n\r--edge\r\n\r\r\n--edge\r\n\
             content-disposition: form-data; name=\"file\"; filename=\"back\\\"\r\n\r\n\r\n--edge\r\n\
             content-disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\nskipped\r\n--edge\r\n\
             content-disposition: form-data; name=\"other\"\r\n\r\nskipped\r\n--edge--\r\nepilogue";
        let csrf = Part::Field { name: "csrf".to_owned(), text: "a\r\n--edg".to_owned(), is_whole: true };
        let expected = [
            (csrf, String::new()),
            (file("a\"b  .txt", Some("text/plain")), "\r--edge\r\n\r".to_owned()),
            (file("back\\", None), String::new()),
        ];
        for size in 1..=body.len() {
            assert_eq!(parts(body, size).await.unwrap(), expected, "chunks of {size} bytes");
        }
    }

    #[tokio::test]
    async fn malformed_forms_are_rejected_whatever_the_chunks() {
        let head = "--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a\"\r\n";
        let control = head.replace("\"a\"", "\"a\u{1}\"");
        for size in [1, 2, 7, 1000] {
            for body in ["", "--edge", "--edge\r\n", head, &format!("{head}\r\ncontent\r\n--edge")] {
                let error = parts(body, size).await.unwrap_err();
                assert!(matches!(error, FormError::Malformed), "{body:?}: {error:?}");
            }
            let error = parts(&format!("{control}\r\ncontent\r\n--edge--"), size).await.unwrap_err();
            assert!(matches!(error, FormError::Headers), "{error:?}");
        }
    }
}
