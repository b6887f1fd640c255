//! `switchboard events verify`: checks one request offline, and says what is wrong with it.

use std::{
    fs,
    io::{self, Read as _},
    path::PathBuf,
};

use clap::Args;
use serde_json::{Value, json};

use super::{
    answer::Answer,
    failure::{Failure, Result},
    listen::{
        capture::Captured,
        receiver::{SIGNATURE, TIMESTAMP},
        secrets::SecretArgs,
        verdict::{self, Match, Signed, Wrong},
    },
    values::moment,
};
use crate::{
    config::ClientEnv,
    domain::time::Timestamp,
    platform::{clock::Clock, secrets::Secret},
};

/// A request, from a file of `listen --save` or in pieces.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// A file written by `switchboard listen --save`
    #[arg(value_name = "FILE", conflicts_with_all = ["timestamp", "signature", "body"])]
    file: Option<PathBuf>,
    /// The header X-Service-Timestamp
    #[arg(long, value_name = "SECONDS", required_unless_present = "file")]
    timestamp: Option<String>,
    /// The header X-Service-Signature
    #[arg(long, value_name = "VALUE", required_unless_present = "file")]
    signature: Option<String>,
    /// The file of the raw body; standard input if left out
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// The moment to check at: RFC 3339 or Unix seconds. When the request was received, or now, if left out
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<Timestamp>,
    #[command(flatten)]
    secrets: SecretArgs,
}

/// A request in pieces.
struct Request {
    timestamp: Option<String>,
    signature: Option<String>,
    body: Vec<u8>,
    /// When it is judged.
    at: Timestamp,
}

impl VerifyArgs {
    fn request(&self) -> Result<Request> {
        let Some(file) = &self.file else {
            let body = match &self.body {
                Some(path) => fs::read(path).map_err(|error| Failure::file("read", path, &error))?,
                None => read_input()?,
            };
            let (timestamp, signature) = (self.timestamp.clone(), self.signature.clone());
            let at = self.at.unwrap_or_else(|| Clock::system().now());
            return Ok(Request { timestamp, signature, body, at });
        };
        let captured = Captured::read(file)?;
        let header = |name: &str| captured.header(name).map(str::to_owned);
        Ok(Request {
            timestamp: header(TIMESTAMP),
            signature: header(SIGNATURE),
            body: captured.raw_body()?,
            at: self.at.map_or_else(|| captured.time(), Ok)?,
        })
    }
}

fn read_input() -> Result<Vec<u8>> {
    let mut body = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut body);
    read.map_err(|error| Failure::Local(format!("cannot read standard input: {error}")))?;
    Ok(body)
}

/// Checks, and prints the verdict. `json`: as a document, a bad verdict too.
///
/// # Errors
/// [`Failure::Unverified`] for a bad verdict; others for arguments and files that cannot be used.
pub fn run(args: &VerifyArgs, json: bool) -> Result<()> {
    let env = ClientEnv::from_process().map_err(|error| Failure::Usage(error.to_string()))?;
    let secrets = args.secrets.gather(&env)?;
    let request = args.request()?;
    let verdict = request.judge(&secrets);
    let hint = verdict.as_ref().err().and_then(|_| request.hint(&secrets));
    match (&verdict, json) {
        (Err(_), false) => {}
        _ => answer(&verdict, hint, secrets.len()).print(json)?,
    }
    verdict.map(drop).map_err(|wrong| unverified(wrong, hint))
}

impl Request {
    fn judge(&self, secrets: &[Secret]) -> std::result::Result<Match, Wrong> {
        self.judge_body(secrets, &self.body)
    }

    fn judge_body(&self, secrets: &[Secret], body: &[u8]) -> std::result::Result<Match, Wrong> {
        let signed =
            Signed { timestamp: self.timestamp.as_deref(), signature: self.signature.as_deref(), body };
        verdict::judge(secrets, signed, self.at)
    }

    /// What would have made it right: the mistakes that people make.
    fn hint(&self, secrets: &[Secret]) -> Option<&'static str> {
        // an old one is signed rightly too
        let right = |secrets: &[Secret], body: &[u8]| {
            matches!(self.judge_body(secrets, body), Ok(_) | Err(Wrong::TooOld(_)))
        };
        if right(secrets, &self.body) {
            return None;
        }
        let body = &self.body;
        let shorter = body.strip_suffix(b"\n").map(|body| body.strip_suffix(b"\r").unwrap_or(body));
        if shorter.is_some_and(|body| right(secrets, body)) {
            return Some("it is right without the line break at the end: something added one to the body");
        }
        if right(secrets, &compact(body)) {
            return Some(
                "it is right for the same JSON without white space: sign the raw bytes, not JSON written again",
            );
        }
        let mended: Vec<_> = secrets.iter().map(mend).collect();
        if right(&mended, body) {
            return Some(
                "it is right for the whole secret: it begins whsec_ and has no white space around it",
            );
        }
        None
    }
}

