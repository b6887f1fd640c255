//! `#[both_engines]`, the attribute of tests that run on SQLite and on PostgreSQL. The crate has no dependencies, to
//! keep builds short.

use proc_macro::{Ident, Span, TokenStream, TokenTree};

/// Generates two tests from an `async fn`: `name::sqlite`, which always runs, and `name::postgres`, which runs if
/// PostgreSQL is available. The function itself is not changed.
///
/// ```ignore
/// #[both_engines]
/// async fn a_deleted_message_is_not_listed(server: Server) {
///     …
/// }
/// ```
///
/// The type of the parameter implements `support::engines::Fixture`. A test may return `Option<()>`, so that it can use
/// `?` on its fixtures. `None` means that the engine is not available. On SQLite a test that returns `None` fails.
#[proc_macro_attribute]
pub fn both_engines(arguments: TokenStream, function: TokenStream) -> TokenStream {
    if let Some(argument) = arguments.into_iter().next() {
        return refuse("`both_engines` takes no arguments", argument.span());
    }
    match name_of(function.clone()) {
        Ok(name) => function.into_iter().chain(tests(&name)).collect(),
        Err((message, span)) => refuse(message, span),
    }
}

/// Returns the name of an `async fn`.
///
/// # Errors
/// A message and its position for any other item.
fn name_of(item: TokenStream) -> Result<Ident, (&'static str, Span)> {
    let mut is_async = false;
    let mut tokens = item.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word.to_string() == "async" => is_async = true,
            TokenTree::Ident(word) if word.to_string() == "fn" => {
                return match tokens.next() {
                    Some(TokenTree::Ident(name)) if is_async => Ok(name),
                    _ => Err(("a test for both engines is an `async fn`", word.span())),
                };
            }
            _ => {}
        }
    }
    Err(("`both_engines` is an attribute of functions", Span::call_site()))
}

/// Returns a module with the function's name that contains a test for each engine.
fn tests(name: &Ident) -> TokenStream {
    let test = |engine: &str| {
        format!(
            "#[::tokio::test(flavor = \"multi_thread\", worker_threads = 2)]
             async fn {engine}() {{
                 crate::support::engines::{engine}(super::{name}).await;
             }}"
        )
    };
    let module = format!("mod {name} {{ {} {} }}", test("sqlite"), test("postgres"));
    parsed(&module)
}

/// Returns a compile error at the position `span`.
fn refuse(message: &str, span: Span) -> TokenStream {
    let error = parsed(&format!("::core::compile_error!({message:?});"));
    let spanned = error.into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    spanned.collect()
}

fn parsed(source: &str) -> TokenStream {
    source.parse().expect("the macro generates valid Rust")
}
