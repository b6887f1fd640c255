//! Decides whether a measure, such as the memory of the server or the rows of a table, grew more than its rule allows
//! after the warm-up.
//!
//! The benchmark repeats the same advances of the server's test clock every minute, or less often while the requests
//! that advance the clock are slow. The number of expiring rows rises and falls with these advances. So a measure is
//! averaged over each minute, and a line is fitted through the averages after the warm-up. The growth is the rise of
//! the line from the first minute to the last.
//!
//! The number of rows in a table of history ([`Growth::History`]) grows with the traffic. So these tables have other
//! rules: neither the bytes per row nor the new rows per request may grow. To compare new rows per request, the time
//! after the warm-up is divided into two halves.

use std::{fmt, time::Duration};

use super::{
    calendar::PERIOD,
    minutes::averages,
    sampler::{Measure, Points, REQUESTS, Samples},
    tables::{Growth, growth},
};

/// The allowed growth: `share` times the mean of the measure, plus `constant` in the unit of the measure. Without
/// `constant`, small measures that vary would fail. The rules [`Rule::RowSize`] and [`Rule::Pace`] compare two ratios.
/// Under these rules, `share` is multiplied by the first ratio instead of the mean.
#[derive(Clone, Copy)]
struct Tolerance {
    share: f64,
    constant: f64,
}

const MEMORY: Tolerance = Tolerance { share: 0.05, constant: 2e6 };
const COUNTS: Tolerance = Tolerance { share: 0.05, constant: 5.0 };
const ROWS: Tolerance = Tolerance { share: 0.10, constant: 20.0 };
/// Larger than [`ROWS`], because PostgreSQL reuses the space of dead rows only after a vacuum.
const BYTES: Tolerance = Tolerance { share: 0.20, constant: 512e3 };
/// The allowed growth of the bytes per row of history. The sizes vary, because tables grow by whole pages.
const ROW_SIZE: Tolerance = Tolerance { share: 0.15, constant: 0.0 };
/// The allowed growth of the new rows of history per request, from the first half to the second half.
const PACE: Tolerance = Tolerance { share: 0.25, constant: 0.0 };
/// A table of history that has fewer bytes than this in the first minute after the warm-up has no rule for the bytes
/// per row. Tables grow by whole pages of 4 or 8 KB, so in a small table the bytes per row vary too much.
const SMALL: f64 = 512e3;
/// A table of history that has fewer new rows than this after the warm-up has no rule for the rows per request.
const FEW: f64 = 500.0;

/// The result for one measure.
#[derive(Clone, Debug)]
pub struct Verdict {
    pub engine: &'static str,
    pub what: String,
    pub rule: Rule,
    /// The value of the fitted line at the beginning ([`Rule::Flat`], [`Rule::RowSize`]), or the value of the first
    /// half ([`Rule::Pace`]). NaN if the measure has fewer than two averages.
    pub first: f64,
    /// The value of the fitted line at the end, or the value of the second half.
    pub last: f64,
    pub growth: f64,
    pub allowed: f64,
    /// Whether the measure grew by at most `allowed`; false if the growth is unknown.
    pub passed: bool,
}

/// The rule for a measure: what must not grow by more than its [`Tolerance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The measure itself.
    Flat,
    /// The bytes per row of history.
    RowSize,
    /// The new rows of history per 1,000 requests.
    Pace,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flat => "flat",
            Self::RowSize => "bytes per row",
            Self::Pace => "rows per 1,000 requests",
        })
    }
}

/// Returns the verdict on each measure that has a rule.
pub fn evaluate(samples: &Samples, warm_up: Duration) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for ((engine, measure), points) in samples {
        let engine = *engine;
        let points = minutes(points, warm_up);
        let flat = |what: String, tolerance| Verdict::flat(engine, what, &points, tolerance);
        let verdict = match measure {
            Measure::Figure(name) => match &**name {
                "private memory" => Some(flat(name.clone(), MEMORY)),
                "descriptors" | "threads" | "PostgreSQL connections" | "metric series" => {
                    Some(flat(name.clone(), COUNTS))
                }
                "rate limit keys" => Some(flat(name.clone(), ROWS)),
                "write-ahead log bytes" => Some(flat(name.clone(), BYTES)),
                _ => None,
            },
            Measure::Rows(table) if growth(table) == Growth::Bounded => {
                Some(flat(format!("rows of {table}"), ROWS))
            }
            Measure::Bytes(table) if growth(table) == Growth::Bounded => {
                Some(flat(format!("bytes of {table}"), BYTES))
            }
            Measure::Rows(table) => pace(samples, engine, table, warm_up),
            Measure::Bytes(table) => row_size(samples, engine, table, warm_up),
        };
        verdicts.extend(verdict);
    }
    verdicts.sort_by(|one, other| {
        (one.rule, &one.what, one.engine).cmp(&(other.rule, &other.what, other.engine))
    });
    verdicts
}

