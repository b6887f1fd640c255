//! Requests the pages of a list one after another, until the end of the list or a limit.

use std::{fmt::Display, num::NonZeroU64, str::FromStr};

use clap::Args;
use progenitor_client::{Error as ClientError, ResponseValue};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    answer::value,
    client::accept,
    failure::{Failure, Result},
};
use switchboard_clients::admin::types::ErrorEnvelope;

/// Maximum page size of the server.
const MAX_PAGE: u64 = 1000;

/// Paging options.
#[derive(Args, Clone, Debug, Default)]
pub struct PageArgs {
    /// Maximum number of items; all by default
    #[arg(long, value_name = "N")]
    pub limit: Option<NonZeroU64>,
    /// Continue from the `next_cursor` of an earlier list
    #[arg(long, value_name = "CURSOR")]
    pub cursor: Option<String>,
}

/// Fetches the pages of a list, and collects the items. In each page, the items are in the member `member`.
///
/// Returns `{"ok": true, member: [...], "next_cursor": ...}`. At the end of the list, `next_cursor` is null. Otherwise
/// a call with this cursor continues after the last item.
///
/// # Errors
/// [`Failure::Usage`] if the cursor is malformed. Errors of `fetch`. [`Failure::Unreachable`] if the server returns the
/// cursor of the request as the next cursor, because the loop would not end.
pub async fn all<C, T>(
    member: &'static str,
    page: &PageArgs,
    fetch: impl AsyncFn(
        Option<C>,
        Option<NonZeroU64>,
    ) -> std::result::Result<ResponseValue<T>, ClientError<ErrorEnvelope>>,
) -> Result<Value>
where
    C: FromStr<Err: Display>,
    T: Serialize,
{
    let mut items = Vec::new();
    let mut cursor = page.cursor.clone();
    loop {
        let left = page.limit.map_or(MAX_PAGE, |limit| limit.get() - items.len() as u64);
        let parsed = cursor.as_deref().map(str::parse::<C>).transpose();
        let parsed = parsed.map_err(|error| Failure::Usage(format!("the cursor is malformed: {error}")))?;
        let mut answer = value(accept(fetch(parsed, NonZeroU64::new(left.min(MAX_PAGE)))).await?);
        if let Some(found) = answer[member].as_array_mut() {
            items.append(found);
        }
        let next = answer["next_cursor"].as_str().map(str::to_owned);
        let enough = page.limit.is_some_and(|limit| items.len() as u64 >= limit.get());
        if next.is_none() || enough {
            return Ok(json!({"ok": true, member: items, "next_cursor": next}));
        }
        if next == cursor {
            return Err(Failure::Unreachable("the server returns the same page repeatedly".to_owned()));
        }
        cursor = next;
    }
}

#[cfg(test)]
mod tests {
    use reqwest::{StatusCode, header::HeaderMap};

    use super::*;

    /// Lists ten numbers, at most three per page. The cursor is the number with which the next page begins.
    async fn listed(limit: Option<u64>, cursor: Option<&str>) -> Result<Value> {
        let page = PageArgs { limit: limit.and_then(NonZeroU64::new), cursor: cursor.map(str::to_owned) };
        all("numbers", &page, async |cursor: Option<u64>, limit| {
            let from = cursor.unwrap_or(0);
            let to = (from + limit.map_or(3, NonZeroU64::get).min(3)).min(10);
            let numbers: Vec<_> = (from..to).collect();
            let next = (to < 10).then(|| to.to_string());
            let page = json!({"ok": true, "numbers": numbers, "next_cursor": next});
            Ok(ResponseValue::new(page, StatusCode::OK, HeaderMap::new()))
        })
        .await
    }

    #[tokio::test]
    async fn all_pages_are_listed_up_to_the_limit() {
        assert_eq!(listed(None, None).await.unwrap()["numbers"].as_array().unwrap().len(), 10);
        assert_eq!(
            listed(Some(4), None).await.unwrap(),
            json!({"ok": true, "numbers": [0, 1, 2, 3], "next_cursor": "4"})
        );
        assert_eq!(
            listed(None, Some("8")).await.unwrap(),
            json!({"ok": true, "numbers": [8, 9], "next_cursor": null})
        );
        assert!(matches!(listed(None, Some("x")).await, Err(Failure::Usage(_))));
    }
}
