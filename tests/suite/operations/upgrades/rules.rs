//! The rules for the statements of a migration. Only statements that are known to be safe are accepted, so a new kind
//! of statement needs a rule here and a migration in `examples`. Most messages of the rules say what to write instead.

use std::collections::{BTreeMap, BTreeSet};

use sqlparser::ast::{
    AlterColumnOperation, AlterTableOperation, ColumnDef, ColumnOption, CreateIndex, Expr, FromTable, Ident,
    ObjectName, ObjectType, SetExpr, Statement as Ast, TableConstraint, TableFactor, TableObject,
};
use sqlparser::dialect::{Dialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;
use switchboard::store::{
    Engine, Header, Migration, MigrationStep, Migrations, Statement, StatementKind, statements_of,
};

use crate::support::both_engines;

/// The newest migration of each release. The last release must still work after all later migrations.
const RELEASED: &str = include_str!("../../../../migrations/released.txt");

/// Checks every migration except the first, which only ever runs on an empty database.
#[both_engines]
async fn migrations_follow_the_rules(engine: Engine) {
    let last = *released().last().expect("a release");
    let migrations = Migrations::of(engine);
    for migration in migrations.iter().filter(|migration| migration.version > 1) {
        let before = migrations.clone().up_to(migration.version - 1);
        let wrong = violations(engine, &before, migration, last);
        assert!(wrong.is_empty(), "{:04}_{}: {wrong:#?}", migration.version, migration.name);
    }
}

/// Returns the version of the newest migration of each release, oldest release first. If there is no release yet,
/// returns the version of the first migration.
pub fn released() -> Vec<i64> {
    let lines = RELEASED.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let versions = lines.map(|line| {
        let version = line.split_whitespace().nth(1).expect("a release and a version");
        version.parse().expect("a version is a number")
    });
    let versions: Vec<_> = versions.collect();
    if versions.is_empty() { vec![1] } else { versions }
}

/// Returns a message for each violation of a rule by `migration`. `before` has all earlier migrations. `released` is
/// the version of the newest migration of the last release. This release must still work after `migration`.
pub fn violations(engine: Engine, before: &Migrations, migration: &Migration, released: i64) -> Vec<String> {
    let header = match Header::parse(&migration.sql) {
        Ok(header) => header,
        Err(error) => return vec![error.to_string()],
    };
    let mut checker = Checker {
        engine,
        online: !migration.in_transaction,
        step: header.step,
        created: BTreeSet::new(),
        locked: BTreeSet::new(),
        not_null_checks: BTreeMap::new(),
        wrong: Vec::new(),
    };
    checker.check_header(header, before, migration.version, released);
    for statement in statements_of(&migration.sql) {
        checker.check(&statement);
    }
    if !checker.online && checker.locked.len() > 1 {
        let tables: Vec<_> = checker.locked.iter().cloned().collect();
        checker.refuse(&format!(
            "one transaction locks several tables ({}): write a migration for each table, or begin with \
             `-- no-transaction`",
            tables.join(", ")
        ));
    }
    checker.wrong
}

/// Checks the statements of one migration in order, and collects the messages.
struct Checker {
    engine: Engine,
    /// Whether the migration runs without a transaction (`-- no-transaction`).
    online: bool,
    step: MigrationStep,
    /// Tables that this migration creates, which no other session uses yet.
    created: BTreeSet<String>,
    /// Existing tables on which this migration blocks writes.
    locked: BTreeSet<String>,
    /// The constraints `CHECK (column IS NOT NULL)` that this migration adds. The key is the table and the name of the
    /// constraint; the value is the column, and whether the migration has validated the constraint.
    not_null_checks: BTreeMap<(String, String), (String, bool)>,
    /// The messages about violated rules.
    wrong: Vec<String>,
}

impl Checker {
    fn refuse(&mut self, why: &str) {
        self.wrong.push(why.to_owned());
    }

    fn refuse_if(&mut self, wrong: bool, why: &str) {
        if wrong {
            self.refuse(why);
        }
    }

    fn is_postgres(&self) -> bool {
        self.engine == Engine::Postgres
    }

    fn check_header(&mut self, header: Header, before: &Migrations, version: i64, released: i64) {
        let Header { step, oldest_compatible: oldest } = header;
        let floor = before.iter().map(|migration| migration.header.oldest_compatible).max().unwrap_or(0);
        self.refuse_if(
            oldest < floor,
            "an earlier migration has a higher oldest compatible version, and it must not decrease",
        );
        self.refuse_if(
            step == MigrationStep::Expand && oldest > floor,
            "an expansion must keep the oldest compatible version",
        );
        self.refuse_if(oldest >= version, "the version before this migration must work on the new schema");
        self.refuse_if(
            oldest > released,
            "the last release must work on the new schema: remove one release later what it still uses",
        );
        self.refuse_if(
            self.online && !self.is_postgres(),
            "SQLite always migrates in a transaction: leave out `-- no-transaction`",
        );
    }

    fn check(&mut self, statement: &Statement) {
        if self.is_postgres() && statement.kind == StatementKind::Batched && !self.online {
            self.refuse(
                "batches in one transaction hold their locks until the end of the transaction: begin with \
                 `-- no-transaction`",
            );
        }
        // the parser does not support `DROP INDEX CONCURRENTLY`
        let upper = statement.sql.to_uppercase();
        let drops_concurrently = upper.starts_with("DROP INDEX CONCURRENTLY ");
        let sql = match drops_concurrently {
            true => format!("DROP INDEX {}", &statement.sql["DROP INDEX CONCURRENTLY ".len()..]),
            false => statement.sql.clone(),
        };
        let dialect: &dyn Dialect =
            if self.is_postgres() { &PostgreSqlDialect {} } else { &SQLiteDialect {} };
        let parsed = Parser::parse_sql(dialect, &sql);
        let Ok([parsed]) = parsed.as_deref() else {
            self.unknown(&statement.sql);
            return;
        };
        match parsed {
            Ast::CreateTable(table) => {
                self.refuse_if(
                    table.query.is_some(),
                    "CREATE TABLE AS reads a table in one statement: create the new table, and fill it \
                     in batches",
                );
                self.repeatable(table.if_not_exists, "CREATE TABLE IF NOT EXISTS");
                self.created.insert(name(&table.name));
            }
            Ast::CreateVirtualTable { name: table, .. } if !self.is_postgres() => {
                self.created.insert(name(table));
            }
            Ast::CreateIndex(index) => self.check_new_index(index),
            Ast::Drop { object_type: ObjectType::Index, if_exists, .. } => {
                let safe = !self.is_postgres() || (drops_concurrently && *if_exists && self.online);
                self.refuse_if(
                    !safe,
                    "DROP INDEX blocks writes: write DROP INDEX CONCURRENTLY IF EXISTS, after \
                     `-- no-transaction`",
                );
            }
            Ast::Drop { object_type: ObjectType::Table, names, .. } => {
                let existing = names.iter().map(name).filter(|table| !self.created.contains(table));
                let existing: Vec<_> = existing.collect();
                if !existing.is_empty() {
                    self.needs_contract("DROP TABLE");
                }
                self.locked.extend(existing);
            }
            Ast::AlterTable(alter) => self.check_alter(&name(&alter.name), &alter.operations),
            Ast::Update(update) => {
                self.check_change(&of_factor(&update.table.relation), &upper, &statement.kind);
            }
            Ast::Delete(delete) => {
                let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
                let table = from.first().map(|table| of_factor(&table.relation)).unwrap_or_default();
                self.check_change(&table, &upper, &statement.kind);
            }
            Ast::Insert(insert) => {
                let gives_values =
                    insert.source.as_ref().is_none_or(|query| matches!(&*query.body, SetExpr::Values(_)));
                if !gives_values {
                    if !matches!(insert.table, TableObject::TableName(_)) {
                        return self.unknown(&sql);
                    }
                    // the rows may come from a large table, so they must be inserted in batches even into a new table
                    self.check_batches(&upper, &statement.kind);
                }
            }
            _ => self.unknown(&statement.sql),
        }
    }

    fn unknown(&mut self, sql: &str) {
        let beginning: String = sql.split_whitespace().take(6).collect::<Vec<_>>().join(" ");
        self.refuse(&format!(
            "`{beginning} …` is not known to be safe: leave it out, or add a rule and an example to tests/suite/operations/upgrades"
        ));
    }

    fn needs_contract(&mut self, what: &str) {
        if self.step != MigrationStep::Contract {
            self.refuse(&format!(
                "{what} breaks the previous version: write it in a `-- contract` migration, one release after the last release that depends on the old schema"
            ));
        }
    }

    /// Rejects a statement that fails if it runs again. In a migration with a transaction, accepts every statement. A
    /// migration without a transaction starts again at its beginning after an interruption.
    fn repeatable(&mut self, is_repeatable: bool, form: &str) {
        if self.online && !is_repeatable {
            self.refuse(&format!("a migration without a transaction may run twice: write {form}"));
        }
    }

    fn check_new_index(&mut self, index: &CreateIndex) {
        if self.created.contains(&name(&index.table_name)) {
            return self.repeatable(index.if_not_exists, "CREATE INDEX IF NOT EXISTS");
        }
        if index.unique {
            self.needs_contract("a unique index on an existing table");
        }
        let safe = index.concurrently && index.if_not_exists && index.name.is_some() && self.online;
        self.refuse_if(
            self.is_postgres() && !safe,
            "CREATE INDEX blocks writes: write CREATE INDEX CONCURRENTLY IF NOT EXISTS, after \
             `-- no-transaction`",
        );
    }

    /// Checks an UPDATE or a DELETE.
    fn check_change(&mut self, table: &str, upper: &str, kind: &StatementKind) {
        if !self.created.contains(table) {
            self.check_batches(upper, kind);
        }
    }

    /// Checks that a change of many rows is made in batches.
    fn check_batches(&mut self, upper: &str, kind: &StatementKind) {
        let in_batches = *kind == StatementKind::Batched && upper.contains(" LIMIT ");
        self.refuse_if(
            self.is_postgres() && !in_batches,
            "a statement that changes many rows locks the rows until the statement ends: write a statement with a \
             LIMIT, after a line `-- batched`",
        );
    }

    fn check_alter(&mut self, table: &str, operations: &[AlterTableOperation]) {
        if self.created.contains(table) {
            return;
        }
        for operation in operations {
            match operation {
                AlterTableOperation::AddColumn { if_not_exists, column_def, .. } => {
                    self.check_new_column(column_def);
                    if self.is_postgres() {
                        self.repeatable(*if_not_exists, "ADD COLUMN IF NOT EXISTS");
                    }
                }
                AlterTableOperation::DropColumn { if_exists, .. } => {
                    self.needs_contract("DROP COLUMN");
                    self.repeatable(*if_exists, "DROP COLUMN IF EXISTS");
                }
                AlterTableOperation::AddConstraint { constraint, not_valid } => {
                    self.check_new_constraint(constraint, *not_valid, operations);
                    if let Some((constraint, column)) = not_null_check(constraint) {
                        self.not_null_checks.insert((table.to_owned(), constraint), (column, false));
                    }
                }
                AlterTableOperation::DropConstraint { if_exists, name, .. } => {
                    self.repeatable(*if_exists, "DROP CONSTRAINT IF EXISTS");
                    self.not_null_checks.remove(&(table.to_owned(), lower(name)));
                }
                AlterTableOperation::ValidateConstraint { name } => {
                    self.refuse_if(
                        !self.online,
                        "VALIDATE CONSTRAINT in the transaction that adds the constraint blocks writes: begin with `-- no-transaction`",
                    );
                    let check = self.not_null_checks.get_mut(&(table.to_owned(), lower(name)));
                    if let Some((_, is_validated)) = check {
                        *is_validated = true;
                    }
                    continue;
                }
                AlterTableOperation::AlterColumn { op, column_name } => {
                    self.check_column_change(table, &lower(column_name), op);
                }
                AlterTableOperation::SetOptionsParens { .. } => continue,
                AlterTableOperation::RenameColumn { .. }
                | AlterTableOperation::RenameTable { .. }
                | AlterTableOperation::RenameConstraint { .. }
                    if self.is_postgres() =>
                {
                    self.refuse(
                        "renaming breaks the previous version: add a column, table or constraint with the new name, and drop the old one a release later",
                    );
                }
                AlterTableOperation::RenameColumn { .. } | AlterTableOperation::RenameTable { .. } => {
                    self.needs_contract("renaming");
                }
                other => self.unknown(&format!("ALTER TABLE {table} {other}")),
            }
            self.locked.insert(table.to_owned());
        }
    }

    fn check_new_column(&mut self, column: &ColumnDef) {
        let options = || column.options.iter().map(|option| &option.option);
        let default = options().find_map(|option| match option {
            ColumnOption::Default(value) => Some(value),
            _ => None,
        });
        self.refuse_if(
            default.is_some_and(|value| !is_constant(value)),
            "a computed default rewrites the table: add the column without a default, and fill the column \
             in batches",
        );
        self.refuse_if(
            options().any(|option| matches!(option, ColumnOption::NotNull)) && default.is_none(),
            "a new column that is NOT NULL needs a constant default: the previous version does not write it",
        );
        let known = |option: &ColumnOption| {
            matches!(option, ColumnOption::Default(_) | ColumnOption::NotNull | ColumnOption::Null)
        };
        self.refuse_if(
            !options().all(known),
            "a constraint of a new column reads the table: add the column first, then the constraint as NOT VALID",
        );
    }

    fn check_new_constraint(
        &mut self,
        constraint: &TableConstraint,
        not_valid: bool,
        operations: &[AlterTableOperation],
    ) {
        let name = match constraint {
            TableConstraint::Check(check) => check.name.as_ref(),
            TableConstraint::ForeignKey(key) => key.name.as_ref(),
            _ => {
                return self
                    .refuse("creating the index of a key blocks writes: create a unique index CONCURRENTLY");
            }
        };
        self.needs_contract("a constraint on an existing table");
        self.refuse_if(
            !not_valid,
            "a constraint reads the table and blocks writes: add it NOT VALID, then VALIDATE",
        );
        let is_dropped = operations.iter().any(|operation| {
            matches!(operation, AlterTableOperation::DropConstraint { if_exists: true, name: dropped, .. } if Some(dropped) == name)
        });
        self.repeatable(is_dropped, "DROP CONSTRAINT IF EXISTS name, ADD CONSTRAINT name … in one statement");
    }

    fn check_column_change(&mut self, table: &str, column: &str, change: &AlterColumnOperation) {
        match change {
            AlterColumnOperation::SetNotNull => {
                self.needs_contract("SET NOT NULL");
                let is_checked = self.not_null_checks.iter().any(|((of, _), (checked, is_validated))| {
                    of == table && checked == column && *is_validated
                });
                self.refuse_if(
                    !is_checked,
                    "SET NOT NULL reads the table and blocks writes: first validate CHECK (column IS NOT NULL)",
                );
            }
            AlterColumnOperation::DropNotNull => self.needs_contract("DROP NOT NULL"),
            AlterColumnOperation::DropDefault => self.needs_contract("DROP DEFAULT"),
            AlterColumnOperation::SetDefault { value } => {
                self.refuse_if(!is_constant(value), "a default must be a constant");
            }
            AlterColumnOperation::AddGenerated { .. } => {
                self.unknown(&format!("ALTER TABLE {table} {change}"));
            }
            AlterColumnOperation::SetDataType { .. } => {
                self.refuse(
                    "a new type rewrites the table: add a column, fill it in batches, and drop the old column \
                     a release later",
                );
            }
        }
    }
}

fn is_constant(value: &Expr) -> bool {
    match value {
        Expr::Value(_) => true,
        Expr::UnaryOp { expr, .. } => is_constant(expr),
        _ => false,
    }
}

/// Returns the name and the column of a constraint `CHECK (column IS NOT NULL)`; `None` for any other constraint.
fn not_null_check(constraint: &TableConstraint) -> Option<(String, String)> {
    let TableConstraint::Check(check) = constraint else { return None };
    let Expr::IsNotNull(checked) = &*check.expr else { return None };
    let Expr::Identifier(column) = &**checked else { return None };
    Some((lower(check.name.as_ref()?), lower(column)))
}

fn lower(name: &Ident) -> String {
    name.to_string().to_lowercase()
}

fn name(name: &ObjectName) -> String {
    name.to_string().to_lowercase()
}

fn of_factor(factor: &TableFactor) -> String {
    match factor {
        TableFactor::Table { name: table, .. } => name(table),
        other => other.to_string(),
    }
}
