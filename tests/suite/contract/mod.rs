//! The contract tests. They call the operations of the three OpenAPI documents through the generated clients, on both
//! engines. They cause each documented success and error that a generated client can cause.
//!
//! - `bot/`, `assistant/`, `admin/`: a file for each resource; most tests have the name of their operation.
//! - [`clients`]: constructors of the generated clients. A client sends the credentials of a caller to the address of a
//!   server.
//! - [`outcome`]: the assertions. [`succeeds!`], [`refused!`], [`limited!`] and [`fails!`] check at run time that the
//!   operation returns the response that their arguments name, and that the document lists this response.
//!   [`refuses_callers!`] checks the errors that depend only on the caller.
//! - [`answers!`]: raw requests to operations for which the clients have no function.
//! - [`untyped`]: raw requests that a generated client cannot send. Each of them causes one error, and is sent to the
//!   operations whose documents list this error.
//! - [`reached`]: reads the assertions from the sources, and compares them with the documents. `unreached.txt` must
//!   list every documented response that neither an assertion nor a test of [`untyped`] reaches.

mod admin;
mod assistant;
mod bot;
mod callers;
mod clients;
mod documents;
mod outcome;
mod reached;
mod untyped;

/// Asserts that a call succeeds with this status, and returns the typed response:
/// `succeeds!(201, bot.create_message(&key, &body))`.
macro_rules! succeeds {
    ($status:literal, $client:ident.$operation:ident($($argument:expr),* $(,)?)) => {
        $crate::contract::outcome::success(
            &$client, stringify!($operation), $status, $client.$operation($($argument),*).await,
        )
    };
}

/// Asserts that a call is rejected with this status and error code, and returns the typed error:
/// `refused!(404, "user_not_found", bot.get_user(&id))`.
macro_rules! refused {
    ($status:literal, $code:literal, $client:ident.$operation:ident($($argument:expr),* $(,)?)) => {
        $crate::contract::outcome::refusal(
            &$client, stringify!($operation), $status, $code, $client.$operation($($argument),*).await,
        )
    };
}

/// Repeats a call until the rate limit rejects the call, and asserts status and error code: `limited!(429,
/// "rate_limited", bot.test_auth())`.
macro_rules! limited {
    ($status:literal, $code:literal, $client:ident.$operation:ident($($argument:expr),* $(,)?)) => {{
        let mut answer = $client.$operation($($argument),*).await.map(drop);
        for _ in 0..$crate::contract::outcome::MANY {
            if $crate::contract::outcome::status(&answer) == Some($status) {
                break;
            }
            answer = $client.$operation($($argument),*).await.map(drop);
        }
        $crate::contract::outcome::refused(&$client, stringify!($operation), $status, $code, answer)
    }};
}

/// Makes a call while a table of the database is missing, and asserts status and error code:
/// `fails!(500, "internal_error", bot.exchange_token(&body), server, "apps")`.
macro_rules! fails {
    ($status:literal, $code:literal, $client:ident.$operation:ident($($argument:expr),* $(,)?), $server:expr, $table:literal) => {{
        $server.database.execute(concat!("ALTER TABLE ", $table, " RENAME TO ", $table, "_away")).await;
        let answer = $client.$operation($($argument),*).await;
        $server.database.execute(concat!("ALTER TABLE ", $table, "_away RENAME TO ", $table)).await;
        $crate::contract::outcome::refusal(&$client, stringify!($operation), $status, $code, answer)
    }};
}

/// Asserts the errors that depend only on the caller: `refuses_callers!(callers, get_user(NOBODY))`. Their causes are a
/// missing, unknown or revoked credential, a missing scope or role, an exceeded rate limit, and a database error while
/// the credential is read. The ids in the arguments need not exist, because the server checks the caller first.
macro_rules! refuses_callers {
    ($callers:ident, $operation:ident($($argument:expr),* $(,)?)) => {
        $callers
            .assert_refused(stringify!($operation), async |client| {
                client.$operation($($argument),*).await.map(drop)
            })
            .await
    };
}

/// Sends a raw request to each of the listed operations, and asserts the status:
/// `answers!(406, [openMcpStream], async |operation| …)`. The clients have no function for these operations. The
/// closure returns the request. If the document has examples of the error, the macro also takes and asserts the error
/// code.
macro_rules! answers {
    ($status:literal, [$($operation:ident),+ $(,)?], $request:expr $(,)?) => {{
        let request = $request;
        $($crate::contract::outcome::raw(stringify!($operation), $status, None, &request).await;)+
    }};
    ($status:literal, $code:literal, [$($operation:ident),+ $(,)?], $request:expr $(,)?) => {{
        let request = $request;
        $($crate::contract::outcome::raw(stringify!($operation), $status, Some($code), &request).await;)+
    }};
}

use {answers, fails, limited, refused, refuses_callers, succeeds};
