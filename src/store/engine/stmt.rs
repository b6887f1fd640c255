//! SQL statements with `$n` placeholders. A statement has one text for both engines, or one text per engine.

use std::ops::{Deref, Range};
use std::sync::OnceLock;

use super::error::StoreError;
use super::values::{FromRow, Val};

/// The texts of a SQL statement for both engines, and the properties that the engines need to run the statement.
///
/// [`statements!`](crate::statements) declares each statement as a [`Query`], a [`LockingQuery`] or a [`Command`]. All
/// three dereference to a `Stmt`.
#[derive(Debug)]
pub struct Stmt {
    /// `module::path::NAME`, for logs.
    pub name: &'static str,
    /// The text for SQLite, with `$n` as in the source.
    pub sqlite: &'static str,
    /// The text for PostgreSQL.
    pub postgres: &'static str,
    /// The names of the result's columns if the rows are read into a struct; empty if the rows are read into another
    /// type.
    pub columns: &'static [&'static str],
    /// What the statement can do besides returning rows.
    pub effect: Effect,
    parsed: OnceLock<Result<Parsed, StoreError>>,
}

/// What a statement can do besides returning rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing: a [`Query`].
    None,
    /// Takes locks, which are held until the transaction ends: a [`LockingQuery`].
    Locks,
    /// Changes rows: a [`Command`].
    Changes {
        /// Whether committing the statement clears the token cache.
        invalidates_token_cache: bool,
    },
}

#[derive(Debug)]
struct Parsed {
    /// [`Stmt::sqlite`] with `?n` in place of `$n`. To SQLite, `$2` is a name, and SQLite numbers names in the order of
    /// their first appearance, so `$2` would not always be the second argument.
    sqlite: String,
    params: usize,
}

/// A statement that only reads. Every connection can run a `Query` ([`ReadSql`](crate::store::ReadSql)).
#[derive(Debug)]
pub struct Query(Stmt);

/// A statement that reads. On PostgreSQL it also takes row locks (`SELECT … FOR UPDATE`) or advisory locks, which are
/// held until the transaction ends. Only a connection that writes can run a `LockingQuery`
/// ([`Sql`](crate::store::Sql)).
#[derive(Debug)]
pub struct LockingQuery(Stmt);

/// A statement that inserts, updates or deletes, with or without `RETURNING`. Only a connection that writes can run a
/// `Command` ([`Sql`](crate::store::Sql)).
#[derive(Debug)]
pub struct Command(Stmt);

macro_rules! statement_types {
    ($($kind:ident: $effect:expr;)+) => { $(
        impl $kind {
            /// Creates a statement, for [`statements!`](crate::statements). `texts` is one text for both engines, or
            /// two texts: for SQLite, then for PostgreSQL.
            ///
            /// # Panics
            ///
            /// If `texts` is empty or has more than two texts. In a `static` this is a compile error.
            #[must_use]
            pub const fn new(name: &'static str, texts: &[&'static str]) -> Self {
                Self(Stmt::new(name, texts, $effect))
            }

            /// Declares the struct into which the rows of the statement are read.
            #[must_use]
            pub const fn of<T: FromRow>(mut self) -> Self {
                self.0.columns = T::COLUMNS;
                self
            }

            /// Returns the [`Stmt`].
            #[must_use]
            pub const fn stmt(&self) -> &Stmt {
                &self.0
            }
        }

        impl Deref for $kind {
            type Target = Stmt;

            fn deref(&self) -> &Stmt {
                &self.0
            }
        }
    )+ };
}

statement_types! {
    Query: Effect::None;
    LockingQuery: Effect::Locks;
    Command: Effect::Changes { invalidates_token_cache: false };
}

impl Command {
    /// Declares that the command writes a table from which the token cache is filled. The commit of such a command
    /// clears the cache.
    #[must_use]
    pub const fn invalidates_token_cache(mut self) -> Self {
        self.0.effect = Effect::Changes { invalidates_token_cache: true };
        self
    }
}

