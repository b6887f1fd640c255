//! Functions that the fuzz targets share. They split an input into lines, and parse headers.

use http::{HeaderMap, HeaderName, HeaderValue};

/// Maximum number of headers of a request. Hyper rejects a request with more headers.
const MAX_HEADERS: usize = 100;

/// Returns the first line without its line end, and the rest. Returns `None` if there is no line end, or if the line is
/// not UTF-8.
#[must_use]
pub fn first_line(input: &[u8]) -> Option<(&str, &[u8])> {
    let end = input.iter().position(|byte| *byte == b'\n')?;
    Some((std::str::from_utf8(&input[..end]).ok()?, &input[end + 1..]))
}

/// Returns at most `MAX_HEADERS` headers up to an empty line, and the rest of the input. Skips lines that are not valid
/// headers, because hyper rejects a request with such a line before the server's parsers see the request.
#[must_use]
pub fn head(input: &[u8]) -> (HeaderMap, &[u8]) {
    let mut headers = HeaderMap::new();
    let mut rest = input;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let (line, after) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
        rest = after;
        if line.is_empty() {
            break;
        }
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let name = HeaderName::from_bytes(name.trim_ascii());
        let value = HeaderValue::from_bytes(value.trim_ascii());
        if let (Ok(name), Ok(value)) = (name, value) {
            if headers.len() == MAX_HEADERS || headers.try_append(name, value).is_err() {
                break;
            }
        }
    }
    (headers, rest)
}
