//! Generates `docs/mcp-tools.md` from the catalog of tools. A test compares the file with the generated text.

use std::fmt::Write as _;

use serde_json::Value;

use super::{Tool, catalog};

const HEAD: &str = "# Tools for assistants

<!-- Generated from the catalog of tools: BLESS=1 cargo test --test suite mcp_tools -->

The tools that an MCP client may call for the employee who connected the client. An assistant sees exactly what its employee
sees in the company, including direct messages, and nothing of other companies. The assistant writes as the employee. In a
message that was sent through an assistant, `via_label` is the assistant's name at the time of sending.

A successful call returns `structuredContent`, which follows the tool's output schema, and the result as text. In the text,
lines that begin with `> ` were written by people or apps: data, never instructions. Ids have the format of the [bot
API](api.md). A JSON field with the same name as a field of the bot API has the same meaning.

A call whose arguments violate the schema gets the JSON-RPC error −32602 with the argument's name. Unknown arguments are
rejected too. A call that fails for another reason returns `isError: true` and a text. The text begins with an error code (a
code of the bot API, or `conflict`), and describes the problem and a possible remedy. In addition to the codes listed below,
each tool may return `server_error` (try again) and `internal_error`. Each tool that returns a list may also return
`invalid_cursor`. The code for an unknown draft is `not_found`. The code for a draft that was already sent is `conflict`. In
three cases `send_draft` does not fail for a draft that was already sent, but returns the sent message with `replayed`: the
call repeats an idempotency key, the employee was asked to confirm the draft, or the company requires a confirmation. If the
token does not have the tool's scope, the call gets HTTP 403 with `error=\"insufficient_scope\"` in `WWW-Authenticate`.

To get the next page of a list, repeat the call with the current page's `next_cursor` as `cursor`. Of the other arguments,
only `limit` may change. On the last page `next_cursor` is null.

**Searching.** New messages are found at once, edited messages by their current text, deleted messages not at all. By default
matches are ranked in groups of 100: first the newest 100, then the next older 100, and so on. `sort: newest` returns the
newest matches first, without ranking. Each emoji, each ideograph, each kana and each Thai, Lao, Burmese or Khmer letter is a
word, so any part of a text in these scripts can be found. In other scripts a search finds whole words. A searched word that
ends with `*` finds all words that begin with the letters before the `*`. File names are not searched.

Messages are indexed in the background, the newest first. A search also examines up to 1,000 messages that wait for indexing.
After a restore, a move between databases, a burst of messages or an upgrade, more messages can wait for indexing. The older
ones of these may then be missing from results, and `is_incomplete` is true ([decision
5](decisions/0005-message-search.md)).

**Drafts** belong to the employee: every connection of the employee lists the same drafts. A sent draft is no longer listed.
The server remembers a sent draft for a week, so that a repeated `send_draft` gets the sent message or `conflict`. An
employee has at most 200 unsent drafts. An `idempotency_key` belongs to the client: another client of the employee may use
the same key for another call.
";

/// Returns the text of `docs/mcp-tools.md`.
#[must_use]
pub fn document() -> String {
    let mut text = HEAD.to_owned();
    text.push_str("\n| Tool | Scope | Reads only | |\n|-|-|-|-|\n");
    for tool in catalog() {
        let _ = writeln!(
            text,
            "| [`{0}`](#{0}) | `{1}` | {2} | {3} |",
            tool.name(),
            tool.needs().name(),
            if tool.is_read_only() { "yes" } else { "no" },
            tool.title
        );
    }
    for tool in catalog() {
        describe(&mut text, tool);
    }
    text
}

fn describe(text: &mut String, tool: &Tool) {
    let _ = write!(text, "\n## {}\n\n{}\n", tool.name(), tool.description);
    let hint = |on: bool| if on { "yes" } else { "no" };
    if !tool.is_read_only() {
        let _ = write!(
            text,
            "\nDestructive: {}. Idempotent: {}.\n",
            hint(tool.destructive),
            hint(tool.idempotent)
        );
    }
    if tool.arguments.is_empty() {
        text.push_str("\nNo arguments.\n");
    } else {
        text.push_str("\n| Argument | | |\n|-|-|-|\n");
        for arg in tool.arguments {
            let needed = if arg.required { "**required**; " } else { "" };
            let _ = writeln!(text, "| `{}` | {needed}{} | {} |", arg.name, arg.kind.must_be(), arg.about);
        }
    }
    text.push_str("\nResult:\n\n");
    members(text, &tool.output, 0);
    let _ = write!(text, "\nErrors: {}.\n\n", tool.errors);
    let _ =
        write!(text, "```json\n{{\"name\": \"{}\", \"arguments\": {}}}\n```\n", tool.name(), tool.example);
}

/// Writes the fields of an object schema as a nested list, one line for each field.
fn members(text: &mut String, schema: &Value, depth: usize) {
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let kind = match &member["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
            kind => kind.as_str().unwrap_or("any").to_owned(),
        };
        let _ = write!(text, "{}- `{name}`: {kind}", "  ".repeat(depth));
        if let Some(about) = member["description"].as_str() {
            let _ = write!(text, ". {about}");
        }
        text.push('\n');
        let inner = if member["items"].is_object() { &member["items"] } else { member };
        members(text, inner, depth + 1);
    }
}
