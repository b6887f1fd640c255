//! Parses the schemas of an OpenAPI document: the named schemas in `components/schemas`, and the inline schemas of
//! properties, parameters and headers.

use openapiv3::{AdditionalProperties, Components, ReferenceOr, Schema, SchemaKind, Type};

use super::model::{Field, Limits, Named, NamedKind, Ty};

pub type Result<T> = std::result::Result<T, String>;

/// Returns an inline value.
///
/// # Errors
/// If `value` is a reference. A caller that supports references must resolve them first.
pub fn item<T>(value: &ReferenceOr<T>) -> Result<&T> {
    match value {
        ReferenceOr::Item(value) => Ok(value),
        ReferenceOr::Reference { reference } => Err(format!("{reference}: unexpected reference")),
    }
}

/// Returns the last segment of a reference: the component's name.
pub fn last(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or(reference)
}

/// Parses a component of components/schemas.
pub fn named(name: &str, schema: &Schema, components: &Components) -> Result<Named> {
    let kind = match &schema.schema_kind {
        SchemaKind::Type(Type::Object(object)) => NamedKind::Object(
            object
                .properties
                .iter()
                .map(|(field, value)| {
                    let required = object.required.contains(field);
                    property(field, &value.clone().unbox(), required, components)
                        .map_err(|e| format!("{field}: {e}"))
                })
                .collect::<Result<_>>()?,
        ),
        SchemaKind::Type(Type::String(s)) if !s.enumeration.is_empty() => {
            NamedKind::Enum { values: s.enumeration.iter().flatten().cloned().collect(), extensible: false }
        }
        SchemaKind::Type(Type::String(_)) => {
            let values = schema.schema_data.extensions.get("x-extensible-enum");
            let values = values
                .and_then(serde_json::Value::as_array)
                .ok_or("a named string needs `enum` or `x-extensible-enum`")?;
            let values = values.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect();
            NamedKind::Enum { values, extensible: true }
        }
        SchemaKind::Type(Type::Boolean(b)) if b.enumeration.len() == 1 => {
            NamedKind::Constant(b.enumeration[0] == Some(true))
        }
        SchemaKind::OneOf { one_of } => {
            let tag = schema.schema_data.discriminator.as_ref().ok_or("oneOf without a discriminator")?;
            let variants: Vec<_> =
                tag.mapping.iter().map(|(value, target)| (value.clone(), last(target).to_owned())).collect();
            if variants.len() != one_of.len() {
                return Err("every branch of a oneOf needs a discriminator mapping".into());
            }
            NamedKind::Union { tag: tag.property_name.clone(), variants }
        }
        _ => return Err("this kind of named schema is not supported".into()),
    };
    Ok(Named {
        name: name.into(),
        wire: name.into(),
        description: schema.schema_data.description.clone(),
        kind,
    })
}

fn property(
    name: &str,
    value: &ReferenceOr<Schema>,
    required: bool,
    components: &Components,
) -> Result<Field> {
    let (ty, limits) = ty(value, components)?;
    let nullable = match value {
        ReferenceOr::Item(Schema { schema_kind: SchemaKind::AllOf { .. }, schema_data })
            if schema_data.nullable =>
        {
            return Err(
                "`nullable` has no effect beside `allOf`: use `anyOf` with a schema that allows only null"
                    .into(),
            );
        }
        ReferenceOr::Item(schema) => schema.schema_data.nullable || or_null(schema).is_some(),
        ReferenceOr::Reference { .. } => false,
    };
    Ok(Field { name: name.into(), ty, required, nullable, limits })
}

/// Returns the type of an inline schema, and its other keywords. For a reference to a named schema, returns the name as
/// the type, and no other keywords.
pub fn ty(value: &ReferenceOr<Schema>, components: &Components) -> Result<(Ty, Limits)> {
    let schema = match value {
        ReferenceOr::Reference { reference } => {
            let name = last(reference);
            components.schemas.get(name).ok_or_else(|| format!("no schema {name}"))?;
            return Ok((Ty::Named(name.into()), Limits::default()));
        }
        ReferenceOr::Item(schema) => schema,
    };
    let mut limits = Limits {
        description: schema.schema_data.description.clone(),
        default: schema.schema_data.default.clone(),
        ..Limits::default()
    };
    let ty = match &schema.schema_kind {
        SchemaKind::Type(Type::String(s)) if s.enumeration.len() == 1 => {
            Ty::Tag(s.enumeration[0].clone().unwrap_or_default())
        }
        SchemaKind::Type(Type::String(s)) if !s.enumeration.is_empty() => {
            return Err("move this enum to components/schemas".into());
        }
        SchemaKind::Type(Type::String(s)) => {
            limits.min_length = s.min_length;
            limits.max_length = s.max_length;
            limits.pattern.clone_from(&s.pattern);
            match format(serde_json::to_value(&s.format))?.as_deref() {
                Some("date-time") => Ty::Instant,
                other => {
                    limits.format = other.map(str::to_owned);
                    Ty::Text
                }
            }
        }
        SchemaKind::Type(Type::Boolean(_)) => Ty::Bool,
        SchemaKind::Type(Type::Integer(i)) => {
            limits.minimum = i.minimum;
            limits.maximum = i.maximum;
            limits.format = format(serde_json::to_value(&i.format))?;
            Ty::Integer
        }
        SchemaKind::Type(Type::Array(a)) => {
            limits.min_items = a.min_items;
            limits.max_items = a.max_items;
            limits.unique_items = a.unique_items;
            let (inner, of_items) = ty(&a.items.clone().ok_or("array without items")?.unbox(), components)?;
            limits.items = (of_items != Limits::default()).then(|| Box::new(of_items));
            Ty::List(Box::new(inner))
        }
        SchemaKind::Type(Type::Object(o)) if o.properties.is_empty() => match &o.additional_properties {
            Some(AdditionalProperties::Schema(_)) => Ty::FreeForm,
            _ => return Err("move this object to components/schemas".into()),
        },
        SchemaKind::AllOf { all_of } if all_of.len() == 1 => ty(&all_of[0], components)?.0,
        SchemaKind::AnyOf { .. } => match or_null(schema) {
            Some(target) => ty(target, components)?.0,
            None => return Err("an anyOf must consist of a schema and a schema that allows only null".into()),
        },
        _ => return Err("this inline schema is not supported".into()),
    };
    Ok((ty, limits))
}

/// Returns `schema` of `anyOf: [schema, {type: string, nullable: true, enum: [null]}]`. In OpenAPI 3.0 a nullable
/// reference is written in this way, because `nullable` applies only to the type in the same schema (§4.7.24).
fn or_null(schema: &Schema) -> Option<&ReferenceOr<Schema>> {
    let SchemaKind::AnyOf { any_of } = &schema.schema_kind else { return None };
    let [target, ReferenceOr::Item(null)] = any_of.as_slice() else { return None };
    match &null.schema_kind {
        SchemaKind::Type(Type::String(text)) if null.schema_data.nullable && text.enumeration == [None] => {
            Some(target)
        }
        _ => None,
    }
}

/// Returns the value of `format`, such as `date-time`, `int64` or `uri`, as it is written in the document. Returns
/// `None` if the schema has no `format`.
fn format(written: serde_json::Result<serde_json::Value>) -> Result<Option<String>> {
    match written {
        Ok(serde_json::Value::String(name)) => Ok(Some(name).filter(|name| !name.is_empty())),
        Ok(serde_json::Value::Null) => Ok(None),
        _ => Err("`format` must be a string".into()),
    }
}
