//! Splits a migration into its statements. Most migrations are run as one script. The statements of a migration without
//! a transaction (PostgreSQL), or with batches (SQLite), are run one at a time.

/// How a statement is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// The statement is run once.
    Plain,
    /// `CREATE INDEX CONCURRENTLY`. If an interrupted run has left an invalid index with this name, the invalid index
    /// is dropped first.
    BuildIndex(String),
    /// Another statement with `CONCURRENTLY`. The statement waits until other transactions have ended, but does not
    /// block reads and writes.
    Concurrent,
    /// A statement after a comment line `-- batched`. It is run again and again, until it changes no row.
    Batched,
}

/// A statement of a migration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The text, without the `--` comments before it and without the semicolon.
    pub sql: String,
    /// How the statement is run.
    pub kind: StatementKind,
}

/// The comment that marks a statement of [`StatementKind::Batched`].
const BATCHED: &str = "batched";

/// Splits a script into its statements. Supports neither nested block comments nor strings with backslash escapes
/// (`E'\''`). The rules for migrations reject both (`tests/suite/operations/upgrades/examples.rs`).
#[must_use]
pub fn statements_of(script: &str) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut rest = script;
    loop {
        let (comments, after) = leading_comments(rest);
        let length = length(after);
        let (sql, next) = after.split_at(length);
        if !sql.trim().is_empty() {
            let sql = sql.trim().to_owned();
            let kind = if comments.contains(&BATCHED) { StatementKind::Batched } else { kind(&sql) };
            statements.push(Statement { sql, kind });
        }
        match next.strip_prefix(';') {
            Some(next) => rest = next,
            None => return statements,
        }
    }
}

/// Returns the `--` comment lines at the beginning of the script, and the rest.
fn leading_comments(script: &str) -> (Vec<&str>, &str) {
    let (mut comments, mut rest) = (Vec::new(), script.trim_start());
    while let Some(comment) = rest.strip_prefix("--") {
        let (line, after) = comment.split_once('\n').unwrap_or((comment, ""));
        comments.push(line.trim());
        rest = after.trim_start();
    }
    (comments, rest)
}

/// Returns the number of bytes before the first semicolon. If there is no semicolon, returns the length of the script.
/// Semicolons in strings, quoted names, comments and dollar quotes do not count.
fn length(script: &str) -> usize {
    let mut at = 0;
    while let Some(first) = script[at..].chars().next() {
        let rest = &script[at..];
        let end_of = |mark: &str, from: usize| {
            rest[from..].find(mark).map_or(rest.len(), |end| from + end + mark.len())
        };
        at += match first {
            ';' => return at,
            '\'' => end_of("'", 1),
            '"' => end_of("\"", 1),
            '-' if rest.starts_with("--") => end_of("\n", 2),
            '/' if rest.starts_with("/*") => end_of("*/", 2),
            '$' => dollar_quote(rest).map_or(1, |tag| end_of(tag, tag.len())),
            other => other.len_utf8(),
        };
    }
    at
}

/// Returns the `$tag$` with which a text begins; `None` if it begins with another text.
fn dollar_quote(text: &str) -> Option<&str> {
    let end = text[1..].find('$')? + 1;
    let tag = &text[1..end];
    let is_name = tag.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !tag.starts_with(|c: char| c.is_ascii_digit())).then(|| &text[..=end])
}

fn kind(sql: &str) -> StatementKind {
    let words: Vec<_> = sql.split_whitespace().collect();
    let is = |at: usize, word: &str| words.get(at).is_some_and(|it| it.eq_ignore_ascii_case(word));
    let concurrently = words.iter().position(|word| word.eq_ignore_ascii_case("concurrently"));
    let Some(at) = concurrently.filter(|at| *at <= 3) else { return StatementKind::Plain };
    if is(0, "create") {
        let skipped = if is(at + 1, "if") { 4 } else { 1 };
        if let Some(name) = words.get(at + skipped) {
            return StatementKind::BuildIndex((*name).to_owned());
        }
    }
    StatementKind::Concurrent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_split_at_semicolons_outside_of_quotes_and_comments() {
        let script = "-- no-transaction\n-- a comment; with a semicolon\n\nSELECT ';' AS \"a;b\", $$;$$, $x$;$$;$x$; -- one; two\n\
            /* ; */ SELECT $1 + $2 -- three;\n + 1;\nSELECT 'it''s;'";
        let sql: Vec<_> = statements_of(script).into_iter().map(|statement| statement.sql).collect();
        assert_eq!(
            sql,
            [
                "SELECT ';' AS \"a;b\", $$;$$, $x$;$$;$x$",
                "/* ; */ SELECT $1 + $2 -- three;\n + 1",
                "SELECT 'it''s;'"
            ]
        );
        assert_eq!(statements_of("-- nothing\n"), []);
    }

    #[test]
    fn the_kind_of_a_statement_follows_from_its_text_and_its_comments() {
        let kinds = |script: &str| -> Vec<_> {
            statements_of(script).into_iter().map(|statement| statement.kind).collect()
        };
        let build = |name: &str| StatementKind::BuildIndex(name.to_owned());
        assert_eq!(
            kinds(
                "CREATE INDEX CONCURRENTLY IF NOT EXISTS a ON t (x);
                 create unique index concurrently b ON t (x);
                 DROP INDEX CONCURRENTLY IF EXISTS c;
                 REINDEX INDEX CONCURRENTLY d;
                 -- batched
                 UPDATE t SET x = 1 WHERE id IN (SELECT id FROM t WHERE x IS NULL LIMIT 1000);
                 ALTER TABLE t VALIDATE CONSTRAINT concurrently"
            ),
            [
                build("a"),
                build("b"),
                StatementKind::Concurrent,
                StatementKind::Concurrent,
                StatementKind::Batched,
                StatementKind::Plain
            ]
        );
    }
}
