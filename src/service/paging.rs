//! Pages of lists, and their cursors.

use super::{World, refuse};
use crate::{
    domain::{
        cursor::{self, CursorScope},
        refusal::Code,
    },
    store::Result,
};

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// `None` on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Converts the items.
    #[must_use]
    pub fn map<U>(self, view: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(view).collect(), next_cursor: self.next_cursor }
    }
}

/// Limit and cursor of a page.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest<'a> {
    /// 1 to 1000.
    pub limit: u32,
    pub cursor: Option<&'a str>,
}

impl World {
    /// Decodes a cursor to a position. Returns `first` if there is no cursor.
    ///
    /// # Errors
    /// `invalid_cursor` if the text is not a cursor of this list, filter and caller (B-318…B-321).
    pub fn position(&self, scope: &CursorScope<'_>, cursor: Option<&str>, first: i64) -> Result<i64> {
        match cursor {
            None => Ok(first),
            Some(text) => match cursor::decode(&self.keys.cursors, scope, text) {
                Some(position) => Ok(position),
                None => refuse(Code::InvalidCursor),
            },
        }
    }

    /// Returns a page of a list. `items` are the items that were read, at most `limit + 1`. If there are more than
    /// `limit`, there is a next page (B-316). `position` returns the position of an item; the next page begins after
    /// the position of the last item.
    pub fn page<T>(
        &self,
        scope: &CursorScope<'_>,
        limit: u32,
        mut items: Vec<T>,
        position: impl Fn(&T) -> i64,
    ) -> Page<T> {
        let limit = limit as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let last = items.last().filter(|_| more);
        let next_cursor = last.map(|item| cursor::encode(&self.keys.cursors, scope, position(item)));
        Page { items, next_cursor }
    }

    /// Returns a page like [`World::page`]. If the scan of the list stopped before the end of the list, `scan_end` is
    /// the position at which it stopped. If there are at most `limit` items and `scan_end` is present, the next page
    /// begins after `scan_end`.
    pub(in crate::service) fn page_to<T>(
        &self,
        scope: &CursorScope<'_>,
        limit: u32,
        items: Vec<T>,
        position: impl Fn(&T) -> i64,
        scan_end: Option<i64>,
    ) -> Page<T> {
        let mut page = self.page(scope, limit, items, position);
        if page.next_cursor.is_none() {
            page.next_cursor = scan_end.map(|scan_end| cursor::encode(&self.keys.cursors, scope, scan_end));
        }
        page
    }

    /// Decodes the cursor of a log that the caller follows, from which it reads new entries again and again. Returns
    /// the log number and id of the last entry that the caller has read. Returns the start of the log if there is no
    /// cursor.
    ///
    /// # Errors
    /// Errors of [`World::position`].
    pub(in crate::service) fn follow_position(
        &self,
        scope: &CursorScope<'_>,
        cursor: Option<&str>,
    ) -> Result<(i64, i64)> {
        match cursor {
            None => Ok((-1, 0)),
            Some(text) => match cursor::decode_pair(&self.keys.cursors, scope, text) {
                Some(position) => Ok(position),
                None => refuse(Code::InvalidCursor),
            },
        }
    }

    /// Returns a page of a followed log. Such a page always has a cursor, even at the end of the log. `last` is the log
    /// number and id of the page's last entry. For an empty page, `last` is that of the entry before the page.
    pub(in crate::service) fn followed<T>(
        &self,
        scope: &CursorScope<'_>,
        items: Vec<T>,
        last: (i64, i64),
    ) -> Page<T> {
        Page { items, next_cursor: Some(cursor::encode_pair(&self.keys.cursors, scope, last)) }
    }
}