impl Stmt {
    const fn new(name: &'static str, texts: &[&'static str], effect: Effect) -> Self {
        let (sqlite, postgres) = match *texts {
            [both] => (both, both),
            [sqlite, postgres] => (sqlite, postgres),
            #[expect(clippy::panic, reason = "evaluated at compile time")]
            _ => panic!("a statement is one text for both engines, or `sqlite \"…\" postgres \"…\"`"),
        };
        Self { name, sqlite, postgres, columns: &[], effect, parsed: OnceLock::new() }
    }

    /// Fails if the rows are read into a struct whose columns are not those that the statement declares. Only debug
    /// builds check this, which is sufficient because the tests run every statement.
    pub(in crate::store) fn check_row<T: FromRow>(&self) -> Result<(), StoreError> {
        if cfg!(debug_assertions) && !T::COLUMNS.is_empty() && T::COLUMNS != self.columns {
            let (name, row) = (self.name, std::any::type_name::<T>());
            return Err(StoreError::bug(format!(
                "{name} is read into {row}, which the statement does not declare"
            )));
        }
        Ok(())
    }

    /// Rejects a wrong number of arguments. Also rejects a text with the character U+0000, which PostgreSQL cannot
    /// store.
    pub(in crate::store) fn check_args(&self, args: &[Val<'_>]) -> Result<(), StoreError> {
        let params = self.params()?;
        if args.len() != params {
            return Err(StoreError::bug(format!(
                "{} takes {params} arguments and got {}",
                self.name,
                args.len()
            )));
        }
        for (index, arg) in args.iter().enumerate() {
            if let Val::Text(Some(text)) = arg
                && text.as_bytes().contains(&0)
            {
                return Err(StoreError::bug(format!("{}: ${} contains U+0000", self.name, index + 1)));
            }
        }
        Ok(())
    }

    /// Returns `args`, the arguments of an INSERT, for [`named_args!`](crate::store::named_args). `names` has a name
    /// for each argument. Debug builds panic if an inserted argument does not have the name of a column into which it
    /// is inserted. Any name is accepted for an argument that is not inserted as it is, for example one that only the
    /// `WHERE` of `ON CONFLICT` uses.
    pub(in crate::store) fn named<'a, 'b>(&self, names: &[&str], args: &'a [Val<'b>]) -> &'a [Val<'b>] {
        if cfg!(debug_assertions) {
            for text in [self.sqlite, self.postgres] {
                let inserted = inserted(text);
                for (column, number) in &inserted {
                    let name = names.get(number - 1).copied().unwrap_or_default();
                    debug_assert!(
                        inserted.contains(&(name, *number)),
                        "{} inserts ${number} into the column {column}, but the argument is named {name}",
                        self.name
                    );
                }
            }
        }
        args
    }

    /// Returns n, the number of arguments.
    ///
    /// # Errors
    /// [`StoreError::Bug`] unless each of the two texts has exactly the placeholders `$1` to `$n`.
    pub fn params(&self) -> Result<usize, StoreError> {
        Ok(self.parsed()?.params)
    }

    /// Returns the text for SQLite, with `?n` placeholders.
    pub(in crate::store) fn for_sqlite(&self) -> Result<&str, StoreError> {
        Ok(&self.parsed()?.sqlite)
    }

    /// Returns whether the statement can change rows.
    pub(in crate::store) const fn changes_rows(&self) -> bool {
        matches!(self.effect, Effect::Changes { .. })
    }

    /// Returns whether the commit of the statement clears the token cache.
    pub(in crate::store) const fn clears_token_cache(&self) -> bool {
        matches!(self.effect, Effect::Changes { invalidates_token_cache: true })
    }

    fn parsed(&self) -> Result<&Parsed, StoreError> {
        self.parsed.get_or_init(|| self.parse()).as_ref().map_err(Clone::clone)
    }

    fn parse(&self) -> Result<Parsed, StoreError> {
        let found = placeholders(self.sqlite);
        let params = count(&found);
        if params.is_none() || params != count(&placeholders(self.postgres)) {
            return Err(StoreError::bug(format!(
                "{}: both texts must use the same parameters, numbered from $1 without a gap",
                self.name
            )));
        }
        let mut sqlite = self.sqlite.to_owned();
        for (range, _) in &found {
            sqlite.replace_range(range.start..=range.start, "?");
        }
        Ok(Parsed { sqlite, params: params.unwrap_or_default() })
    }
}

/// Returns n if the placeholders have exactly the numbers 1 to n.
fn count(placeholders: &[(Range<usize>, usize)]) -> Option<usize> {
    let highest = placeholders.iter().map(|(_, number)| *number).max().unwrap_or(0);
    (1..=highest).all(|wanted| placeholders.iter().any(|(_, number)| *number == wanted)).then_some(highest)
}

/// Returns the range and the number n of each `$n` that is outside of strings, quoted names and comments.
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
            // the length of a whole character, so that `at` stays on a character boundary
            _ => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    found
}

