//! Parses a document into the model and rejects unsupported features.

use std::collections::BTreeMap;

use openapiv3::{
    APIKeyLocation, Components, Header, MediaType, OpenAPI, Operation, Parameter, ParameterSchemaOrContent,
    ReferenceOr, RequestBody, Response, SecurityScheme, StatusCode,
};
use serde_json::Value;

use super::model::{
    Api, Body, HeaderDoc, Named, NamedKind, Op, Param, ParamLocation, Reply, Scheme, SchemeKind, Ty,
};
use super::prefix::DocumentNames;
use super::schema::{self, Result, item, last};

type Extensions = indexmap::IndexMap<String, Value>;

/// Parses the whole document. [`strip`](super::prefix::strip) has removed the document's prefix (`x-name-prefix`) from
/// its names; `document_names` has the original names.
pub fn api(document: &OpenAPI, document_names: &DocumentNames) -> Result<Api> {
    let components = document.components.as_ref().ok_or("no components")?;
    let reader = Reader { document, components, document_names };
    let schemes = reader.schemes()?;
    let scopes = document.extensions.get("x-scopes").and_then(Value::as_object).into_iter().flatten();
    let scopes = scopes.map(|(name, about)| (name.clone(), text(Some(about)).unwrap_or_default())).collect();
    let schemas = components
        .schemas
        .iter()
        .map(|(name, s)| {
            let named = schema::named(name, item(s)?, components).map_err(|e| format!("{name}: {e}"))?;
            Ok(Named { wire: document_names.of(name), ..named })
        })
        .collect::<Result<_>>()?;
    let operations = reader.operations()?;
    let error_schema = error_schema(&operations)?;
    Ok(Api {
        title: document.info.title.clone(),
        version: document.info.version.clone(),
        tags: document.tags.iter().map(|t| (t.name.clone(), t.description.clone())).collect(),
        schemes,
        scopes,
        schemas,
        codes: codes(&operations)?,
        operations,
        error_schema,
        dialect: text(document.extensions.get("x-dialect")).unwrap_or_else(|| "envelope".into()),
        ambient: texts(document.extensions.get("x-ambient-headers")),
    })
}

/// Returns the schema of the error bodies. All errors must have the same schema, because the generated error types of
/// all operations use one schema.
fn error_schema(operations: &[Op]) -> Result<String> {
    let mut found: Option<&String> = None;
    for op in operations {
        for schema in op.errors.iter().chain(&op.fallback).filter_map(|reply| reply.schema.as_ref()) {
            let first = *found.get_or_insert(schema);
            if first != schema {
                return Err(format!("{}: an error has the schema {schema}, others have {first}", op.id));
            }
        }
    }
    Ok(found.ok_or("no operation documents an error")?.clone())
}

/// Codes that may be documented under several statuses. For these codes, the response determines the status.
const OF_ANY_STATUS: [&str; 2] = ["client_error", "server_error"];

/// Returns the status of each error code that is not in [`OF_ANY_STATUS`]. If such a code is documented under two
/// statuses, returns an error.
fn codes(operations: &[Op]) -> Result<BTreeMap<String, u16>> {
    let mut codes = BTreeMap::new();
    for reply in operations.iter().flat_map(|op| &op.errors) {
        for code in reply.codes.iter().filter(|code| !OF_ANY_STATUS.contains(&code.as_str())) {
            let status = reply.status.ok_or("an error must have a status")?;
            if *codes.entry(code.clone()).or_insert(status) != status {
                return Err(format!("code {code} is documented under two statuses"));
            }
        }
    }
    Ok(codes)
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

fn texts(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(|v| text(Some(v))).collect()
}

fn flag(extensions: &Extensions, name: &str) -> bool {
    extensions.get(name).and_then(Value::as_bool).unwrap_or(false)
}

struct Reader<'a> {
    document: &'a OpenAPI,
    components: &'a Components,
    document_names: &'a DocumentNames,
}

/// Returns an inline value. If `value` is a reference, returns the component to which it refers, and the component's
/// name.
fn find<'a, T>(
    value: &'a ReferenceOr<T>,
    components: &'a indexmap::IndexMap<String, ReferenceOr<T>>,
) -> Result<(Option<String>, &'a T)> {
    match value {
        ReferenceOr::Item(value) => Ok((None, value)),
        ReferenceOr::Reference { reference } => {
            let name = last(reference);
            let found = components.get(name).ok_or_else(|| format!("no component {reference}"))?;
            Ok((Some(name.to_owned()), item(found)?))
        }
    }
}