/// The secret as it was given out.
fn mend(secret: &Secret) -> Secret {
    let text = secret.expose().trim();
    if text.starts_with("whsec_") { Secret::new(text) } else { Secret::new(format!("whsec_{text}")) }
}

/// JSON without the white space between its tokens; other bytes come out as they are.
fn compact(body: &[u8]) -> Vec<u8> {
    let (mut quoted, mut escaped) = (false, false);
    let kept = body.iter().copied().filter(|byte| {
        if quoted {
            quoted = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            return true;
        }
        quoted = *byte == b'"';
        !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
    });
    kept.collect()
}

fn answer(verdict: &std::result::Result<Match, Wrong>, hint: Option<&str>, secrets: usize) -> Answer {
    let found = verdict.as_ref().ok();
    let document = json!({
        "ok": found.is_some(),
        "reason": verdict.as_ref().err().map(|wrong| wrong.name()),
        "hint": hint,
        "matched_value": found.map(|found| found.value + 1),
        "matched_secret": found.map(|found| found.secret + 1),
        "age_seconds": match verdict {
            Ok(found) => Value::from(found.age),
            Err(Wrong::TooOld(age)) => Value::from(*age),
            Err(_) => Value::Null,
        },
    });
    let text = found.map_or_else(String::new, |found| {
        format!(
            "The signature is right: value {} of {}, made with secret {} of {secrets}, {} s old.",
            found.value + 1,
            found.values,
            found.secret + 1,
            found.age
        )
    });
    Answer::new(document, text)
}

/// The exit code of each fault; `docs/cli.md` lists them.
fn unverified(wrong: Wrong, hint: Option<&str>) -> Failure {
    let code = match wrong {
        Wrong::Mismatch => 4,
        Wrong::TooOld(_) => 5,
        Wrong::NoTimestamp | Wrong::BadTimestamp => 6,
        Wrong::NoSignature | Wrong::BadSignature => 7,
    };
    let text = match hint {
        Some(hint) => format!("refused: {wrong}\n{hint}"),
        None => format!("refused: {wrong}"),
    };
    Failure::Unverified { code, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::signature;

    const AT: i64 = 1_795_196_100;
    const BODY: &str = r#"{"id":"evt_1","data":{"a b":"c \" d"}}"#;

    fn request(body: &str) -> Request {
        Request {
            timestamp: Some(AT.to_string()),
            signature: Some(signature::sign("whsec_x", AT, BODY.as_bytes())),
            body: body.as_bytes().to_vec(),
            at: Timestamp::from_seconds(AT + 10),
        }
    }

    fn hint(secret: &str, body: &str) -> Option<&'static str> {
        request(body).hint(&[Secret::new(secret)])
    }

    #[test]
    fn the_usual_mistakes_are_named() {
        assert_eq!(hint("whsec_x", BODY), None);
        assert_eq!(hint("whsec_y", BODY), None);
        for ended in [format!("{BODY}\n"), format!("{BODY}\r\n")] {
            assert!(hint("whsec_x", &ended).unwrap().contains("line break"));
        }
        let pretty = "{\n  \"id\": \"evt_1\",\n  \"data\": { \"a b\": \"c \\\" d\" }\n}\n";
        assert!(hint("whsec_x", pretty).unwrap().contains("raw bytes"));
        assert!(hint("x", BODY).unwrap().contains("whsec_"));
        assert!(hint("whsec_x\n", BODY).unwrap().contains("white space"));
        assert_eq!(hint("whsec_x", &BODY.replace("evt_1", "evt_2")), None);
    }

    #[test]
    fn a_verdict_for_people_and_programs() {
        let right = request(BODY).judge(&[Secret::new("whsec_x")]);
        let document = answer(&right, None, 1).document().clone();
        assert_eq!((&document["ok"], &document["age_seconds"]), (&json!(true), &json!(10)));
        let wrong = request(BODY).judge(&[Secret::new("whsec_y")]);
        assert_eq!(answer(&wrong, None, 1).document()["reason"], "mismatch");
        let failure = unverified(wrong.unwrap_err(), Some("hint"));
        assert_eq!(failure.to_string(), "refused: no value of X-Service-Signature matches\nhint");
    }
}
