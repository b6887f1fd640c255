//! Generates the server half: types, operation metadata, handler traits and routes.

mod names;
mod operations;
mod routes;
mod security;
mod types;

use heck::ToPascalCase;
use proc_macro2::TokenStream;
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
    quote! {
        #![doc = #heading]
        #![allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::allow_attributes_without_reason, missing_docs, dead_code, unused_imports, unused_qualifications, unused_variables)]

        use std::{collections::BTreeMap, sync::{Arc, LazyLock}};

        use poem::Response;
        use poem_openapi::{
            ApiResponse, OpenApi, OpenApiService, Tags,
            registry::{MetaResponses, MetaSchema, MetaSchemaRef, MetaSecurityScheme, Registry},
            types::MaybeUndefined,
        };
        use serde::{Deserialize, Serialize};

        use crate::{
            contract::{
                Anyone, Body, BodyInfo, BodyReader, BodySchema, Clamped, Contract, Credential, Described, Dialect, ErrorCode, RequestPolicy,
                Guard, Guarded, Header, HeaderDoc, LimitName, Nullable, OperationInfo, OperationType, ParamRules,
                Parameter, Path, Pattern, Principal, OperationError, Property, PublishedDocument, Query, RawBody, RawRequest,
                ReplyDoc, Schema, constant, describe_object, describe_schema, enumeration, error_codes, patched, publish, published_schemas, reply,
            },
            domain::{refusal::Code, time::Timestamp},
        };

        /// What the document has in addition to what its routes publish.
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

        /// Every error code of the document with its status, except `client_error` and `server_error`: they may have
        /// several.
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
    }
}

fn tags(api: &Api) -> TokenStream {
    let tags = api.tags.iter().map(|(name, description)| {
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
    let tags = || api.tags.iter().filter(|(tag, _)| api.operations.iter().any(|op| op.tag == *tag));
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

        /// Everything a server of this document needs.
        pub trait Handlers: #(#all)+* {}
        impl<T: #(#all)+*> Handlers for T {}
    }
}
