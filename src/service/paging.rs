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

/// A request for a page of a list.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest<'a> {
    /// Maximum number of items, from 1 to 1000.
    pub limit: u32,
    /// [`Page::next_cursor`] of the previous page; `None` for the first page.
    pub cursor: Option<&'a str>,
}

impl World {
    /// Returns the position after which the requested page begins: the position in the cursor, or `first` without a
    /// cursor. The position of an item is the number by which the list is ordered, such as the item's id.
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

    /// Returns a page of a list. `items` are the next items of the list, up to `limit + 1` of them. If there are more
    /// than `limit`, there is a next page (B-316). `position` returns the position of an item. The next page begins
    /// after the position of the last item of this page.
    pub fn page<T>(
        &self,
        scope: &CursorScope<'_>,
        limit: u32,
        mut items: Vec<T>,
        position: impl Fn(&T) -> i64,
    ) -> Page<T> {
        let limit = limit as usize;
        let has_next = items.len() > limit;
        items.truncate(limit);
        let last = items.last().filter(|_| has_next);
        let next_cursor = last.map(|item| cursor::encode(&self.keys.cursors, scope, position(item)));
        Page { items, next_cursor }
    }

    /// Returns a page like [`World::page`], for a list that is scanned for matching items. If the scan stopped before
    /// the end of the list, `scan_end` is the position at which the scan stopped; otherwise it is `None`. If the scan
    /// stopped there with at most `limit` items found, the next page begins after `scan_end`.
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

    /// Returns the position in a cursor of a followed log. A followed log is a log that a client polls for new entries.
    /// The position is that of the last entry that the client has read: the sequence number of the transaction that
    /// wrote the entry ([`log_heads`](crate::store::log_heads)), and the id of the entry. Without a cursor, returns a
    /// position before the first entry.
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

    /// Returns a page of a followed log. The page always has a cursor, even at the end of the log. `last` is the
    /// position of the last entry that was read ([`World::follow_position`]). If no entry was read, `last` is the
    /// position in the cursor of the request.
    pub(in crate::service) fn followed<T>(
        &self,
        scope: &CursorScope<'_>,
        items: Vec<T>,
        last: (i64, i64),
    ) -> Page<T> {
        Page { items, next_cursor: Some(cursor::encode_pair(&self.keys.cursors, scope, last)) }
    }
}
