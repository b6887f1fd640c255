//! Generates the server half of a document's code: types, operation metadata, handler traits and routes.

mod names;
mod operations;
mod routes;
mod security;
mod types;

use std::collections::BTreeSet;

use heck::ToPascalCase;
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::model::Api;
use names::{code, docs, type_ident};

/// Returns the contents of `generated/{stem}_server.rs`.
pub fn emit(stem: &str, api: &Api) -> TokenStream {
    let (source, presentation) = (format!("{stem}.json"), format!("{stem}.presentation.json"));
    let (title, version) = (&api.title, &api.version);
    let types = types::emit(api);
    let markers = api.operations.iter().map(|op| names::of(op).marker);
    let bodies = api.operations.iter().filter(|op| !op.raw).filter_map(|op| {
        let schema = type_ident(op.body.as_ref()?.schema.as_ref()?);
        let marker = names::of(op).marker;
        Some(quote!(BodyReader::of::<#marker, types::#schema>()))
    });
    let statuses = api.codes.iter().map(|(name, status)| {
        let code = code(name);
        quote!((#code, #status))
    });
    let tags = tags(api);
    let security = security::emit(api);
    let params = operations::ParamMarkers::new(api);
    let operations = operations::emit(stem, api, &params);
    let handlers = handlers(api);
    let server = routes::emit(api, &params);
    let heading = format!("Server half of `openapi/{stem}.yaml`.");
    let items = quote! {
        /// The document with null in place of everything that its routes publish.
        pub(crate) const PRESENTATION: &str = include_str!(#presentation);

        /// Title and version of the document.
        pub(crate) const HEAD: [&str; 2] = [#title, #version];

        /// Returns the document that the routes publish.
        pub fn document<H: Handlers>() -> PublishedDocument {
            publish::<Server<H>>(PRESENTATION, HEAD, types::register)
        }

        /// The published schemas, ready to check bodies.
        pub static CONTRACT: LazyLock<Contract> =
            LazyLock::new(|| Contract::compile(&published_schemas(PRESENTATION, types::register)));

        /// The hand-written document, as JSON.
        #[cfg(test)]
        pub const SOURCE: &str = include_str!(#source);

        /// Every error code of the document with its status, except `client_error` and `server_error`, which may have
        /// several statuses.
        pub static CODES: &[(Code, u16)] = &[#(#statuses),*];

        /// Every operation of the document.
        pub static OPERATIONS: &[&OperationInfo] = &[#(#markers::INFO),*];

        /// The readers of request bodies: one per operation with a body, except those whose handler reads the body.
        pub static BODIES: &[BodyReader] = &[#(#bodies),*];

        /// The document's schemas.
        pub mod types {
            use super::*;
            #types
        }

        #tags
        #security
        #operations
        #handlers
        #server
    };
    let imports = imports(&items);
    quote! {
        #![doc = #heading]
        #![allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::allow_attributes_without_reason, missing_docs)]

        #imports

        #items
    }
}

/// What the generated code can import, by module.
const IMPORTS: &[(&str, &[&str])] = &[
    ("std::collections", &["BTreeMap"]),
    ("std::sync", &["Arc", "LazyLock"]),
    ("poem", &["Response"]),
    ("poem_openapi", &["ApiResponse", "OpenApi", "OpenApiService", "Tags"]),
    (
        "poem_openapi::registry",
        &["MetaResponses", "MetaSchema", "MetaSchemaRef", "MetaSecurityScheme", "Registry"],
    ),
    ("poem_openapi::types", &["MaybeUndefined"]),
    ("serde", &["Deserialize", "Serialize"]),
    (
        "crate::contract",
        &[
            "Anyone",
            "Body",
            "BodyInfo",
            "BodyReader",
            "BodySchema",
            "Clamped",
            "Contract",
            "Credential",
            "Described",
            "Dialect",
            ERROR_CODE,
            "Guard",
            "Guarded",
            "HeaderParameter",
            "HeaderDoc",
            "LimitName",
            "Nullable",
            "OperationError",
            "OperationInfo",
            "OperationType",
            "ParamRules",
            "Parameter",
            "Path",
            "Pattern",
            "Principal",
            "Property",
            "PublishedDocument",
            "QueryParameter",
            "RawBody",
            "RawRequest",
            "ReplyDoc",
            "RequestPolicy",
            "Schema",
            "constant",
            "describe_object",
            "describe_schema",
            "enumeration",
            "error_codes",
            "patched",
            "publish",
            "published_schemas",
            "reply",
        ],
    ),
    ("crate::domain::refusal", &["Code"]),
    ("crate::domain::time", &["Timestamp"]),
];

/// The name of a trait that the generated code always imports. The code reads `CODES` of the error types, which needs
/// the trait in scope, but it does not name the trait.
const ERROR_CODE: &str = "ErrorCode";

/// Generates the imports that the items need.
fn imports(items: &TokenStream) -> TokenStream {
    let mut names = BTreeSet::from([ERROR_CODE.to_owned()]);
    collect_names(items.clone(), &mut names);
    let uses = IMPORTS.iter().filter_map(|(module, all)| {
        let module: syn::Path = syn::parse_str(module).expect("a path");
        let used: Vec<_> =
            all.iter().filter(|name| names.contains(**name)).map(|name| format_ident!("{name}")).collect();
        match used.as_slice() {
            [] => None,
            [only] => Some(quote!(use #module::#only;)),
            _ => Some(quote!(use #module::{#(#used),*};)),
        }
    });
    quote!(#(#uses)*)
}

/// Adds the identifiers that can refer to an import. An identifier after `::` or a single `.` cannot, nor can an
/// identifier before `=`, such as `rename` in `#[oai(rename = …)]`.
fn collect_names(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let mut before = String::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                collect_names(group.stream(), names);
                before.clear();
            }
            TokenTree::Punct(punct) => before.push(punct.as_char()),
            TokenTree::Ident(name) => {
                let is_member = before.ends_with("::") || (before.ends_with('.') && !before.ends_with(".."));
                let is_defined =
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '=');
                if !is_member && !is_defined {
                    names.insert(name.to_string());
                }
                before.clear();
            }
            TokenTree::Literal(_) => before.clear(),
        }
    }
}

/// Returns the tags that have operations.
fn used_tags(api: &Api) -> impl Iterator<Item = &(String, Option<String>)> {
    api.tags.iter().filter(|(tag, _)| api.operations.iter().any(|op| op.tag == *tag))
}

fn tags(api: &Api) -> TokenStream {
    let tags = used_tags(api).map(|(name, description)| {
        let variant = type_ident(name);
        let docs = docs(description.as_deref());
        quote!(#docs #[oai(rename = #name)] #variant)
    });
    quote! {
        #[derive(Tags)]
        enum Tag { #(#tags),* }
    }
}

/// Generates a trait for each tag that has operations, and a trait that combines these traits.
fn handlers(api: &Api) -> TokenStream {
    let tags = || used_tags(api);
    let trait_ident = |tag: &str| format_ident!("{}Handlers", tag.to_pascal_case());
    let traits = tags().map(|(tag, description)| {
        let name = trait_ident(tag);
        let about = docs(description.as_deref());
        let methods = api.operations.iter().filter(|op| op.tag == *tag).map(|op| {
            let names::Names { request, success, error, method, .. } = names::of(op);
            let about = docs(Some(&op.summary));
            let caller = op.security.first().map(|scheme| {
                let scheme = type_ident(scheme);
                quote!(caller: Self::#scheme,)
            });
            quote! {
                #about
                fn #method(&self, #caller request: #request)
                    -> impl Future<Output = Result<#success, OperationError<#error>>> + Send;
            }
        });
        quote! {
            #about
            pub trait #name: Security { #(#methods)* }
        }
    });
    let all: Vec<_> = tags().map(|(tag, _)| trait_ident(tag)).collect();
    quote! {
        #(#traits)*

        /// All handler traits of the document.
        pub trait Handlers: #(#all)+* {}
        impl<T: #(#all)+*> Handlers for T {}
    }
}
