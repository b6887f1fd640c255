//! Reads parameters of the path, the query and the headers by the document's rules.
//!
//! poem-openapi's own extractors compile a pattern at each check, take the first of a repeated parameter and know
//! no code but one.

use std::{borrow::Cow, fmt::Write as _, iter};

use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaParamIn, MetaSchema, MetaSchemaRef, Registry},
};

use super::{
    Fault, Pattern,
    json::echo,
    meta::{Described, patched},
};
use crate::domain::{refusal::Code, time::Timestamp};

/// The rules of one parameter.
#[derive(Debug)]
pub struct ParamRules {
    pub name: &'static str,
    /// The code when it is required and absent.
    pub missing: Code,
    /// The code when it breaks a rule.
    pub invalid: Code,
    /// Lengths in code points.
    pub min_length: Option<usize>,
    pub max_length: Option<usize>,
    pub minimum: Option<i64>,
    pub maximum: Option<i64>,
    pub pattern: Option<Pattern>,
}

/// The type that stands for a parameter in generated code.
pub trait Parameter: Send + Sync + 'static {
    /// As it is read.
    type Value: ParamValue;
    /// As the handler sees it: itself, optional, or clamped.
    type Output: Send;
    const REQUIRED: bool;
    fn rules() -> &'static ParamRules;
    /// What the schema says besides the type.
    fn patch() -> MetaSchema;
    /// `Err` when it is required and absent.
    #[expect(clippy::result_unit_err, reason = "there is one way to fail, and the caller words it")]
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()>;
}

/// A value that a parameter can have.
pub trait ParamValue: Described + Sized + Send {
    /// Reads the text; the error completes the sentence "the parameter `x` …".
    fn read(text: &str) -> Result<Self, String>;
    /// The number, when the rules of a number apply.
    fn number(&self) -> Option<i64> {
        None
    }
}

impl ParamValue for String {
    fn read(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }
}

/// `true`, `false`, `1` or `0` (D-112).
impl ParamValue for bool {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err("must be true or false".into()),
        }
    }
}

impl ParamValue for i64 {
    fn read(text: &str) -> Result<Self, String> {
        text.parse().map_err(|_| "must be a whole number".into())
    }
    fn number(&self) -> Option<i64> {
        Some(*self)
    }
}

impl ParamValue for Timestamp {
    fn read(text: &str) -> Result<Self, String> {
        Self::parse(text).ok_or_else(|| "must be an RFC 3339 date-time".into())
    }
}

/// `must be "a" or "b"`.
pub fn one_of<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::from("must be ");
    for (index, value) in values.enumerate() {
        let or = if index == 0 { "" } else { " or " };
        // writing to a string does not fail
        let _ = write!(text, "{or}\"{value}\"");
    }
    text
}

/// A text of a request; `Err` when it is not UTF-8.
type Text<'a> = Result<Cow<'a, str>, std::str::Utf8Error>;

/// Reads the texts found for a parameter: none, one, or too many.
fn read<'a, P: Parameter>(mut texts: impl Iterator<Item = Text<'a>>) -> Result<P::Output, Fault> {
    let rules = P::rules();
    let invalid =
        |problem: &str| Fault::because(rules.invalid, format!("the parameter `{}` {problem}", rules.name));
    let value = match texts.next() {
        None => None,
        Some(Err(_)) => return Err(invalid("must be UTF-8 text")),
        Some(Ok(_)) if texts.next().is_some() => {
            return Err(Fault::because(
                Code::InvalidRequest,
                format!("the parameter `{}` was sent more than once", rules.name),
            ));
        }
        Some(Ok(text)) => Some(rules.judge::<P::Value>(&text).map_err(|problem| invalid(&problem))?),
    };
    P::finish(value)
        .map_err(|()| Fault::because(rules.missing, format!("the parameter `{}` is required", rules.name)))
}

impl ParamRules {
    fn judge<V: ParamValue>(&self, text: &str) -> Result<V, String> {
        if text.contains('\0') {
            return Err("must not hold the character U+0000".into());
        }
        if self.min_length.is_some() || self.max_length.is_some() {
            let length = text.chars().count();
            if let Some(least) = self.min_length.filter(|least| length < *least) {
                return Err(format!("must have at least {least} characters"));
            }
            if let Some(most) = self.max_length.filter(|most| length > *most) {
                return Err(format!("must have at most {most} characters"));
            }
        }
        if let Some(pattern) = self.pattern.as_ref().filter(|pattern| !pattern.is_match(text)) {
            return Err(format!("must match {}", pattern.source()));
        }
        let value = V::read(text).map_err(|problem| match text.chars().count() {
            1..=32 => format!("{problem}, not `{}`", echo(text)),
            _ => problem,
        })?;
        if let Some(number) = value.number() {
            if let Some(least) = self.minimum.filter(|least| number < *least) {
                return Err(format!("must be at least {least}"));
            }
            if let Some(most) = self.maximum.filter(|most| number > *most) {
                return Err(format!("must be at most {most}"));
            }
        }
        Ok(value)
    }
}

