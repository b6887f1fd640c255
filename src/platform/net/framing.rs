//! Tracks request boundaries in the bytes of a connection, because hyper does not report two facts:
//!
//! - Whether a request has both `Content-Length` and `Transfer-Encoding`, which is possibly an attempt at request
//!   smuggling (RFC 9112 §6.3). Hyper removes the `Content-Length` before the service sees the request.
//! - The path of a request that hyper itself rejects. The path determines the format of the error response.
//!
//! This module parses only what these two facts need, and leaves other errors in a request to hyper.

/// The maximum number of bytes of a line that are kept. No path of this server and no relevant header line is longer.
const MAX_LINE_KEPT: usize = 160;

/// The parser state after the bytes that were read so far.
#[derive(Default)]
pub struct Framing {
    part: MessagePart,
    /// The beginning of the current line.
    line: Vec<u8>,
    /// Number of bytes of the current line that were read so far, including its line break.
    line_length: usize,
    /// The last byte read as part of a line.
    last: Option<u8>,
    /// The beginning of the last complete request line.
    request_line: Vec<u8>,
    /// Number of bytes of the last complete request line, including its line break.
    request_line_length: usize,
    /// Whether a request line was read, but not yet the empty line that ends its head.
    is_in_head: bool,
    length: Option<Length>,
    has_coding: bool,
    /// Number of complete heads.
    heads: u64,
    /// The number of the head that had both `Content-Length` and `Transfer-Encoding`, counted from 1.
    conflict: Option<u64>,
}

#[derive(Default)]
enum MessagePart {
    #[default]
    Head,
    /// Inside a body, or inside a chunk or the line break after it. The fields are the number of remaining bytes, and
    /// the part that follows them.
    Skip(u64, After),
    ChunkSize,
    Trailers,
    /// After an invalid chunk size, or a head whose `Content-Length` is invalid or conflicts with `Transfer-Encoding`.
    /// No further request of the connection is served, so the rest is not parsed.
    Lost,
}

#[derive(Clone, Copy)]
enum After {
    Head,
    ChunkSize,
}

enum Length {
    Known(u64),
    Invalid,
}

/// The readable parts of a request that hyper rejected.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PartialRequest {
    /// The path without the query; `None` if the part of the request line that was read has no path.
    pub path: Option<String>,
    /// Number of bytes of the request line that were read, including its line break.
    pub line_length: usize,
}

impl Framing {
    /// Processes the next bytes of the connection. Returns the number of the first head that had both `Content-Length`
    /// and `Transfer-Encoding`, counted from 1.
    pub fn read(&mut self, mut bytes: &[u8]) -> Option<u64> {
        while !bytes.is_empty() {
            match self.part {
                MessagePart::Lost => break,
                MessagePart::Skip(left, after) => {
                    let skipped = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
                    bytes = &bytes[skipped..];
                    self.part = match (left - skipped as u64, after) {
                        (0, After::Head) => MessagePart::Head,
                        (0, After::ChunkSize) => MessagePart::ChunkSize,
                        (left, after) => MessagePart::Skip(left, after),
                    };
                }
                MessagePart::Head | MessagePart::ChunkSize | MessagePart::Trailers => {
                    bytes = self.read_line(bytes);
                }
            }
        }
        self.conflict
    }

    /// Returns the number of request heads that were read completely.
    #[must_use]
    pub fn heads(&self) -> u64 {
        self.heads
    }

    /// Returns the request whose head is being read, or was read last.
    #[must_use]
    pub fn begun(&self) -> PartialRequest {
        match self.part {
            MessagePart::Head if !self.is_in_head && self.line_length > 0 => {
                PartialRequest { path: path(&self.line), line_length: self.line_length }
            }
            _ => PartialRequest { path: path(&self.request_line), line_length: self.request_line_length },
        }
    }

    /// Consumes bytes up to the end of a line; returns the rest.
    fn read_line<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (part, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        let before = end.and_then(|end| end.checked_sub(1).map_or(self.last, |at| bytes.get(at).copied()));
        self.last = part.last().copied();
        let free = MAX_LINE_KEPT.saturating_sub(self.line.len()).min(part.len());
        self.line.extend_from_slice(&part[..free]);
        self.line_length += part.len();
        // in trailers, hyper treats a line feed without a carriage return before it as a part of the line
        let is_end = !matches!(self.part, MessagePart::Trailers) || before == Some(b'\r');
        if end.is_some() && is_end {
            let line = std::mem::take(&mut self.line);
            self.end_line(line.trim_ascii_end());
            // reuses the buffer for the next line
            self.line = line;
            self.line.clear();
            self.line_length = 0;
        }
        rest
    }

    fn end_line(&mut self, line: &[u8]) {
        match self.part {
            MessagePart::ChunkSize => {
                let digits = line.split(|byte| *byte == b';').next().unwrap_or_default();
                let digits = std::str::from_utf8(digits).unwrap_or_default().trim();
                self.part = match u64::from_str_radix(digits, 16) {
                    Ok(0) => MessagePart::Trailers,
                    // a line break of two bytes follows the chunk
                    Ok(size) => MessagePart::Skip(size.saturating_add(2), After::ChunkSize),
                    Err(_) => MessagePart::Lost,
                };
            }
            MessagePart::Trailers if self.line_length == b"\r\n".len() => self.part = MessagePart::Head,
            MessagePart::Head if line.is_empty() && self.is_in_head => self.end_head(),
            // empty lines before a request line are skipped (RFC 9112 §2.2)
            MessagePart::Head if !line.is_empty() => self.head_line(line),
            _ => {}
        }
    }

