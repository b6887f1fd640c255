//! SQL texts: one set for both engines, with `$n` placeholders.

use std::ops::Range;
use std::sync::OnceLock;

use super::{error::StoreError, known_owners};

/// One SQL statement as both engines read it. Made by [`statements!`](crate::statements).
#[derive(Debug)]
pub struct Stmt {
    /// `module::path::NAME`, for logs.
    pub name: &'static str,
    /// What SQLite runs, as written: with `$n`.
    pub sqlite: &'static str,
    /// What PostgreSQL runs.
    pub postgres: &'static str,
    parsed: OnceLock<Result<Parsed, StoreError>>,
}

#[derive(Debug)]
struct Parsed {
    /// [`Stmt::sqlite`] with `?n` for `$n`: SQLite takes `$2` for a name and numbers names by first appearance.
    sqlite: String,
    params: usize,
    /// Whether it changes what is known of the owners of tokens.
    changes_owners: bool,
}

impl Stmt {
    /// For [`statements!`](crate::statements): `texts` is one text for both engines, or SQLite's and PostgreSQL's.
    ///
    /// # Panics
    ///
    /// With none or more than two; in a `static` that stops the compiler.
    #[must_use]
    pub const fn new(name: &'static str, texts: &[&'static str]) -> Self {
        match *texts {
            [both] => Self { name, sqlite: both, postgres: both, parsed: OnceLock::new() },
            [sqlite, postgres] => Self { name, sqlite, postgres, parsed: OnceLock::new() },
            #[expect(clippy::panic, reason = "stops the compiler, not the server")]
            _ => panic!("a statement is one text for both engines, or `sqlite \"…\" postgres \"…\"`"),
        }
    }

    /// How many arguments the statement takes; an error if its two texts do not use the same parameters `$1..=$n`.
    pub fn params(&self) -> Result<usize, StoreError> {
        Ok(self.parsed()?.params)
    }

    /// The text for SQLite, with `?n` placeholders.
    pub(super) fn for_sqlite(&self) -> Result<&str, StoreError> {
        Ok(&self.parsed()?.sqlite)
    }

    /// Whether it writes a table that the owners of tokens are read from.
    pub(super) fn changes_owners(&self) -> Result<bool, StoreError> {
        Ok(self.parsed()?.changes_owners)
    }

    fn parsed(&self) -> Result<&Parsed, StoreError> {
        self.parsed.get_or_init(|| self.parse()).as_ref().map_err(Clone::clone)
    }

    fn parse(&self) -> Result<Parsed, StoreError> {
        let places = placeholders(self.sqlite);
        let params = count(&places);
        if params.is_none() || params != count(&placeholders(self.postgres)) {
            return Err(StoreError::bug(format!(
                "{}: both texts must use the same parameters, $1 and on without a gap",
                self.name
            )));
        }
        let mut sqlite = self.sqlite.to_owned();
        for (range, _) in &places {
            sqlite.replace_range(range.start..=range.start, "?");
        }
        let changes_owners = known_owners::TABLES.iter().any(|table| writes(&sqlite, table));
        Ok(Parsed { sqlite, params: params.unwrap_or_default(), changes_owners })
    }
}

/// Whether a statement writes a table.
fn writes(sql: &str, table: &str) -> bool {
    let words: Vec<_> =
        sql.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty()).collect();
    words.iter().enumerate().skip(1).any(|(at, word)| {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| words[at]);
        let is = |back, word: &str| before(back).eq_ignore_ascii_case(word);
        word.eq_ignore_ascii_case(table)
            && (is(1, "INTO")
                || is(1, "UPDATE")
                || (is(1, "FROM") && is(2, "DELETE"))
                || (is(2, "OR") && is(3, "UPDATE")))
    })
}

/// n, if exactly the numbers 1 to n occur.
fn count(places: &[(Range<usize>, usize)]) -> Option<usize> {
    let highest = places.iter().map(|(_, number)| *number).max().unwrap_or(0);
    (1..=highest).all(|wanted| places.iter().any(|(_, number)| *number == wanted)).then_some(highest)
}

/// Every `$n` outside of strings, quoted names and comments: where it stands, and n.
fn placeholders(sql: &str) -> Vec<(Range<usize>, usize)> {
    let bytes = sql.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &sql[at..];
        at += match bytes[at] {
            quote @ (b'\'' | b'"') => 2 + rest[1..].bytes().take_while(|&byte| byte != quote).count(),
            b'-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'$' => {
                let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                if let Ok(number) = rest[1..=digits].parse() {
                    found.push((at..at + 1 + digits, number));
                }
                1 + digits
            }
            // a whole character, so that `at` stays on a boundary
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    found
}