/// Returns for each INSERT in a statement the columns that are set to an argument, with the numbers of the arguments.
fn inserted(sql: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    for insert in sql.split("INSERT INTO ").skip(1) {
        let Some((_, list)) = insert.split_once('(') else { continue };
        let Some((columns, mut rest)) = list.split_once(')') else { continue };
        // the lists of `VALUES (…), (…)`, or the list of `SELECT …`
        loop {
            rest = rest.trim_start();
            let Some(list) = ["VALUES (", ", (", "SELECT "].iter().find_map(|start| rest.strip_prefix(start))
            else {
                break;
            };
            let values = elements(list);
            for (column, value) in columns.split(',').zip(&values) {
                let value = value.trim().trim_start_matches("CAST(");
                if let Some(number) = value.strip_prefix('$')
                    && let Ok(number) = number.split(" AS ").next().unwrap_or_default().parse()
                {
                    found.push((column.trim(), number));
                }
            }
            let length = values.iter().map(|value| value.len() + 1).sum::<usize>();
            rest = list.get(length..).unwrap_or_default();
        }
    }
    found
}

/// Returns the elements of the comma-separated list with which a text begins. The list ends at the first `)`, ` FROM `
/// or ` WHERE ` outside of parentheses.
fn elements(list: &str) -> Vec<&str> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    for (at, c) in list.char_indices() {
        let is_end =
            depth == 0 && (c == ')' || [" FROM ", " WHERE "].iter().any(|word| list[at..].starts_with(word)));
        match c {
            _ if is_end => {
                found.push(&list[begin..at]);
                return found;
            }
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&list[begin..]);
    found
}