impl Reader<'_> {
    fn schemes(&self) -> Result<Vec<Scheme>> {
        self.components.security_schemes.iter().map(|(name, scheme)| scheme_of(name, item(scheme)?)).collect()
    }

    fn operations(&self) -> Result<Vec<Op>> {
        let mut operations = Vec::new();
        for (path, path_item) in self.document.paths.iter() {
            for (method, operation) in item(path_item)?.iter() {
                let id = operation
                    .operation_id
                    .clone()
                    .ok_or_else(|| format!("{method} {path}: no operationId"))?;
                let op = self.operation(&id, path, method, operation).map_err(|e| format!("{id}: {e}"))?;
                operations.push(op);
            }
        }
        Ok(operations)
    }

    fn operation(&self, id: &str, path: &str, method: &str, op: &Operation) -> Result<Op> {
        let requirements = op.security.as_ref().or(self.document.security.as_ref());
        let requirements: Vec<_> = requirements.into_iter().flatten().collect();
        let security = requirements.iter().filter(|alternative| !alternative.is_empty()).map(|alternative| {
            match alternative.iter().next() {
                Some((name, scopes)) if alternative.len() == 1 && scopes.is_empty() => Ok(name.clone()),
                _ => Err("a security requirement must name one scheme; scopes belong in `x-scopes`"),
            }
        });
        let security = security.collect::<std::result::Result<Vec<_>, _>>()?;
        if security.len() > 1 {
            return Err("an operation must have at most one security scheme, without alternatives".into());
        }
        let params = op
            .parameters
            .iter()
            .map(|p| self.param(find(p, &self.components.parameters)?.1))
            .collect::<Result<_>>()?;
        let raw = flag(&op.extensions, "x-raw");
        let body = match &op.request_body {
            None => None,
            Some(body) => Some(self.body_of(find(body, &self.components.request_bodies)?.1, raw)?),
        };
        let (mut successes, mut errors) = (Vec::new(), Vec::new());
        for (status, response) in &op.responses.responses {
            let StatusCode::Code(status) = status else {
                return Err("status ranges are not supported".into());
            };
            let reply = self.reply(Some(*status), response).map_err(|e| format!("status {status}: {e}"))?;
            if (200..400).contains(status) { successes.push(reply) } else { errors.push(reply) }
        }
        if let Some(empty) = errors.iter().find(|reply| reply.codes.is_empty()) {
            return Err(format!(
                "status {} has no error code: add an example with the code as its name",
                empty.status.unwrap_or_default()
            ));
        }
        let fallback =
            op.responses.default.as_ref().map(|response| self.reply(None, response)).transpose()?;
        Ok(Op {
            id: self.document_names.of(id),
            name: id.into(),
            method: method.into(),
            path: path.into(),
            summary: op.summary.clone().ok_or("no summary")?,
            description: op.description.clone(),
            tag: op.tags.first().cloned().ok_or("no tag")?,
            security,
            optional_security: requirements.iter().any(|alternative| alternative.is_empty()),
            scopes: texts(op.extensions.get("x-scopes")),
            params,
            body,
            successes,
            errors,
            fallback,
            credentials: texts(op.extensions.get("x-credentials")),
            limit: self.limit(op)?,
            sandbox: flag(&op.extensions, "x-sandbox"),
            raw,
        })
    }

    /// Returns the operation's own limit. If the operation has none, returns the document's limit.
    fn limit(&self, op: &Operation) -> Result<String> {
        let named = op.extensions.get("x-limit").or_else(|| self.document.extensions.get("x-limit"));
        Ok(text(named).ok_or("no x-limit: name a rate limit, or `unlimited`")?)
    }

    fn param(&self, param: &Parameter) -> Result<Param> {
        let (data, location) = match param {
            Parameter::Path { parameter_data, .. } => (parameter_data, ParamLocation::Path),
            Parameter::Query { parameter_data, .. } => (parameter_data, ParamLocation::Query),
            Parameter::Header { parameter_data, .. } => (parameter_data, ParamLocation::Header),
            Parameter::Cookie { .. } => return Err("cookie parameters are not supported".into()),
        };
        let name = &data.name;
        let ParameterSchemaOrContent::Schema(schema) = &data.format else {
            return Err(format!("{name}: content parameters are not supported"));
        };
        let (ty, limits) = schema::ty(schema, self.components).map_err(|e| format!("{name}: {e}"))?;
        if matches!(ty, Ty::List(_) | Ty::FreeForm | Ty::Tag(_)) {
            return Err(format!("{name}: a parameter must be a string, integer, boolean or named enum"));
        }
        Ok(Param {
            name: name.clone(),
            location,
            description: data.description.clone(),
            required: data.required,
            ty,
            limits,
            clamp: data.extensions.get("x-clamp").and_then(Value::as_i64),
            missing_code: text(data.extensions.get("x-missing-code")),
            invalid_code: text(data.extensions.get("x-invalid-code")),
        })
    }

    fn reply(&self, status: Option<u16>, response: &ReferenceOr<Response>) -> Result<Reply> {
        let (shared, response) = find(response, &self.components.responses)?;
        let headers = response
            .headers
            .iter()
            .map(|(name, header)| self.header(name, header))
            .collect::<Result<Vec<_>>>()?;
        let media = match (response.content.get("application/json"), response.content.len()) {
            (Some(media), 1) => Some(media),
            (None, 0) => None,
            _ => return Err("a response must be application/json or empty".into()),
        };
        Ok(Reply {
            shared,
            status,
            description: response.description.clone(),
            schema: media.map(schema_name).transpose()?,
            codes: media.iter().flat_map(|m| m.examples.keys().cloned()).collect(),
            headers,
        })
    }

    fn header(&self, name: &str, header: &ReferenceOr<Header>) -> Result<HeaderDoc> {
        let (shared, header) = find(header, &self.components.headers)?;
        let ParameterSchemaOrContent::Schema(schema) = &header.format else {
            return Err(format!("{name}: a header must have a schema"));
        };
        let (ty, limits) = schema::ty(schema, self.components)?;
        Ok(HeaderDoc {
            shared,
            name: name.into(),
            description: header.description.clone(),
            required: header.required,
            integer: match ty {
                Ty::Integer => true,
                Ty::Text => false,
                _ => return Err(format!("{name}: a header must be a string or an integer")),
            },
            limits,
        })
    }

    fn body_of(&self, body: &RequestBody, raw: bool) -> Result<Body> {
        let media_types: Vec<_> = body.content.keys().cloned().collect();
        let mut schemas: Vec<_> = match raw {
            true => vec![],
            false => body.content.values().map(schema_name).collect::<Result<_>>()?,
        };
        schemas.dedup();
        if schemas.len() > 1 {
            return Err("all media types of a body must have the same schema".into());
        }
        let schema = schemas.pop();
        let lists = schema.as_ref().map(|name| self.lists(name)).transpose()?.unwrap_or_default();
        Ok(Body {
            description: body.description.clone(),
            required: body.required,
            media_types,
            also: texts(body.extensions.get("x-also-accepts")),
            schema,
            lists,
        })
    }

    /// Returns the names of the array members of the schema `name`. Returns none if the schema is not an object.
    fn lists(&self, name: &str) -> Result<Vec<String>> {
        let found = self.components.schemas.get(name).ok_or_else(|| format!("no schema {name}"))?;
        Ok(match schema::named(name, item(found)?, self.components)?.kind {
            NamedKind::Object(fields) => {
                fields.into_iter().filter(|f| matches!(f.ty, Ty::List(_))).map(|f| f.name).collect()
            }
            _ => vec![],
        })
    }
}

fn scheme_of(name: &str, scheme: &SecurityScheme) -> Result<Scheme> {
    let (description, kind) = match scheme {
        SecurityScheme::HTTP { scheme, bearer_format, description, .. } => {
            (description, SchemeKind::Http { scheme: scheme.clone(), bearer_format: bearer_format.clone() })
        }
        SecurityScheme::APIKey { location, name, description, .. } => {
            let location = match location {
                APIKeyLocation::Query => "query",
                APIKeyLocation::Header => "header",
                APIKeyLocation::Cookie => "cookie",
            };
            (description, SchemeKind::ApiKey { location, name: name.clone() })
        }
        SecurityScheme::OAuth2 { .. } | SecurityScheme::OpenIDConnect { .. } => {
            return Err(format!("{name}: a scheme must be `http` or `apiKey`; scopes belong in `x-scopes`"));
        }
    };
    Ok(Scheme { name: name.into(), description: description.clone(), kind })
}

fn schema_name(media: &MediaType) -> Result<String> {
    match &media.schema {
        Some(ReferenceOr::Reference { reference }) => Ok(last(reference).to_owned()),
        _ => Err("a body must reference a named schema".into()),
    }
}
