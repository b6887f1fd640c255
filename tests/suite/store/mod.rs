//! The store, on SQLite and on PostgreSQL. A machine without PostgreSQL runs only the tests on SQLite.

mod drains;
mod event_plans;
mod event_volume;
mod log_heads;
mod many_rows;
mod migrations;
mod on_postgres;
mod on_sqlite;
mod one_owner;
mod plans;
pub mod tenants;
mod transactions;
mod values;
mod visibility;

use switchboard::store::{Db, Op, ReadOp, ReadSql, Result, Sql, args, statements};

statements! {
    pub MAKE: Command =
        sqlite "CREATE TABLE item (id BIGINT PRIMARY KEY, name TEXT UNIQUE, data BLOB, flag BIGINT, made_at BIGINT)"
        postgres "CREATE TABLE item (id BIGINT PRIMARY KEY, name TEXT UNIQUE, data BYTEA, flag BIGINT, made_at BIGINT)";
    pub ADD: Command = "INSERT INTO item (name, id) VALUES ($2, $1)";
    pub RENAME: Command = "UPDATE item SET name = $2 WHERE id = $1";
    pub NAME: Query = "SELECT name FROM item WHERE id = $1";
    pub COUNT: Query = "SELECT COUNT(*) FROM item";
    pub IDS: Query = "SELECT id FROM item ORDER BY id";
}

/// Creates the table `item`, which the tests of this folder use.
struct Make;

impl Op for Make {
    const NAME: &'static str = "make";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&MAKE, args![]).await.map(drop)
    }
}

/// Adds an item with this id and name.
struct Add(i64, &'static str);

impl Op for Add {
    const NAME: &'static str = "add";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(&ADD, args![self.0, self.1]).await
    }
}

/// Returns the name of the item with this id.
struct Name(i64);

impl ReadOp for Name {
    const NAME: &'static str = "name";
    type Out = Option<String>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<String>> {
        c.opt(&NAME, args![self.0]).await
    }
}

/// Returns the number of items.
struct Count;

impl ReadOp for Count {
    const NAME: &'static str = "count";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&COUNT, args![]).await
    }
}

/// Returns the ids of all items.
struct Ids;

impl ReadOp for Ids {
    const NAME: &'static str = "ids";
    type Out = Vec<i64>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<i64>> {
        c.all(&IDS, args![]).await
    }
}

/// Opens a database, and creates the table `item`.
async fn open(database: &crate::support::database::TestDatabase) -> Db {
    let db = database.open().await;
    db.write(Make).await.unwrap();
    db
}
