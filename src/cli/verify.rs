//! `switchboard events verify`: verifies the signatures of requests offline, and explains why a signature is invalid.

use std::{
    fmt::Write as _,
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
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
        verdict::{self, InvalidSignature, Match, Signed},
    },
    values::moment,
};
use crate::{
    config::ClientEnv,
    domain::time::Timestamp,
    platform::{clock::Clock, secrets::Secret},
};

/// Requests from files of `listen --save`, or the parts of a single request.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// Files written by `switchboard listen --save`
    #[arg(value_name = "FILE", conflicts_with_all = ["timestamp", "signature", "body"])]
    captured: Vec<PathBuf>,
    /// The header X-Service-Timestamp
    #[arg(long, value_name = "SECONDS", required_unless_present = "captured")]
    timestamp: Option<String>,
    /// The header X-Service-Signature
    #[arg(long, value_name = "VALUE", required_unless_present = "captured")]
    signature: Option<String>,
    /// The file with the raw body; standard input by default
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// The time with which the timestamp is compared: RFC 3339 or Unix seconds. By default the time at which the
    /// request in FILE was received; without FILE, now
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<Timestamp>,
    #[command(flatten)]
    secrets: SecretArgs,
}

/// The input of a verification: parts of a request, and the time with which its timestamp is compared.
struct SignedRequest {
    timestamp: Option<String>,
    signature: Option<String>,
    body: Vec<u8>,
    at: Timestamp,
}

impl VerifyArgs {
    /// Reads a request from a file of `listen --save`.
    fn request_in_file(&self, file: &Path) -> Result<SignedRequest> {
        let captured = Captured::read(file)?;
        let header = |name: &str| captured.header(name).map(str::to_owned);
        let named = |failure: Failure| Failure::Local(format!("{}: {failure}", file.display()));
        Ok(SignedRequest {
            timestamp: header(TIMESTAMP),
            signature: header(SIGNATURE),
            body: captured.raw_body().map_err(named)?,
            at: self.at.map_or_else(|| captured.time(), Ok).map_err(named)?,
        })
    }

    /// Returns the request that the arguments describe.
    fn request_of_arguments(&self) -> Result<SignedRequest> {
        let body = match &self.body {
            Some(path) => fs::read(path).map_err(|error| Failure::file("read", path, &error))?,
            None => read_input()?,
        };
        let (timestamp, signature) = (self.timestamp.clone(), self.signature.clone());
        let at = self.at.unwrap_or_else(|| Clock::system().now());
        Ok(SignedRequest { timestamp, signature, body, at })
    }
}

fn read_input() -> Result<Vec<u8>> {
    let mut body = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut body);
    read.map_err(|error| Failure::Local(format!("cannot read standard input: {error}")))?;
    Ok(body)
}

/// Verifies the requests and prints the results. If `json` is true, prints one document, even if signatures are
/// invalid.
///
/// # Errors
/// [`Failure::Usage`] if an argument or an environment variable cannot be used, [`Failure::Local`] if a file or the
/// standard input cannot be used, [`Failure::Unverified`] if a signature is invalid.
pub fn run(args: &VerifyArgs, json: bool) -> Result<()> {
    let env = ClientEnv::from_process().map_err(|error| Failure::Usage(error.to_string()))?;
    let secrets = args.secrets.gather(&env)?;
    if args.captured.is_empty() {
        return print_finding(&args.request_of_arguments()?.examine(&secrets), secrets.len(), json);
    }
    // reads all files before the first result is printed, so that an unreadable file leaves no partial output
    let requests = args.captured.iter().map(|file| args.request_in_file(file)).collect::<Result<Vec<_>>>()?;
    let names = args.captured.iter().map(|file| file.display().to_string());
    let findings: Vec<_> = names.zip(requests.iter().map(|request| request.examine(&secrets))).collect();
    if let ([(_, finding)], false) = (&findings[..], json) {
        return print_finding(finding, secrets.len(), false);
    }
    report(&findings, secrets.len()).print(json)?;
    outcome(&findings)
}