    fn head_line(&mut self, line: &[u8]) {
        if !self.is_in_head {
            self.is_in_head = true;
            (self.length, self.has_coding) = (None, false);
            self.request_line.clear();
            self.request_line.extend_from_slice(line);
            self.request_line_length = self.line_length;
            return;
        }
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.has_coding = true;
        } else if name.eq_ignore_ascii_case(b"content-length") && self.length.is_none() {
            let value = std::str::from_utf8(value).unwrap_or_default().trim();
            self.length = Some(value.parse().map_or(Length::Invalid, Length::Known));
        }
    }

    fn end_head(&mut self) {
        self.heads += 1;
        self.is_in_head = false;
        self.part = match (&self.length, self.has_coding) {
            (Some(_), true) => {
                self.conflict = Some(self.heads);
                MessagePart::Lost
            }
            (None, true) => MessagePart::ChunkSize,
            (None | Some(Length::Known(0)), false) => MessagePart::Head,
            (Some(Length::Known(length)), false) => MessagePart::Skip(*length, After::Head),
            (Some(Length::Invalid), false) => MessagePart::Lost,
        };
    }
}

/// Returns the path of a request line. The line may be incomplete.
fn path(line: &[u8]) -> Option<String> {
    let target = std::str::from_utf8(line).ok()?.split(' ').nth(1)?;
    let target = match target.split_once("://") {
        // the absolute form of the target, which clients send to proxies, includes the host
        Some((scheme, rest)) if !scheme.contains('/') => rest.find('/').map_or("/", |begin| &rest[begin..]),
        _ => target,
    };
    let path = target.split(['?', '#']).next()?;
    path.starts_with('/').then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the result of [`Framing::read`] for the text. Asserts that the result is the same if the text is read
    /// byte by byte.
    fn conflict(text: &str) -> Option<u64> {
        let whole = Framing::default().read(text.as_bytes());
        let mut framing = Framing::default();
        let bytes = text.as_bytes().iter().map(|byte| framing.read(&[*byte])).last().flatten();
        assert_eq!(whole, bytes, "{text}");
        whole
    }

    #[test]
    fn conflicting_headers_are_found_in_any_order() {
        let both = "POST / HTTP/1.1\r\nhost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(conflict(both), Some(1));
        assert_eq!(conflict("POST / HTTP/1.1\ntransfer-encoding: chunked\ncontent-length: 0\n\n"), Some(1));
        assert_eq!(
            conflict("\r\nPOST / HTTP/1.1\r\ntransfer-encoding:x\r\ncontent-length: ten\r\n\r\n"),
            Some(1)
        );
        assert_eq!(conflict(both.trim_end()), None, "an incomplete head is not reported");
    }

    #[test]
    fn bodies_are_skipped() {
        let inside = "POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n";
        let sized = format!("POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n{inside}", inside.len());
        assert_eq!(conflict(&sized), None);
        assert_eq!(conflict(&format!("{sized}{inside}")), Some(2));
        let chunked = format!(
            "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n{:x};ext=1\r\n{inside}\r\n1\r\nx\r\n0\r\n\
             content-length: 1\r\n\r\n",
            inside.len()
        );
        assert_eq!(conflict(&chunked), None);
        assert_eq!(conflict(&format!("{chunked}GET / HTTP/1.1\r\n\r\n\r\n{inside}")), Some(3));
        // the headers belong to two different requests
        let (one, two) = ("content-length: 0", "transfer-encoding: chunked");
        assert_eq!(
            conflict(&format!("GET / HTTP/1.1\r\n{one}\r\n\r\nGET / HTTP/1.1\r\n{two}\r\n\r\n")),
            None
        );
    }

    #[test]
    fn trailers_end_where_hyper_ends_them() {
        let inside = "POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n";
        for lines in ["\n", "x: y\n\n", "x: y\r\n\n"] {
            let chunked = format!(
                "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n{lines}x: POST / HTTP/1.1\r\n\
                 content-length: 999\r\n\r\n"
            );
            assert_eq!(conflict(&format!("{chunked}{inside}")), Some(2), "{lines:?}");
        }
    }

    #[test]
    fn nothing_is_detected_after_a_body_of_unknown_length() {
        let rest = "POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n";
        for broken in [
            "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\ntransfer-encoding: x\r\n\r\nzz\r\n",
        ] {
            assert_eq!(conflict(&format!("{broken}{rest}")), None, "{broken}");
        }
    }

    #[test]
    fn the_path_of_a_request_is_known_before_its_line_is_complete() {
        let begun = |text: &str| {
            let mut framing = Framing::default();
            framing.read(text.as_bytes());
            framing.begun()
        };
        let long = "x".repeat(1000);
        for (text, path, length) in [
            ("", None, 0),
            ("GET", None, 3),
            (&*format!("GET /token?x={long}"), Some("/token"), 1013),
            (&*format!("GET /token HTTP/1.1\r\nx: {long}"), Some("/token"), 21),
            ("GET http://x/mcp?y HTTP/1.1\r\nhost: x\r\n\r\n", Some("/mcp"), 29),
            ("GET http://x HTTP/1.1\r\n", Some("/"), 23),
            ("GET /a?u=http://x/y HTTP/1.1\r\n\r\nPOST /b", Some("/b"), 7),
            ("GET * HTTP/1.1\r\n\r\n", None, 16),
        ] {
            let begun = begun(text);
            assert_eq!((begun.path.as_deref(), begun.line_length), (path, length), "{text}");
        }
    }
}
