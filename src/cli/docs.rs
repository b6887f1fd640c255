//! Generates `docs/cli.md` from the commands.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use super::Cli;

const INTRODUCTION: &str = "\
# The command line

This page is generated from the code; do not edit it.

The commands of the binary `switchboard` run and configure the server (`serve`, `dev`, `migrate`, `config`,
`operator-key`), manage its data (`backup`, `restore`, `move`, `secrets`), check its deployment (`doctor`,
`health`), receive events (`listen`), verify signatures (`events verify`), connect as an assistant (`connect`),
print documents and completions (`openapi`, `man`, `completions`), or call the admin API (all other commands).
Results go to standard output: text and tables for people, or with `--json` one JSON document. If a command
calls the admin API, the members of the JSON document are those of the [admin API](../openapi/admin.yaml).
Errors go to standard error.

| Exit code | Meaning |
|-|-|
| 0 | Done. |
| 1 | The server rejected the request (error: `code: message (request id)`), or the command failed on this machine. |
| 2 | Wrong usage. |
| 3 | The server cannot be reached, or its response is not understood. |
| 4 to 7 | A signature is not valid: [`switchboard events verify`](#switchboard-events-verify). |
| 8 | A check failed: [`switchboard doctor`](#switchboard-doctor), [`switchboard health`](#switchboard-health). |

Commands that list objects fetch all pages. With `--limit N`, they return at most N objects. To continue, pass
the `next_cursor` of the JSON document as `--cursor`.
";

/// Returns the page as Markdown.
#[must_use]
pub fn render_docs() -> String {
    let mut root = Cli::command();
    root.build();
    let mut page = INTRODUCTION.to_owned();
    page.push_str("\n## Options of every command\n\n");
    write_options(&mut page, root.get_arguments().filter(|arg| arg.is_global_set()));
    for group in visible(&root) {
        let _ = write!(page, "\n## {}\n", title(group));
        write_command(&mut page, group, "###");
    }
    page
}

/// Returns the subcommands, without the subcommand `help` of clap.
pub(super) fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|sub| sub.get_name() != "help")
}

/// Returns the command as a user types it, such as `switchboard user add`, as Markdown code.
fn title(command: &Command) -> String {
    format!("`{}`", command.get_bin_name().unwrap_or(command.get_name()))
}

/// Writes the section of a command or of a group of commands. `heading` is the Markdown prefix of the headings of the
/// command's subcommands, such as `###`.
fn write_command(page: &mut String, command: &Command, heading: &str) {
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    let _ = write!(page, "\n{}\n", sentences(&about));
    if command.has_subcommands() {
        for sub in visible(command) {
            let _ = write!(page, "\n{heading} {}\n", title(sub));
            write_command(page, sub, "####");
        }
        return;
    }
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim().strip_prefix("Usage: ").unwrap_or(&usage).replace("\n      ", "\n");
    let _ = write!(page, "\n```sh\n{usage}\n```\n\n");
    write_options(page, command.get_arguments().filter(|arg| !arg.is_global_set()));
    if let Some(examples) = command.get_after_help().map(ToString::to_string) {
        let lines: Vec<_> = examples.lines().skip(1).map(str::trim).collect();
        let _ = write!(page, "\n```sh\n{}\n```\n", lines.join("\n"));
    }
}

/// Writes a table of the arguments. Writes nothing if there are no arguments.
fn write_options<'a>(page: &mut String, args: impl Iterator<Item = &'a Arg>) {
    let mut empty = true;
    for arg in args.filter(|arg| !matches!(arg.get_id().as_str(), "help" | "version")) {
        if std::mem::take(&mut empty) {
            page.push_str("| Argument | Meaning |\n|-|-|\n");
        }
        let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
        let mut help = sentences(&help).replace("\n\n", " ").replace('|', "\\|");
        let possible: Vec<_> =
            arg.get_possible_values().iter().map(|word| format!("`{}`", word.get_name())).collect();
        if !possible.is_empty() && !arg.is_hide_possible_values_set() && arg.get_action().takes_values() {
            let _ = write!(help, " One of {}.", possible.join(", "));
        }
        let default: Vec<_> = arg.get_default_values().iter().map(|word| word.to_string_lossy()).collect();
        if !default.is_empty() && arg.get_action().takes_values() {
            let _ = write!(help, " Default: `{}`.", default.join(","));
        }
        let needed = if arg.is_required_set() && !arg.is_positional() { " (required)" } else { "" };
        let name = arg.to_string().replace('|', "\\|");
        let _ = writeln!(page, "| `{name}`{needed} | {help} |");
    }
}

/// Returns the paragraphs of a help text, each on one line. Adds the period that clap removes.
fn sentences(text: &str) -> String {
    let ended = |paragraph: &str| {
        let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() || line.ends_with(['.', ':', '?', ')']) { line } else { format!("{line}.") }
    };
    text.trim().split("\n\n").map(ended).collect::<Vec<_>>().join("\n\n")
}