/// Prints the result of a single request. If the signature is invalid and `json` is false, prints nothing, because the
/// error of the command describes the result.
fn print_finding(finding: &Verification, secrets: usize, json: bool) -> Result<()> {
    if json || finding.verdict.is_ok() {
        Answer::new(finding.document(), finding.sentence(secrets)).print(json)?;
    }
    finding.outcome()
}

impl SignedRequest {
    fn examine(&self, secrets: &[Secret]) -> Verification {
        let verdict = self.verify(secrets);
        let hint = verdict.as_ref().err().and_then(|_| self.hint(secrets));
        Verification { verdict, hint }
    }

    fn verify(&self, secrets: &[Secret]) -> std::result::Result<Match, InvalidSignature> {
        self.verify_body(secrets, &self.body)
    }

    fn verify_body(&self, secrets: &[Secret], body: &[u8]) -> std::result::Result<Match, InvalidSignature> {
        let signed =
            Signed { timestamp: self.timestamp.as_deref(), signature: self.signature.as_deref(), body };
        verdict::verify(secrets, signed, self.at)
    }

    /// Returns a hint if a common mistake explains the invalid signature.
    fn hint(&self, secrets: &[Secret]) -> Option<&'static str> {
        // `TooOld` means that the signature itself matches
        let is_valid_with = |secrets: &[Secret], body: &[u8]| {
            matches!(self.verify_body(secrets, body), Ok(_) | Err(InvalidSignature::TooOld(_)))
        };
        if is_valid_with(secrets, &self.body) {
            return None;
        }
        let body = &self.body;
        let without_line_break =
            body.strip_suffix(b"\n").map(|body| body.strip_suffix(b"\r").unwrap_or(body));
        if without_line_break.is_some_and(|body| is_valid_with(secrets, body)) {
            return Some(
                "the signature is valid without the line break at the end of the body: something added the line break",
            );
        }
        if is_valid_with(secrets, &compact(body)) {
            return Some(
                "the signature is valid for the same JSON without white space: verify the raw bytes, not re-serialized JSON",
            );
        }
        let repaired_secrets: Vec<_> = secrets.iter().map(repaired).collect();
        if is_valid_with(&repaired_secrets, body) {
            return Some(
                "the signature is valid with a corrected secret: begin it with whsec_ and remove white space around it",
            );
        }
        None
    }
}

/// Returns the secret without surrounding white space, and with the prefix `whsec_`.
fn repaired(secret: &Secret) -> Secret {
    let text = secret.expose().trim();
    if text.starts_with("whsec_") { Secret::new(text) } else { Secret::new(format!("whsec_{text}")) }
}

/// Removes white space between JSON tokens. Other bytes stay unchanged.
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

/// The result of the verification of a request.
struct Verification {
    verdict: std::result::Result<Match, InvalidSignature>,
    hint: Option<&'static str>,
}

impl Verification {
    fn document(&self) -> Value {
        let (found, wrong) = (self.verdict.as_ref().ok(), self.verdict.as_ref().err());
        json!({
            "ok": found.is_some(),
            "reason": wrong.map(|wrong| wrong.name()),
            "hint": self.hint,
            "matched_value": found.map(|found| found.value + 1),
            "matched_secret": found.map(|found| found.secret + 1),
            "age_seconds": match &self.verdict {
                Ok(found) => Value::from(found.age),
                Err(InvalidSignature::TooOld(age)) => Value::from(*age),
                Err(_) => Value::Null,
            },
        })
    }

    fn sentence(&self, secrets: usize) -> String {
        match self.verdict {
            Ok(found) => {
                let age = found.age_text();
                format!(
                    "The signature is valid: value {} of {} was made with secret {} of {secrets}; \
                     the timestamp is {age}.",
                    found.value + 1,
                    found.values,
                    found.secret + 1,
                )
            }
            Err(wrong) => self.refusal(wrong),
        }
    }

    fn refusal(&self, wrong: InvalidSignature) -> String {
        match self.hint {
            Some(hint) => format!("rejected: {wrong}\n{hint}"),
            None => format!("rejected: {wrong}"),
        }
    }

    fn outcome(&self) -> Result<()> {
        match self.verdict {
            Ok(_) => Ok(()),
            Err(wrong) => Err(Failure::Unverified { code: exit_code(wrong), text: self.refusal(wrong) }),
        }
    }
}