/// SQL texts of a module: `statements! { pub BY_ID = "SELECT … WHERE id = $1"; }`
///
/// Each becomes a `static NAME: Stmt`, and all of them together `pub static ALL: &[&Stmt]`, so that
/// [`prepare_all`](crate::store::prepare_all) can check them against the real schema of both engines.
///
/// The right-hand side is one text for both engines, or one text each; a text is a literal or a macro call
/// such as `concat!(…)`:
///
/// ```
/// use switchboard::store::statements;
/// statements! {
///     /// Name and state of a user.
///     pub BY_ID = "SELECT name, state FROM users WHERE id = $1";
///     /// A list argument, `args![&ids[..]]`: an array on PostgreSQL and a JSON text on SQLite.
///     pub BY_IDS =
///         sqlite "SELECT name FROM users WHERE id IN (SELECT value FROM json_each($1))"
///         postgres "SELECT name FROM users WHERE id = ANY($1)";
/// }
/// assert_eq!(ALL.len(), 2);
/// ```
///
/// To be the same on both engines: write `CAST(SUM(n) AS BIGINT)` (PostgreSQL sums into NUMERIC), say
/// `ON CONFLICT …` rather than run into a unique index, order by something whenever order matters.
#[macro_export]
macro_rules! statements {
    // one statement after the other; `[…]` collects the names
    (@next [$($all:ident)*]) => {
        /// Every statement of this module.
        pub static ALL: &[&$crate::store::Stmt] = &[$(&$all),*];
    };
    (@next [$($all:ident)*] $(#[$meta:meta])* $vis:vis $name:ident =
        sqlite $lite:ident ! $lite_parts:tt postgres $pg:ident ! $pg_parts:tt; $($rest:tt)*) => {
        $crate::statements!(@stmt [$(#[$meta])*] [$vis] $name [$lite! $lite_parts, $pg! $pg_parts]);
        $crate::statements!(@next [$($all)* $name] $($rest)*);
    };
    (@next [$($all:ident)*] $(#[$meta:meta])* $vis:vis $name:ident =
        sqlite $lite:literal postgres $pg:literal; $($rest:tt)*) => {
        $crate::statements!(@stmt [$(#[$meta])*] [$vis] $name [$lite, $pg]);
        $crate::statements!(@next [$($all)* $name] $($rest)*);
    };
    (@next [$($all:ident)*] $(#[$meta:meta])* $vis:vis $name:ident = $both:ident ! $parts:tt; $($rest:tt)*) => {
        $crate::statements!(@stmt [$(#[$meta])*] [$vis] $name [$both! $parts]);
        $crate::statements!(@next [$($all)* $name] $($rest)*);
    };
    (@next [$($all:ident)*] $(#[$meta:meta])* $vis:vis $name:ident = $both:literal; $($rest:tt)*) => {
        $crate::statements!(@stmt [$(#[$meta])*] [$vis] $name [$both]);
        $crate::statements!(@next [$($all)* $name] $($rest)*);
    };
    (@stmt [$($meta:tt)*] [$vis:vis] $name:ident [$($texts:tt)*]) => {
        $($meta)*
        $vis static $name: $crate::store::Stmt =
            $crate::store::Stmt::new(concat!(module_path!(), "::", stringify!($name)), &[$($texts)*]);
    };
    ($($statements:tt)*) => {
        $crate::statements!(@next [] $($statements)*);
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found_outside_of_quotes_and_comments() {
        let stmt =
            Stmt::new("t", &["SELECT '$9 it''s', \"$8\", $2 -- $7\n, é, $1 /* $6 */ + $2 WHERE $10x = 1"]);
        let numbers: Vec<_> = placeholders(stmt.sqlite).into_iter().map(|(_, number)| number).collect();
        assert_eq!(numbers, [2, 1, 2, 10]);
        assert!(stmt.params().is_err(), "3 to 9 are missing");
    }

    #[test]
    fn writes_are_told_by_table() {
        for written in [
            "INSERT INTO installations (id) VALUES ($1)",
            "insert or replace into installations values (1)",
            "UPDATE installations SET connected = 0",
            "WITH gone AS (SELECT 1) DELETE FROM installations WHERE id IN gone",
            "UPDATE OR IGNORE installations SET connected = 0",
        ] {
            assert!(writes(written, "installations"), "{written}");
        }
        for read in [
            "SELECT * FROM installations",
            "DELETE FROM events WHERE installation_id IN (SELECT id FROM installations)",
            "UPDATE users SET x = (SELECT 1 FROM installations)",
            "INSERT INTO former_installations SELECT * FROM installations",
        ] {
            assert!(!writes(read, "installations"), "{read}");
        }
    }

    #[test]
    fn numbers_stay_the_author_s() {
        let stmt = Stmt::new("t", &["UPDATE t SET a = $2, b = '$3' WHERE id = $1"]);
        assert_eq!(stmt.for_sqlite().unwrap(), "UPDATE t SET a = ?2, b = '$3' WHERE id = ?1");
        assert_eq!(stmt.params(), Ok(2));
        assert_eq!(Stmt::new("t", &["SELECT 1"]).params(), Ok(0));
    }

    #[test]
    fn both_texts_take_the_same_arguments() {
        assert!(Stmt::new("t", &["SELECT $1", "SELECT $1, $2"]).params().is_err());
        assert_eq!(Stmt::new("t", &["SELECT $2, $1", "SELECT $1, $2"]).params(), Ok(2));
    }
}
