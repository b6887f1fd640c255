//! Lists: follows the server's cursors to the end, or as far as asked.

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
use crate::generated::clients::admin::types::ErrorEnvelope;

/// The most the server gives at once.
const LARGEST_PAGE: u64 = 1000;

/// How much of a list.
#[derive(Args, Clone, Debug, Default)]
pub struct PageArgs {
    /// List no more than this many; everything if left out
    #[arg(long, value_name = "N")]
    pub limit: Option<NonZeroU64>,
    /// Go on from the `next_cursor` of an earlier list
    #[arg(long, value_name = "CURSOR")]
    pub cursor: Option<String>,
}

/// Gathers the items under `member` from page after page.
///
/// Answers `{"ok": true, member: [...], "next_cursor": ...}`; the cursor is null unless the list was cut.
///
/// # Errors
/// Those of `fetch`; [`Failure::Usage`] for a cursor that cannot be one.
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
        let left = page.limit.map_or(LARGEST_PAGE, |limit| limit.get() - items.len() as u64);
        let parsed = cursor.as_deref().map(str::parse::<C>).transpose();
        let parsed = parsed.map_err(|error| Failure::Usage(format!("the cursor cannot be one: {error}")))?;
        let mut answer = value(accept(fetch(parsed, NonZeroU64::new(left.min(LARGEST_PAGE)))).await?);
        if let Some(found) = answer[member].as_array_mut() {
            items.append(found);
        }
        let next = answer["next_cursor"].as_str().map(str::to_owned);
        let enough = page.limit.is_some_and(|limit| items.len() as u64 >= limit.get());
        if next.is_none() || enough {
            return Ok(json!({"ok": true, member: items, "next_cursor": next}));
        }
        if next == cursor {
            return Err(Failure::Unreachable("the server gives the same page again and again".to_owned()));
        }
        cursor = next;
    }
}

#[cfg(test)]
mod tests {
    use reqwest::{StatusCode, header::HeaderMap};

    use super::*;

    /// Ten numbers, at most three a page; the cursor is the number to go on from.
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
    async fn every_page_or_as_much_as_asked() {
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
