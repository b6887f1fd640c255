//! Generates the routes: one method for each operation. poem-openapi extracts the arguments of a method in their order.
//! So the order of the arguments is the order of the checks in the request pipeline.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Names, ident, of, published_docs, type_ident};
use super::operations::ParamMarkers;
use crate::model::{Api, Op, ParamLocation};

pub fn emit(api: &Api, markers: &ParamMarkers) -> TokenStream {
    let methods = api.operations.iter().map(|op| method(op, markers));
    quote! {
        /// The routes of the document over hand-written handlers.
        pub struct Server<H>(pub Arc<H>);

        #[OpenApi]
        impl<H: Handlers> Server<H> { #(#methods)* }

        /// Returns all routes of the document. `handlers` serves them and is attached to each request as poem data.
        pub fn routes<H: Handlers>(handlers: Arc<H>) -> impl poem::Endpoint<Output = Response> + 'static {
            use poem::{EndpointExt, IntoEndpoint};
            let [title, version] = HEAD;
            LazyLock::force(&CONTRACT);
            OpenApiService::new(Server(handlers.clone()), title, version).into_endpoint().data(handlers)
        }
    }
}

fn method(op: &Op, markers: &ParamMarkers) -> TokenStream {
    let Names { marker, request, success, error, method } = of(op);
    let http = &op.method;
    // poem-openapi expects `:id`; it silently treats `{id}` as a literal segment
    let path = op.path.replace('{', ":").replace('}', "");
    let id = &op.id;
    let text = match &op.description {
        Some(description) => format!("{}\n\n{description}", op.summary),
        None => op.summary.clone(),
    };
    let about = published_docs(Some(&text));
    let tag = format!("Tag::{}", type_ident(&op.tag));
    let caller = (!op.security.is_empty()).then(|| quote!(guard.into_caller(),));
    let guard = match op.security.is_empty() {
        true => quote!(_guard: Guard<H, #marker>,),
        false => quote!(guard: Guard<H, #marker>,),
    };
    let args = op.params.iter().map(|p| {
        let (name, wire, marker) = (ident(&p.name), &p.name, markers.marker_of(op, p));
        let about = published_docs(p.description.as_deref());
        let location = match p.location {
            ParamLocation::Path => quote!(Path),
            ParamLocation::Query => quote!(QueryParameter),
            ParamLocation::Header => quote!(HeaderParameter),
        };
        quote!(#about #[oai(name = #wire)] #name: #location<#marker>,)
    });
    let values = op.params.iter().map(|p| {
        let name = ident(&p.name);
        quote!(#name: #name.0,)
    });
    let body = op.body.as_ref().and_then(|b| b.schema.as_ref()).map(|schema| type_ident(schema));
    let (body_arg, body_value) = match (body, op.raw) {
        (Some(ty), false) => {
            (quote!(body: Body<#marker, types::#ty>,), quote!(body: body.value, sent: body.sent,))
        }
        (_, true) => (quote!(raw: RawBody<#marker>,), quote!(raw: raw.0,)),
        (None, false) => (quote!(), quote!()),
    };
    quote! {
        #about
        #[oai(path = #path, method = #http, operation_id = #id, tag = #tag)]
        async fn #method(&self, #guard #(#args)* #body_arg) -> Result<#success, OperationError<#error>> {
            self.0.#method(#caller #request { #(#values)* #body_value }).await
        }
    }
}
