//! `#[both_engines]`, the attribute of tests that run on SQLite and on PostgreSQL. The crate has no dependencies, to
//! keep builds short.

use proc_macro::{Ident, Span, TokenStream, TokenTree};

/// Generates two tests that call an `async fn`: `name::sqlite`, and `name::postgres`, which is skipped if PostgreSQL is
/// not available (`support::postgres`). The function itself is not changed.
///
/// ```ignore
/// #[both_engines]
/// async fn a_deleted_message_is_not_listed(server: Server) {
///     …
/// }
/// ```
///
/// The type of the parameter must implement `support::engines::Fixture`. The function may return `Option<()>`, so that
/// it can use `?` on fixtures that it creates itself. `None` means that the engine is not available. SQLite is always
/// available, so `name::sqlite` fails if the function returns `None`.
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
/// For any other item, an error message and the position of the error.
fn name_of(item: TokenStream) -> Result<Ident, (&'static str, Span)> {
    let mut is_async = false;
    let mut tokens = item.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word.to_string() == "async" => is_async = true,
            TokenTree::Ident(word) if word.to_string() == "fn" => {
                return match tokens.next() {
                    Some(TokenTree::Ident(name)) if is_async => Ok(name),
                    _ => Err(("a test for both engines must be an `async fn`", word.span())),
                };
            }
            _ => {}
        }
    }
    Err(("`both_engines` can be used on functions only", Span::call_site()))
}

/// Returns a module with one test per engine. The module has the same name as the function.
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
