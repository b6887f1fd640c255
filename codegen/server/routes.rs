//! Emits the routes: one method per operation, arguments in the order of the ladder.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Names, ident, of, param_marker, published_docs, type_ident};
use crate::codegen::model::{Api, Op, Place};

pub fn emit(api: &Api) -> TokenStream {
    let methods = api.operations.iter().map(method);
    let (title, version) = (&api.title, &api.version);
    quote! {
        /// The routes of the document over hand-written handlers.
        pub struct Server<H>(pub Arc<H>);

        #[OpenApi]
        impl<H: Handlers> Server<H> { #(#methods)* }

        /// The service as poem-openapi sees it. Its requests carry the handlers as data: see [`routes`].
        pub fn service<H: Handlers>(handlers: Arc<H>) -> OpenApiService<Server<H>, ()> {
            OpenApiService::new(Server(handlers), #title, #version)
        }

        /// Every route of the document, served by `handlers`.
        pub fn routes<H: Handlers>(handlers: Arc<H>) -> impl poem::Endpoint<Output = Response> + 'static {
            use poem::{EndpointExt, IntoEndpoint};
            LazyLock::force(&CONTRACT);
            service(handlers.clone()).into_endpoint().data(handlers)
        }
    }
}

fn method(op: &Op) -> TokenStream {
    let Names { marker, request, success, error, method } = of(op);
    let http = &op.method;
    // poem-openapi writes `:id`; it takes `{id}` for a literal segment without a word
    let path = op.path.replace('{', ":").replace('}', "");
    let id = &op.id;
    let text = match &op.description {
        Some(description) => format!("{}\n\n{description}", op.summary),
        None => op.summary.clone(),
    };
    let about = published_docs(Some(&text));
    let tag = format!("Tag::{}", type_ident(&op.tag));
    let scopes: Vec<_> = op
        .security
        .iter()
        .flat_map(|(_, scopes)| scopes)
        .map(|s| {
            let scope = format!("Scope::{}", type_ident(s));
            quote!(scope = #scope)
        })
        .collect();
    let scopes = (!scopes.is_empty()).then(|| quote!(#[oai(#(#scopes),*)]));
    let caller = (!op.security.is_empty()).then(|| quote!(guard.into_caller(),));
    let guard = match op.security.is_empty() {
        true => quote!(_guard: Guard<H, #marker>,),
        false => quote!(#scopes guard: Guard<H, #marker>,),
    };
    let args = op.params.iter().map(|p| {
        let (name, wire, marker) = (ident(&p.name), &p.name, param_marker(op, p));
        let about = published_docs(p.description.as_deref());
        let place = match p.place {
            Place::Path => quote!(Path),
            Place::Query => quote!(Query),
            Place::Header => quote!(Header),
        };
        quote!(#about #[oai(name = #wire)] #name: #place<#marker>,)
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
        async fn #method(&self, #guard #(#args)* #body_arg) -> Result<#success, Problem<#error>> {
            self.0.#method(#caller #request { #(#values)* #body_value }).await
        }
    }
}
