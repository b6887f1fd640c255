//! Parses parameters of the path, the query and the headers by the rules of the OpenAPI document.
//!
//! The extractors of poem-openapi are not used. They compile a pattern at each check, accept a repeated parameter and
//! use its first value, and support only one error code.

use std::{borrow::Cow, fmt::Write as _, iter};

use poem::{Request, RequestBody};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaParamIn, MetaSchema, MetaSchemaRef, Registry},
};

use super::{
    ApiError, Pattern,
    meta::{Described, patched},
    strict_json::echo,
};
use crate::domain::{refusal::Code, time::Timestamp};

/// The rules of a parameter.
#[derive(Debug)]
pub struct ParamRules {
    pub name: &'static str,
    /// The error code if the parameter is required and missing.
    pub missing: Code,
    /// The error code if the value violates a rule.
    pub invalid: Code,
    /// The minimum length in code points. `max_length` is in code points too.
    pub min_length: Option<usize>,
    pub max_length: Option<usize>,
    pub minimum: Option<i64>,
    pub maximum: Option<i64>,
    pub pattern: Option<Pattern>,
}

/// The type that represents a parameter in generated code.
pub trait Parameter: Send + Sync + 'static {
    /// The parsed type.
    type Value: ParamValue;
    /// The type that the handler gets: the parsed value or an `Option` of it. For the parameter `limit` the handler
    /// always gets a number: the default if the parameter is missing, and at most the maximum page size.
    type Output: Send;
    const REQUIRED: bool;
    fn rules() -> &'static ParamRules;
    /// Returns the schema keywords besides the type.
    fn patch() -> MetaSchema;
    /// Converts the parsed value for the handler. Returns `Err` if the parameter is required and missing.
    #[expect(clippy::result_unit_err, reason = "there is a single cause, which the caller reports")]
    fn finish(value: Option<Self::Value>) -> Result<Self::Output, ()>;
}

/// A type that a parameter can have.
pub trait ParamValue: Described + Sized + Send {
    /// Parses the text. The error text completes the sentence "the parameter `x` …".
    fn read(text: &str) -> Result<Self, String>;
    /// Returns the number to check against `minimum` and `maximum`; `None` for a type without these rules.
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

/// Returns the error text `must be "a" or "b"`.
pub fn one_of<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::from("must be ");
    for (index, value) in values.enumerate() {
        let or = if index == 0 { "" } else { " or " };
        // writing to a String cannot fail
        let _ = write!(text, "{or}\"{value}\"");
    }
    text
}

/// The text of a parameter; `Err` if it is not UTF-8.
type Text<'a> = Result<Cow<'a, str>, std::str::Utf8Error>;

/// Parses the value of a parameter. `texts` are all values of the parameter in the request. More than one value is an
/// error.
fn read<'a, P: Parameter>(mut texts: impl Iterator<Item = Text<'a>>) -> Result<P::Output, ApiError> {
    let rules = P::rules();
    let invalid =
        |problem: &str| ApiError::because(rules.invalid, format!("the parameter `{}` {problem}", rules.name));
    let value = match texts.next() {
        None => None,
        Some(Err(_)) => return Err(invalid("must be UTF-8 text")),
        Some(Ok(_)) if texts.next().is_some() => {
            return Err(ApiError::because(
                Code::InvalidRequest,
                format!("the parameter `{}` was sent more than once", rules.name),
            ));
        }
        Some(Ok(text)) => Some(rules.validate::<P::Value>(&text).map_err(|problem| invalid(&problem))?),
    };
    P::finish(value)
        .map_err(|()| ApiError::because(rules.missing, format!("the parameter `{}` is required", rules.name)))
}

impl ParamRules {
    fn validate<V: ParamValue>(&self, text: &str) -> Result<V, String> {
        if text.contains('\0') {
            return Err("must not contain the character U+0000".into());
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

/// Returns the values of a query parameter, decoded as form data (D-142).
fn query<'a>(request: &'a Request, name: &'a str) -> impl Iterator<Item = Text<'a>> {
    let pairs = request.uri().query().unwrap_or_default().split('&');
    pairs.filter(|pair| !pair.is_empty()).filter_map(move |pair| {
        let (found, value) = pair.split_once('=').unwrap_or((pair, ""));
        (form_text(found).is_ok_and(|found| found == name)).then(|| form_text(value))
    })
}

/// Decodes a name or value of a form or a query as text; `+` is a space.
///
/// # Errors
/// If the decoded bytes are not UTF-8.
pub(super) fn form_text(text: &str) -> Text<'_> {
    if !text.contains(['+', '%']) {
        return Ok(Cow::Borrowed(text));
    }
    let decoded = String::from_utf8(form_bytes(text)).map_err(|error| error.utf8_error())?;
    Ok(Cow::Owned(decoded))
}

/// Returns the parameters of a query in order, including repeated ones. The values are decoded bytes, which need not be
/// UTF-8.
#[must_use]
pub fn query_pairs(query: &str) -> Vec<(String, Vec<u8>)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let split = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    split
        .map(|(name, value)| (String::from_utf8_lossy(&form_bytes(name)).into_owned(), form_bytes(value)))
        .collect()
}

/// Decodes a name or value of a form or a query to bytes, which need not be UTF-8.
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

/// Returns the text of a decoded path parameter. `decoded` is `None` if the router omitted the parameter because the
/// segment is not UTF-8. If a segment is not UTF-8 or contains U+0000, returns U+FFFD. No id contains U+FFFD, so the
/// look-up of an id fails with 404 (B-333). A handler whose parameter is not an id must reject U+FFFD itself.
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
    /// A parameter of the path. The type must be named `Path`, because poem-openapi recognizes path parameters by this
    /// name. `option.name` is the name of the parameter.
    Path in Path, |request, option| {
        iter::once(Ok(path_text(request.raw_path_param(option.name))))
    }
}
extractor! {
    /// A parameter of the query.
    QueryParameter in Query, |request, _option| query(request, P::rules().name)
}
extractor! {
    /// A header of the request.
    HeaderParameter in Header, |request, _option| header(request, P::rules().name)
}