/// A parameter of the query, decoded by the rules of forms (D-142).
fn query<'a>(request: &'a Request, name: &'a str) -> impl Iterator<Item = Text<'a>> {
    let pairs = request.uri().query().unwrap_or_default().split('&');
    pairs.filter(|pair| !pair.is_empty()).filter_map(move |pair| {
        let (found, value) = pair.split_once('=').unwrap_or((pair, ""));
        (form_text(found).is_ok_and(|found| found == name)).then(|| form_text(value))
    })
}

/// Decodes a name or a value of a form or a query: `+` is a space.
///
/// # Errors
/// When it is not UTF-8.
pub(super) fn form_text(text: &str) -> Text<'_> {
    if !text.contains(['+', '%']) {
        return Ok(Cow::Borrowed(text));
    }
    let decoded = String::from_utf8(form_bytes(text)).map_err(|error| error.utf8_error())?;
    Ok(Cow::Owned(decoded))
}

/// The parameters of a query in their order, repeated ones as often as they came. Values are the bytes that were
/// meant, which need not be text.
#[must_use]
pub fn query_pairs(query: &str) -> Vec<(String, Vec<u8>)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let split = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    split
        .map(|(name, value)| (String::from_utf8_lossy(&form_bytes(name)).into_owned(), form_bytes(value)))
        .collect()
}

/// Decodes a name or a value of a form or a query that may be any bytes.
pub(super) fn form_bytes(text: &str) -> Vec<u8> {
    let digit =
        |byte: Option<&u8>| byte.and_then(|b| char::from(*b).to_digit(16)).and_then(|d| u8::try_from(d).ok());
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(bytes.get(at + 1)), digit(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push(high << 4 | low);
                at += 3;
            }
            (byte, ..) => {
                out.push(if *byte == b'+' { b' ' } else { *byte });
                at += 1;
            }
        }
    }
    out
}

/// A segment of the path, decoded. One that is not UTF-8, which the router leaves out, or that holds U+0000 is the
/// name of nothing: it becomes a text that no id is, so that it is not found like every other malformed id (B-333).
fn path_text(decoded: Option<&str>) -> Cow<'_, str> {
    match decoded {
        Some(text) if !text.contains('\0') => Cow::Borrowed(text),
        _ => Cow::Borrowed("\u{fffd}"),
    }
}

fn header<'a>(request: &'a Request, name: &str) -> impl Iterator<Item = Text<'a>> + use<'a> {
    request
        .headers()
        .get_all(name)
        .iter()
        .map(|value| std::str::from_utf8(value.as_bytes()).map(Cow::Borrowed))
}

macro_rules! extractor {
    ($(#[$doc:meta])* $name:ident in $place:ident, |$request:ident, $option:ident| $texts:expr) => {
        $(#[$doc])*
        pub struct $name<P: Parameter>(pub P::Output);

        impl<'a, P: Parameter> ApiExtractor<'a> for $name<P> {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
            const PARAM_IS_REQUIRED: bool = P::REQUIRED;
            type ParamType = P::Output;
            type ParamRawType = ();

            fn register(registry: &mut Registry) {
                P::Value::register(registry);
            }

            fn param_in() -> Option<MetaParamIn> {
                Some(MetaParamIn::$place)
            }

            fn param_schema_ref() -> Option<MetaSchemaRef> {
                Some(patched(P::Value::schema(), P::patch()))
            }

            async fn from_request(
                $request: &'a Request,
                _: &mut RequestBody,
                $option: ExtractParamOptions<P::Output>,
            ) -> poem::Result<Self> {
                Ok(Self(read::<P>($texts)?))
            }
        }
    };
}

extractor! {
    /// A parameter of the path. poem-openapi knows it by the name `Path` and gives it a name of its own.
    Path in Path, |request, option| {
        iter::once(Ok(path_text(request.raw_path_param(option.name))))
    }
}
extractor! {
    /// A parameter of the query.
    Query in Query, |request, _option| query(request, P::rules().name)
}
extractor! {
    /// A header of the request.
    Header in Header, |request, _option| header(request, P::rules().name)
}
