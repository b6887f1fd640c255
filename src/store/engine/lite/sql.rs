//! Implements [`ReadSql`] and [`Sql`] for a SQLite connection. Operations run their statements through these traits.

use super::connection::Lite;
use crate::store::engine::error::{Error, Result, StoreError};
use crate::store::engine::lock_key::LockKey;
use crate::store::engine::notices::Notice;
use crate::store::engine::op::{Engine, ReadSql, Sql};
use crate::store::engine::stmt::{Command, LockingQuery, Query, Stmt};
use crate::store::engine::values::{FromRow, Row, Val};

impl Lite {
    fn first_row<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Option<T>> {
        self.with(stmt, args, |prepared| {
            stmt.check_row::<T>()?;
            let mut rows = prepared.raw_query();
            let Some(row) = rows.next()? else { return Ok(None) };
            let first = T::from_row(&Row::Lite(row))?;
            // For a command with RETURNING, SQLite reports a violated foreign key only at the end of the statement. So
            // this loop runs the command to its end.
            while stmt.changes_rows() && rows.next()?.is_some() {}
            Ok(Some(first))
        })
    }

    fn all_rows<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Vec<T>> {
        self.with(stmt, args, |prepared| {
            stmt.check_row::<T>()?;
            let mut rows = prepared.raw_query();
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(T::from_row(&Row::Lite(row))?);
            }
            Ok(all)
        })
    }
}

// These functions are asynchronous only by their signatures. Each future is ready when it is first polled.
impl ReadSql for Lite {
    fn engine(&self) -> Engine {
        Engine::Sqlite
    }

    async fn opt<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<Option<T>> {
        self.first_row(query, args)
    }

    async fn one<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<T> {
        self.first_row(query, args)?.ok_or_else(|| no_row(query))
    }

    async fn all<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<Vec<T>> {
        self.all_rows(query, args)
    }
}

impl Sql for Lite {
    fn notify(&mut self, notice: Notice) {
        self.notices.add(notice);
    }

    fn holds(&self, _: LockKey) -> bool {
        true
    }

    fn enter_queue(&mut self, _: &[LockKey]) -> Result<()> {
        Ok(())
    }

    fn has_changed(&self) -> bool {
        self.changes() > self.changes_before
    }

    async fn exec(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<u64> {
        self.with(command, args, |prepared| Ok(prepared.raw_execute()? as u64))
    }

    async fn exec_opt<T: FromRow>(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> Result<Option<T>> {
        self.first_row(command, args)
    }

    async fn exec_one<T: FromRow>(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<T> {
        self.first_row(command, args)?.ok_or_else(|| no_row(command))
    }

    async fn exec_all<T: FromRow>(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<Vec<T>> {
        self.all_rows(command, args)
    }

    async fn lock(&mut self, query: &'static LockingQuery, args: &[Val<'_>]) -> Result<()> {
        self.with(query, args, |prepared| {
            let mut rows = prepared.raw_query();
            while rows.next()?.is_some() {}
            Ok(())
        })
    }

    async fn lock_opt<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> Result<Option<T>> {
        self.first_row(query, args)
    }

    async fn lock_all<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> Result<Vec<T>> {
        self.all_rows(query, args)
    }
}

fn no_row(stmt: &Stmt) -> Error {
    StoreError::bug(format!("{}: no row", stmt.name)).into()
}
