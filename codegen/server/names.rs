//! Identifiers and token fragments that all generators of the server code use.

use heck::{ToPascalCase, ToSnakeCase};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use crate::model::{Limits, Op, Ty};

/// The names of the items that are generated for an operation.
pub struct Names {
    pub marker: Ident,
    pub request: Ident,
    pub success: Ident,
    pub error: Ident,
    pub method: Ident,
}

pub fn of(op: &Op) -> Names {
    let base = op.name.to_pascal_case();
    Names {
        marker: format_ident!("{base}"),
        request: format_ident!("{base}Request"),
        success: format_ident!("{base}Success"),
        error: format_ident!("{base}Error"),
        method: ident(&op.name),
    }
}

/// Returns a name in snake case, as a raw identifier (`r#type`) if it is a keyword. A keyword that cannot be a raw
/// identifier gets an underscore at its end (`self_`).
pub fn ident(name: &str) -> Ident {
    let name = name.to_snake_case();
    syn::parse_str::<Ident>(&name).unwrap_or_else(|_| match name.as_str() {
        "self" | "super" | "crate" => format_ident!("{name}_"),
        // the name has neither a letter nor a digit
        "" => format_ident!("__"),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format_ident!("_{name}"),
        _ => Ident::new_raw(&name, Span::call_site()),
    })
}

pub fn type_ident(name: &str) -> Ident {
    format_ident!("{}", name.replace([':', '.'], "_").to_pascal_case())
}

pub fn const_ident(name: &str) -> Ident {
    format_ident!("{}", name.to_snake_case().to_uppercase())
}

/// Returns `Code::InvalidRequest` for `invalid_request`.
pub fn code(name: &str) -> TokenStream {
    let variant = type_ident(name);
    quote!(Code::#variant)
}

/// Returns a doc comment with one `#[doc]` attribute per line of the text.
pub fn docs(text: Option<&str>) -> TokenStream {
    let lines = text
        .into_iter()
        .flat_map(str::lines)
        .map(|l| if l.is_empty() { String::new() } else { format!(" {l}") });
    quote!(#(#[doc = #lines])*)
}

/// Returns a doc comment that poem-openapi publishes as a description. The comment is one `#[doc]` attribute for the
/// whole text, so that the lines keep their indentation.
pub fn published_docs(text: Option<&str>) -> TokenStream {
    let text = text.into_iter();
    quote!(#(#[doc = #text])*)
}

/// Returns `Some(value)` or `None` as an expression.
pub fn option<T: quote::ToTokens>(value: Option<T>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}

/// Returns the Rust type of a value. `tag` is the type of a string with a single allowed value ([`Ty::Tag`]). If `tag`
/// is `None`, such a string is a `String`.
pub fn rust_type(ty: &Ty, tag: Option<&Ident>) -> TokenStream {
    match ty {
        Ty::Text => quote!(String),
        Ty::Tag(_) => tag.map_or_else(|| quote!(String), |tag| quote!(#tag)),
        Ty::Bool => quote!(bool),
        Ty::Integer => quote!(i64),
        Ty::Instant => quote!(Timestamp),
        Ty::Named(name) => {
            let name = type_ident(name);
            quote!(#name)
        }
        Ty::List(inner) => {
            let inner = rust_type(inner, tag);
            quote!(Vec<#inner>)
        }
        Ty::FreeForm => quote!(BTreeMap<String, serde_json::Value>),
    }
}

/// Returns the schema keywords other than `type` as a `MetaSchema`. The generated code merges it into the schema of the
/// type.
pub fn patch(limits: &Limits) -> TokenStream {
    if *limits == Limits::default() {
        return quote!(MetaSchema::ANY);
    }
    let mut members = Vec::new();
    for (name, value) in [("description", &limits.description), ("format", &limits.format)] {
        if let Some(value) = value {
            let name = format_ident!("{name}");
            members.push(quote!(#name: Some(#value)));
        }
    }
    for (name, value) in [
        ("min_length", limits.min_length),
        ("max_length", limits.max_length),
        ("min_items", limits.min_items),
        ("max_items", limits.max_items),
    ] {
        if let Some(value) = value {
            let name = format_ident!("{name}");
            let value = Literal::usize_unsuffixed(value);
            members.push(quote!(#name: Some(#value)));
        }
    }
    for (name, value) in [("minimum", limits.minimum), ("maximum", limits.maximum)] {
        if let Some(value) = value {
            let name = format_ident!("{name}");
            let value = Literal::f64_unsuffixed(value as f64);
            members.push(quote!(#name: Some(#value)));
        }
    }
    if limits.unique_items {
        members.push(quote!(unique_items: Some(true)));
    }
    if let Some(pattern) = &limits.pattern {
        members.push(quote!(pattern: Some(String::from(#pattern))));
    }
    if let Some(default) = &limits.default {
        let default = default.to_string();
        members.push(quote!(default: serde_json::from_str(#default).ok()));
    }
    if let Some(items) = &limits.items {
        let items = patch(items);
        members.push(quote!(items: Some(Box::new(MetaSchemaRef::Inline(Box::new(#items))))));
    }
    quote!(MetaSchema { #(#members,)* ..MetaSchema::ANY })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_becomes_a_valid_identifier() {
        for (name, expected) in [
            ("userId", "user_id"),
            ("type", "r#type"),
            ("self", "self_"),
            ("Self", "self_"),
            ("super", "super_"),
            ("crate", "crate_"),
            ("_", "__"),
            ("2fa", "_2fa"),
        ] {
            let found = ident(name).to_string();
            assert_eq!(found, expected, "{name}");
            assert!(syn::parse_str::<syn::ItemFn>(&format!("fn f({found}: u8) {{}}")).is_ok(), "{found}");
        }
    }
}