/// Returns the results of the files, in the order of the arguments.
fn report(findings: &[(String, Verification)], secrets: usize) -> Answer {
    let mut text = String::new();
    let mut documents = Vec::new();
    for (file, finding) in findings {
        let _ = writeln!(text, "{file}: {}", finding.sentence(secrets).replace('\n', "\n  "));
        let mut document = finding.document();
        document["file"] = file.as_str().into();
        documents.push(document);
    }
    let ok = findings.iter().all(|(_, finding)| finding.verdict.is_ok());
    Answer::new(json!({"ok": ok, "requests": documents}), text)
}

/// Returns `Ok` if all signatures are valid; otherwise the failure with the exit code of the first invalid signature.
fn outcome(findings: &[(String, Verification)]) -> Result<()> {
    if let [(_, finding)] = findings {
        return finding.outcome();
    }
    let mut refused = findings.iter().filter_map(|(_, finding)| finding.verdict.err());
    let Some(first) = refused.next() else { return Ok(()) };
    let (count, all) = (1 + refused.count(), findings.len());
    Err(Failure::Unverified { code: exit_code(first), text: format!("rejected: {count} of {all} requests") })
}

/// Returns the exit code for an invalid signature. `switchboard events verify --help` and `docs/cli.md` list the codes.
const fn exit_code(wrong: InvalidSignature) -> u8 {
    match wrong {
        InvalidSignature::Mismatch => 4,
        InvalidSignature::TooOld(_) => 5,
        InvalidSignature::NoTimestamp | InvalidSignature::BadTimestamp => 6,
        InvalidSignature::NoSignature | InvalidSignature::BadSignature => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::signature;

    const AT: i64 = 1_795_196_100;
    const BODY: &str = r#"{"id":"evt_1","data":{"a b":"c \" d"}}"#;

    fn request(body: &str) -> SignedRequest {
        SignedRequest {
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
    fn common_mistakes_are_recognized() {
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
    fn results_are_printed_for_people_and_programs() {
        let right = request(BODY).examine(&[Secret::new("whsec_x")]);
        let document = right.document();
        assert_eq!((&document["ok"], &document["age_seconds"]), (&json!(true), &json!(10)));
        assert!(
            right.sentence(1).contains("value 1 of 1 was made with secret 1 of 1; the timestamp is 10 s old")
        );
        let early = SignedRequest { at: Timestamp::from_seconds(AT - 5), ..request(BODY) };
        let early = early.examine(&[Secret::new("whsec_x")]).sentence(1);
        assert!(early.ends_with("made with secret 1 of 1; the timestamp is 5 s in the future."), "{early}");
        let wrong = request(&format!("{BODY}\n")).examine(&[Secret::new("whsec_x")]);
        assert_eq!(wrong.document()["reason"], "mismatch");
        let failure = wrong.outcome().unwrap_err().to_string();
        assert!(failure.starts_with(
            "rejected: no value of X-Service-Signature matches\nthe signature is valid without"
        ));
    }

    #[test]
    fn results_of_files_are_combined() {
        let finding = |secret: &str| request(BODY).examine(&[Secret::new(secret)]);
        let right = ("a.json".to_owned(), finding("whsec_x"));
        let wrong = ("b.json".to_owned(), finding("whsec_y"));
        let document = report(std::slice::from_ref(&right), 1).document().clone();
        assert_eq!((&document["ok"], &document["requests"][0]["file"]), (&json!(true), &json!("a.json")));
        assert!(outcome(std::slice::from_ref(&right)).is_ok());
        let both = [right, wrong];
        let document = report(&both, 1).document().clone();
        assert_eq!(document["ok"], false);
        assert_eq!(
            (&document["requests"][0]["ok"], &document["requests"][1]["ok"]),
            (&json!(true), &json!(false))
        );
        let Err(Failure::Unverified { code, text }) = outcome(&both) else {
            panic!("a report with an invalid signature fails as unverified")
        };
        assert_eq!((code, text.as_str()), (4, "rejected: 1 of 2 requests"));
    }
}
