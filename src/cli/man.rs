//! `switchboard man`: manual pages, generated from the definitions of the commands.

use std::{fs, io, path::Path, path::PathBuf};

use clap::{Args, Command};
use clap_mangen::{
    Man,
    roff::{Roff, bold, roman},
};
use serde_json::json;

use super::{
    answer::Answer,
    docs::visible,
    failure::{Failure, Result},
};

/// Print the manual page of a command, or write the pages of all commands
///
/// The page is in the format of man(7): `switchboard man user list | man -l -` shows it. `just install` and the
/// archives of releases install all pages.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard man user list | man -l -
  switchboard man --out /usr/local/share/man/man1")]
pub struct ManArgs {
    /// The command, such as `user list`; by default the program itself
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder, which is created if it is missing
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// A manual page.
struct ManualPage {
    /// The file name, such as `switchboard-user-list.1`.
    file: String,
    /// The page in roff.
    text: String,
}

impl ManArgs {
    /// Returns the page of a command of `root`, or writes the pages of all commands.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the command does not exist, [`Failure::Local`] if a page cannot be made or written.
    pub fn run(self, root: Command) -> Result<Answer> {
        let mut root = root.disable_help_subcommand(true);
        root.build();
        match self.out {
            Some(folder) => write_all(&root, &folder),
            None => {
                let page = page_of(&root, &self.command)?;
                Ok(Answer::verbatim(json!({"file": page.file, "page": page.text}), page.text))
            }
        }
    }
}

fn write_all(root: &Command, folder: &Path) -> Result<Answer> {
    let mut pages = Vec::new();
    collect(root, None, &mut pages).map_err(|error| unprintable(&error))?;
    fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    for page in &pages {
        let path = folder.join(&page.file);
        fs::write(&path, &page.text).map_err(|error| Failure::file("write", &path, &error))?;
    }
    let files: Vec<_> = pages.iter().map(|page| &page.file).collect();
    let text = format!("Wrote {} manual pages into {}.", files.len(), folder.display());
    Ok(Answer::new(json!({"ok": true, "files": files}), text))
}

fn page_of(root: &Command, words: &[String]) -> Result<ManualPage> {
    let (mut command, mut parent) = (root, None);
    for word in words {
        parent = Some(command);
        command = command.find_subcommand(word).ok_or_else(|| {
            Failure::Usage(format!(
                "there is no command `{} {word}`",
                command.get_bin_name().unwrap_or_default()
            ))
        })?;
    }
    page(command, parent).map_err(|error| unprintable(&error))
}

fn unprintable(error: &io::Error) -> Failure {
    Failure::Local(format!("cannot make the manual page: {error}"))
}

/// Adds the pages of a command and of all its subcommands to `pages`.
fn collect(command: &Command, parent: Option<&Command>, pages: &mut Vec<ManualPage>) -> io::Result<()> {
    pages.push(page(command, parent)?);
    visible(command).try_for_each(|sub| collect(sub, Some(command), pages))
}

/// Returns the name of a command's page, such as `switchboard-user-list`.
fn title(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

fn page(command: &Command, parent: Option<&Command>) -> io::Result<ManualPage> {
    let man = Man::new(command.clone())
        .source(concat!("switchboard ", env!("CARGO_PKG_VERSION")))
        .manual("Switchboard manual");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let mut end = Roff::new();
    for (heading, lines) in closing_sections(command) {
        literal(&mut end, &heading, &lines);
    }
    if let Some(parent) = parent {
        end.control("SH", ["SEE ALSO"]).text([bold(title(parent)), roman("(1)")]);
    }
    end.to_writer(&mut text)?;
    let text = String::from_utf8(text).map_err(io::Error::other)?;
    Ok(ManualPage { file: man.get_filename(), text })
}

/// Returns the sections that follow the options in a command's help, such as `EXAMPLES` and `EXIT STATUS`, as heading
/// and lines.
fn closing_sections(command: &Command) -> Vec<(String, Vec<String>)> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let section = |paragraph: &str| {
        let (heading, lines) = paragraph.split_once('\n')?;
        let heading = match heading.trim_end_matches(':') {
            // man-pages(7) prescribes this heading
            "Exit codes" => "EXIT STATUS".to_owned(),
            other => other.to_uppercase(),
        };
        Some((heading, lines.lines().map(|line| line.trim_end().to_owned()).collect()))
    };
    help.split("\n\n").filter_map(section).collect()
}

/// Adds a section whose lines keep their line breaks (roff `.nf`).
fn literal(roff: &mut Roff, heading: &str, lines: &[String]) {
    roff.control("SH", [heading]).control("nf", []);
    for line in lines {
        roff.text([roman(line.as_str())]);
    }
    roff.control("fi", []);
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    fn print(words: &[&str]) -> Result<Answer> {
        let command = words.iter().map(|word| (*word).to_owned()).collect();
        ManArgs { command, out: None }.run(Cli::command())
    }

    #[test]
    fn a_page_has_the_sections_of_its_command() {
        let answer = print(&["user", "list"]).unwrap();
        assert_eq!(answer.document()["file"], "switchboard-user-list.1");
        let page = answer.document()["page"].as_str().unwrap();
        for line in [
            ".TH switchboard-user-list 1 ",
            ".SH NAME",
            ".SH SYNOPSIS",
            ".SH DESCRIPTION",
            ".SH OPTIONS",
            ".SH \"SERVER AND CREDENTIAL\"",
            ".SH EXAMPLES",
            ".SH \"SEE ALSO\"",
            "\\fBswitchboard\\-user\\fR(1)",
        ] {
            assert!(page.lines().any(|found| found.starts_with(line)), "{line} is missing in\n{page}");
        }
    }

    #[test]
    fn the_page_of_the_program_has_its_exit_codes_and_commands() {
        let answer = print(&[]).unwrap();
        let page = answer.document()["page"].as_str().unwrap();
        assert_eq!(answer.document()["file"], "switchboard.1");
        assert!(page.contains(".SH \"EXIT STATUS\"\n.nf\n"), "{page}");
        assert!(page.contains("switchboard\\-serve(1)"), "{page}");
    }

    #[test]
    fn an_unknown_command_is_a_usage_error() {
        let error = print(&["user", "dance"]).unwrap_err();
        assert_eq!(error.to_string(), "there is no command `switchboard user dance`");
        assert!(matches!(error, Failure::Usage(_)));
    }

    #[test]
    fn a_folder_gets_a_page_for_every_command() {
        fn count(command: &Command) -> usize {
            1 + visible(command).map(count).sum::<usize>()
        }
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("man/man1");
        ManArgs { command: Vec::new(), out: Some(folder.clone()) }.run(Cli::command()).unwrap();
        let mut root = Cli::command();
        root.build();
        let files = fs::read_dir(&folder).unwrap();
        assert_eq!(files.count(), count(&root), "every command and every group of commands has a page");
        let page = fs::read_to_string(folder.join("switchboard-events-verify.1")).unwrap();
        assert!(page.starts_with(".ie") || page.starts_with(".TH"), "{page}");
    }
}