impl Verdict {
    fn flat(engine: &'static str, what: String, points: &[(f64, f64)], tolerance: Tolerance) -> Self {
        let (first, last) = line(points);
        let mean = points.iter().map(|(_, value)| value).sum::<f64>() / points.len().max(1) as f64;
        let allowed = mean * tolerance.share + tolerance.constant;
        let growth = last - first;
        Self { engine, what, rule: Rule::Flat, first, last, growth, allowed, passed: growth <= allowed }
    }

    fn ratio(
        engine: &'static str,
        what: String,
        rule: Rule,
        first: f64,
        last: f64,
        tolerance: Tolerance,
    ) -> Self {
        let allowed = first * tolerance.share + tolerance.constant;
        let growth = last - first;
        Self { engine, what, rule, first, last, growth, allowed, passed: growth <= allowed }
    }
}

/// Compares the bytes per row of history at the beginning with those at the end. Returns `None` for a table below
/// [`SMALL`].
fn row_size(samples: &Samples, engine: &'static str, table: &str, warm_up: Duration) -> Option<Verdict> {
    let rows = minutes(samples.get(&(engine, Measure::Rows(table.to_owned())))?, warm_up);
    let bytes = minutes(samples.get(&(engine, Measure::Bytes(table.to_owned())))?, warm_up);
    let sizes: Points = rows
        .iter()
        .zip(&bytes)
        .filter(|((_, rows), _)| *rows > 0.0)
        .map(|((at, rows), (_, bytes))| (*at, bytes / rows))
        .collect();
    let is_large = bytes.first().is_some_and(|(_, bytes)| *bytes >= SMALL);
    let (first, last) = line(&sizes);
    is_large.then(|| Verdict::ratio(engine, table.to_owned(), Rule::RowSize, first, last, ROW_SIZE))
}

/// Compares the new rows of history per 1,000 requests in the first half with those in the second half. Returns `None`
/// if the table has fewer than [`FEW`] new rows, or if fewer than three whole minutes follow the warm-up.
fn pace(samples: &Samples, engine: &'static str, table: &str, warm_up: Duration) -> Option<Verdict> {
    let rows = minutes(samples.get(&(engine, Measure::Rows(table.to_owned())))?, warm_up);
    let requests = minutes(samples.get(&(engine, Measure::Figure(REQUESTS.to_owned())))?, warm_up);
    let count = rows.len().min(requests.len());
    if count < 3 || rows[count - 1].1 - rows[0].1 < FEW {
        return None;
    }
    let per_request = |from: usize, to: usize| {
        (rows[to].1 - rows[from].1) * 1e3 / (requests[to].1 - requests[from].1).max(1.0)
    };
    let (first, last) = (per_request(0, count / 2), per_request(count / 2, count - 1));
    Some(Verdict::ratio(engine, table.to_owned(), Rule::Pace, first, last, PACE))
}

/// Returns the averages of each whole minute after the warm-up.
fn minutes(points: &[(f64, f64)], warm_up: Duration) -> Points {
    averages(points, warm_up.as_secs_f64(), PERIOD.as_secs_f64())
}

/// Fits a line through the points (least squares) and returns its values at the first and the last point. Returns NaN
/// for fewer than two points, because they show no growth.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let [begin, .., end] = points else { return (f64::NAN, f64::NAN) };
    let at = points.iter().map(|(at, _)| at).sum::<f64>() / count;
    let mean = points.iter().map(|(_, value)| value).sum::<f64>() / count;
    let spread: f64 = points.iter().map(|(x, _)| (x - at).powi(2)).sum();
    let slope = match spread > 0.0 {
        true => points.iter().map(|(x, value)| (x - at) * (value - mean)).sum::<f64>() / spread,
        false => 0.0,
    };
    (mean + slope * (begin.0 - at), mean + slope * (end.0 - at))
}
