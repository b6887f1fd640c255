//! Fuzzes the parser of forms with files. Each input checks three rules:
//!
//! - The division of the body into chunks does not change the result.
//! - If only the first piece of each file is read, the parser returns the same parts and the same error. If the error
//!   is in the content of a file, after its first piece, the parser returns this file too.
//! - If the parsed parts are encoded as a browser encodes them, the parser returns the same parts and no error.
//!
//! The first line of an input is the `Content-Type` with the boundary. Each byte of the second line is the size of a
//! chunk minus one. If the body has more chunks than there are sizes, the sizes are used again from the first. The rest
//! of the input is the body.

#![no_main]

use std::sync::LazyLock;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use libfuzzer_sys::fuzz_target;
use switchboard::pages::multipart::{FormError, FormReader, Part, boundary};
use switchboard_fuzz::first_line;
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));

/// A part, and the content that was read if the part is a file. For a text field, the content is empty.
type Read = (Part, Vec<u8>);

/// The parts of a form that were read, and the error that ended the reading, if any.
#[derive(Debug, PartialEq)]
struct Form {
    parts: Vec<Read>,
    end: Result<(), &'static str>,
}

fuzz_target!(|input: &[u8]| {
    let Some((content_type, rest)) = first_line(input) else { return };
    let Some(end) = rest.iter().position(|byte| *byte == b'\n') else { return };
    let (sizes, body) = (&rest[..end], &rest[end + 1..]);
    let Some(boundary) = boundary(content_type) else { return };
    let whole = read(&[body], &boundary, true);
    let form = read(&divided(body, sizes), &boundary, true);
    assert_eq!(form, whole, "the division into chunks does not change the result");
    let skipped = read(&divided(body, sizes), &boundary, false);
    let parts = |form: &Form| form.parts.iter().map(|(part, _)| part.clone()).collect::<Vec<_>>();
    // If a file is incomplete, reading its content fails, so `form` does not have the file. `skipped` can have the
    // file, because only its first piece was read. Reading the next part then failed, with the error of `form`.
    let is_same = match form.end {
        Ok(()) => parts(&skipped) == parts(&form),
        Err(_) => parts(&skipped).starts_with(&parts(&form)),
    };
    assert!(
        is_same && skipped.end == form.end,
        "if only the first piece of each file is read, the complete parts and the error are the same: \
         {skipped:?}, {form:?}"
    );
    for (_, content) in &form.parts {
        assert!(contains(body, content), "the body contains the content of each file");
    }
    let mut unused = "edge".to_owned();
    while contains(body, unused.as_bytes()) {
        unused.push('-');
    }
    let again = read(&divided(&written(&form.parts, &unused), sizes), &unused, true);
    assert_eq!(
        again,
        Form { parts: form.parts, end: Ok(()) },
        "the parts are the same after a browser has encoded them"
    );
});

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|found| found == part)
}

/// Divides a body into chunks. The size of each chunk is one more than the next number in `sizes`. After the last
/// number, the numbers are used again from the first. If `sizes` is empty, returns one chunk.
fn divided<'a>(body: &'a [u8], sizes: &[u8]) -> Vec<&'a [u8]> {
    let mut sizes = sizes.iter().map(|size| usize::from(*size) + 1).cycle();
    let (mut chunks, mut rest) = (Vec::new(), body);
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(sizes.next().unwrap_or(rest.len()).min(rest.len()));
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

/// Reads a form. If `with_content` is false, reads only the first piece of each file, and does not keep it.
fn read(chunks: &[&[u8]], boundary: &str, with_content: bool) -> Form {
    let chunks: Vec<_> = chunks.iter().map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
    let mut chunks = stream::iter(chunks).fuse().boxed();
    let mut form = FormReader::new(&mut chunks, boundary.to_owned());
    let mut parts: Vec<Read> = Vec::new();
    let read = async {
        while let Some(part) = form.next_part().await? {
            let mut content = Vec::new();
            let mut pieces = form.content();
            while let Some(piece) = pieces.try_next().await? {
                if !with_content {
                    break;
                }
                content.extend_from_slice(&piece);
            }
            parts.push((part, content));
        }
        Ok::<(), FormError>(())
    };
    let end = RUNTIME.block_on(read).map_err(|error| match error {
        FormError::Body(error) => panic!("the body can be read and exceeds no limit: {error:?}"),
        FormError::Headers => "headers",
        FormError::Encoding => "encoding",
        FormError::TooManyParts => "too many parts",
        FormError::Malformed => "malformed",
    });
    Form { parts, end }
}

/// Encodes the parts as a browser encodes them (HTML, "multipart/form-data encoding").
fn written(parts: &[Read], boundary: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for (part, content) in parts {
        let (head, content) = match part {
            Part::Field { name, text, .. } => (format!("name=\"{name}\"\r\n"), text.as_bytes()),
            Part::File { name, mimetype } => {
                let name = name.replace('"', "%22");
                let kind = mimetype.as_ref().map(|kind| format!("Content-Type: {kind}\r\n"));
                let kind = kind.unwrap_or_default();
                (format!("name=\"file\"; filename=\"{name}\"\r\n{kind}"), content.as_slice())
            }
        };
        body.extend_from_slice(
            format!("--{boundary}\r\nContent-Disposition: form-data; {head}\r\n").as_bytes(),
        );
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    body
}