/// Declares the SQL statements of a module: `statements! { pub BY_ID: Query = "SELECT … WHERE id = $1"; }`
///
/// Each statement becomes a `static NAME` of the declared type. The macro also declares `pub static ALL: &[&Stmt]`, a
/// list of all statements of the module. Tests pass this list to [`prepare_all`](crate::store::prepare_all), which
/// checks the statements against the schema. The types are:
///
/// - [`Query`]: only reads.
/// - [`LockingQuery`]: reads and takes locks (`FOR UPDATE`, advisory locks).
/// - [`Command`]: inserts, updates or deletes, in the statement itself or in one of its `WITH` parts. `NAME: Command
///   invalidates_token_cache` declares that the commit of the command clears the token cache. Every command that writes
///   one of [`TOKEN_CACHE_TABLES`](crate::store::TOKEN_CACHE_TABLES) must declare this.
///
/// A test compares these declarations with the texts.
///
/// `NAME: Query -> User` declares that the rows are read into the struct `User`. A test compares the struct's fields
/// with the names of the statement's columns.
///
/// The right-hand side is one text for both engines, or one text for each engine. A text is a literal or a macro call
/// such as `concat!(…)`. If there are two texts, either both are literals or both are macro calls. For example:
///
/// ```
/// use switchboard::store::statements;
/// statements! {
///     /// Name and state of a user, read into a tuple.
///     pub BY_ID: Query = "SELECT name, state FROM users WHERE id = $1";
///     /// A list argument, `args![&ids[..]]`: an array on PostgreSQL and a JSON text on SQLite.
///     pub RENAME_ALL: Command =
///         sqlite "UPDATE users SET name = $2 WHERE id IN (SELECT value FROM json_each($1))"
///         postgres "UPDATE users SET name = $2 WHERE id = ANY($1)";
/// }
/// assert_eq!(ALL.len(), 2);
/// ```
///
/// To behave the same on both engines, a statement must follow these rules:
///
/// - Write `CAST(SUM(n) AS BIGINT)`, because PostgreSQL sums into NUMERIC.
/// - Use `ON CONFLICT …` instead of relying on a unique violation, because on PostgreSQL an error aborts the
///   transaction.
/// - Add `ORDER BY` whenever order matters, because the engines return rows in different orders.
#[macro_export]
macro_rules! statements {
    // one statement at a time; `[…]` collects the names
    (@next [$($all:ident)*]) => {
        /// Every statement of this module.
        pub static ALL: &[&$crate::store::Stmt] = &[$($all.stmt()),*];
    };
    (@next [$($all:ident)*]
        $(#[$meta:meta])* $vis:vis $name:ident: $kind:ident $($also:ident)? $(-> $row:ty)? =
        sqlite $lite:ident ! $lite_parts:tt postgres $pg:ident ! $pg_parts:tt; $($rest:tt)*) => {
        $crate::statements!(@stmt [$(#[$meta])*] [$vis] $name $kind [$($also)?] [$($row)?]
            [$lite! $lite_parts, $pg! $pg_parts]);
        $crate::statements!(@next [$($all)* $name] $($rest)*);
    };
    (@next [$($all:ident)*]
        $(#[$meta:meta])* $vis:vis $name:ident: $kind:ident $($also:ident)? $(-> $row:ty)? =
        sqlite $lite:literal postgres $pg:literal; $($rest:tt)*) => {
        $crate::statements!(@stmt [$(#[$meta])*] [$vis] $name $kind [$($also)?] [$($row)?] [$lite, $pg]);
        $crate::statements!(@next [$($all)* $name] $($rest)*);
    };
    (@next [$($all:ident)*]
        $(#[$meta:meta])* $vis:vis $name:ident: $kind:ident $($also:ident)? $(-> $row:ty)? =
        $both:ident ! $parts:tt; $($rest:tt)*) => {
        $crate::statements!(@stmt [$(#[$meta])*] [$vis] $name $kind [$($also)?] [$($row)?] [$both! $parts]);
        $crate::statements!(@next [$($all)* $name] $($rest)*);
    };
    (@next [$($all:ident)*]
        $(#[$meta:meta])* $vis:vis $name:ident: $kind:ident $($also:ident)? $(-> $row:ty)? =
        $both:literal; $($rest:tt)*) => {
        $crate::statements!(@stmt [$(#[$meta])*] [$vis] $name $kind [$($also)?] [$($row)?] [$both]);
        $crate::statements!(@next [$($all)* $name] $($rest)*);
    };
    (@stmt [$($meta:tt)*] [$vis:vis] $name:ident $kind:ident [$($also:ident)?] [$($row:ty)?] [$($texts:tt)*]) => {
        $($meta)*
        $vis static $name: $crate::store::$kind =
            $crate::store::$kind::new(concat!(module_path!(), "::", stringify!($name)), &[$($texts)*])
                $(.$also())? $(.of::<$row>())?;
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
            Query::new("t", &["SELECT '$9 it''s', \"$8\", $2 -- $7\n, é, $1 /* $6 */ + $2 WHERE $10x = 1"]);
        let numbers: Vec<_> = placeholders(stmt.sqlite).into_iter().map(|(_, number)| number).collect();
        assert_eq!(numbers, [2, 1, 2, 10]);
        assert!(stmt.params().is_err(), "3 to 9 are missing");
    }

    #[test]
    fn placeholder_numbers_are_kept() {
        let stmt = Query::new("t", &["UPDATE t SET a = $2, b = '$3' WHERE id = $1"]);
        assert_eq!(stmt.for_sqlite().unwrap(), "UPDATE t SET a = ?2, b = '$3' WHERE id = ?1");
        assert_eq!(stmt.params(), Ok(2));
        assert_eq!(Query::new("t", &["SELECT 1"]).params(), Ok(0));
    }

    #[test]
    fn the_columns_of_inserted_arguments_are_found() {
        assert_eq!(inserted("INSERT INTO t (a, b, c) VALUES ($2, NULL, $1)"), [("a", 2), ("c", 1)]);
        assert_eq!(
            inserted("INSERT INTO t (a, b) VALUES ($1, f($9, 1)), ($2, $1) ON CONFLICT (a) DO NOTHING"),
            [("a", 1), ("a", 2), ("b", 1)]
        );
        assert_eq!(
            inserted("INSERT INTO t (a, b) SELECT CAST($1 AS TEXT), $3\n FROM u WHERE x = $2"),
            [("a", 1), ("b", 3)]
        );
        assert_eq!(
            inserted("WITH x AS (INSERT INTO t (a) SELECT $2 WHERE TRUE) INSERT INTO u (b) VALUES ($2)"),
            [("a", 2), ("b", 2)]
        );
    }

    #[test]
    #[should_panic(expected = "inserts $1 into the column a, but the argument is named b")]
    fn swapped_arguments_of_an_insert_are_found() {
        let stmt = Command::new("t", &["INSERT INTO t (a, b) VALUES ($1, $2)"]);
        stmt.named(&["b", "a"], &[Val::Int(None), Val::Int(None)]);
    }

    #[test]
    fn both_texts_must_take_the_same_arguments() {
        assert!(Query::new("t", &["SELECT $1", "SELECT $1, $2"]).params().is_err());
        assert_eq!(Query::new("t", &["SELECT $2, $1", "SELECT $1, $2"]).params(), Ok(2));
    }
}
