//! Writes the output of the benchmark: the samples as CSV, two pictures with graphs, and a report in Markdown.

use std::{fmt::Write, fs, sync::Arc, time::Duration};

use super::{
    options::Options,
    sampler::{Measure, Points, Samples},
    site::Site,
    stats::End,
    svg::{self, Line, Panel},
    tables::{Growth, growth},
    verdict::{Rule, Verdict},
};

pub fn write(
    options: &Options,
    samples: &Samples,
    sites: &[Arc<Site>],
    verdicts: &[Verdict],
    lasted: Duration,
) {
    let folder = &options.folder;
    fs::write(folder.join("samples.csv"), csv(samples)).unwrap();
    let engines: Vec<&'static str> = sites.iter().map(|site| site.engine).collect();
    let draw = |title: &str, panels: &[Panel<'_>]| {
        let warm_up = options.warm_up.as_secs_f64();
        svg::picture(title, &engines, panels, 3, options.length.as_secs_f64(), warm_up)
    };
    let sums = sums(samples, &engines);
    let panels = figures(samples, &sums, &engines);
    fs::write(folder.join("soak-process.svg"), draw("Resources of the server", &panels)).unwrap();
    let panels = bounded_tables(samples, &engines);
    fs::write(folder.join("soak-tables.svg"), draw("Rows of tables that must not grow", &panels)).unwrap();

    let report = report(sites, verdicts, lasted);
    fs::write(folder.join("report.md"), &report).unwrap();
    println!("{report}");
}

fn csv(samples: &Samples) -> String {
    let mut out = String::from("engine,measure,seconds,value\n");
    for ((engine, measure), points) in samples {
        for (at, value) in points {
            let _ = writeln!(out, "{engine},\"{}\",{at:.1},{value}", name(measure));
        }
    }
    out
}

fn name(measure: &Measure) -> String {
    match measure {
        Measure::Figure(name) => name.clone(),
        Measure::Rows(table) => format!("rows of {table}"),
        Measure::Bytes(table) => format!("bytes of {table}"),
    }
}

/// The data of three graphs: the rows of all bounded tables together, the rows of all tables of history together, and
/// the bytes per row of history ([`Growth`]). Each graph has a title, and one line for each engine: the engine's index
/// in `engines`, and the points of the line.
struct Sums(Vec<(&'static str, Vec<(usize, Points)>)>);

fn sums(samples: &Samples, engines: &[&'static str]) -> Sums {
    let sum = |engine: &'static str, wanted: Growth, is_rows: bool| -> Points {
        let mut sum = Points::new();
        for ((of, measure), points) in samples {
            let table = match measure {
                Measure::Rows(table) if is_rows => table,
                Measure::Bytes(table) if !is_rows => table,
                _ => continue,
            };
            // the row counts of SQLite's internal tables of the full-text index have no meaning
            if *of != engine || growth(table) != wanted || (is_rows && table.starts_with("message_index_")) {
                continue;
            }
            for (at, value) in points {
                match sum.iter_mut().find(|(known, _)| known == at) {
                    Some((_, sum)) => *sum += value,
                    None => sum.push((*at, *value)),
                }
            }
        }
        sum.sort_by(|one, other| one.0.total_cmp(&other.0));
        sum
    };
    let each = |make: &dyn Fn(&'static str) -> Points| -> Vec<(usize, Points)> {
        engines.iter().enumerate().map(|(number, engine)| (number, make(engine))).collect()
    };
    let size = |engine: &'static str| -> Points {
        let (rows, bytes) = (sum(engine, Growth::History, true), sum(engine, Growth::History, false));
        rows.iter().zip(&bytes).map(|((at, rows), (_, bytes))| (*at, bytes / rows.max(1.0))).collect()
    };
    Sums(vec![
        ("Rows of bounded tables", each(&|engine| sum(engine, Growth::Bounded, true))),
        ("Rows of history", each(&|engine| sum(engine, Growth::History, true))),
        ("Bytes per row of history", each(&size)),
    ])
}

fn figures<'a>(samples: &'a Samples, sums: &'a Sums, engines: &[&'static str]) -> Vec<Panel<'a>> {
    let wanted = [
        ("Private memory, MB", "private memory", 1e6),
        ("Descriptors", "descriptors", 1.0),
        ("Threads", "threads", 1.0),
        ("Keys of rate limits", "rate limit keys", 1.0),
        ("Series of metrics", "metric series", 1.0),
        ("Database, MB", "database bytes", 1e6),
        ("Write-ahead log, MB", "write-ahead log bytes", 1e6),
        ("Free pages", "free pages", 1.0),
        ("PostgreSQL connections", "PostgreSQL connections", 1.0),
    ];
    let mut panels = Vec::new();
    for (title, figure, unit) in wanted {
        let measure = Measure::Figure(figure.to_owned());
        let lines = lines(samples, engines, &measure);
        if !lines.is_empty() {
            panels.push(Panel { title: title.to_owned(), lines, unit });
        }
    }
    for (title, of_engines) in &sums.0 {
        let lines = of_engines.iter().map(|(engine, points)| Line { engine: *engine, points }).collect();
        panels.push(Panel { title: (*title).to_owned(), lines, unit: 1.0 });
    }
    panels
}

/// Returns one graph for each bounded table, with the table's number of rows. The graphs are in descending order of the
/// maximum number of rows. A table with fewer than ten rows in every sample is left out.
fn bounded_tables<'a>(samples: &'a Samples, engines: &[&'static str]) -> Vec<Panel<'a>> {
    let mut tables: Vec<(&str, f64)> = Vec::new();
    for ((_, measure), points) in samples {
        let Measure::Rows(table) = measure else { continue };
        if growth(table) != Growth::Bounded {
            continue;
        }
        let most = points.iter().map(|(_, value)| *value).fold(0.0, f64::max);
        match tables.iter_mut().find(|(known, _)| *known == table.as_str()) {
            Some((_, known)) => *known = known.max(most),
            None => tables.push((table, most)),
        }
    }
    tables.retain(|(_, most)| *most >= 10.0);
    tables.sort_by(|one, other| other.1.total_cmp(&one.1));
    tables
        .into_iter()
        .map(|(table, _)| {
            let lines = lines(samples, engines, &Measure::Rows(table.to_owned()));
            Panel { title: table.to_owned(), lines, unit: 1.0 }
        })
        .collect()
}

fn lines<'a>(samples: &'a Samples, engines: &[&'static str], measure: &Measure) -> Vec<Line<'a>> {
    let of = |(number, engine): (usize, &&'static str)| {
        let points = samples.get(&(*engine, measure.clone()))?;
        Some(Line { engine: number, points })
    };
    engines.iter().enumerate().filter_map(of).collect()
}

fn report(sites: &[Arc<Site>], verdicts: &[Verdict], lasted: Duration) -> String {
    let mut out = format!(
        "{:.0} minutes on {} cores{}\n",
        lasted.as_secs_f64() / 60.0,
        std::thread::available_parallelism().map_or(0, usize::from),
        if cfg!(debug_assertions) { ", unoptimized build" } else { "" },
    );
    for site in sites {
        let (events, failed) = site.receiver.counts();
        let per_second = site.stats.served() as f64 / lasted.as_secs_f64();
        let _ = writeln!(
            out,
            "{}: {:.0} requests per second; {events} delivery attempts, {failed} of them failed on purpose",
            site.engine, per_second
        );
    }
    for site in sites {
        let _ = writeln!(
            out,
            "\n| {}: operation | succeeded | refused (4xx) | failed (5xx, no response) | p50 ms | p99 ms |",
            site.engine
        );
        let _ = writeln!(out, "|-|-:|-:|-:|-:|-:|");
        site.stats.each(|name, operation| {
            let count = |is: &dyn Fn(&End) -> bool| -> u64 {
                operation.ends.iter().filter(|(end, _)| is(end)).map(|(_, count)| count).sum()
            };
            let at = |share: f64| {
                let last = operation.latencies.len().saturating_sub(1);
                let index = (operation.latencies.len() as f64 * share) as usize;
                operation.latencies.get(index.min(last)).map_or(0.0, |micros| f64::from(*micros) / 1e3)
            };
            let _ = writeln!(
                out,
                "| {name} | {} | {} | {} | {:.1} | {:.1} |",
                count(&|end| *end == End::Ok),
                count(&|end| matches!(end, End::Refused(_))),
                count(&|end| !end.is_available()),
                at(0.5),
                at(0.99),
            );
        });
        let _ = writeln!(out, "\nRequests on {} that did not succeed:\n", site.engine);
        site.stats.each(|name, operation| {
            for (end, count) in operation.ends.iter().filter(|(end, _)| **end != End::Ok) {
                let _ = writeln!(out, "- {name}: {end:?} {count}");
            }
        });
    }
    out + &verdict_table(verdicts)
}

fn verdict_table(verdicts: &[Verdict]) -> String {
    let mut out = String::from(
        "\n| Measure | Engine | rule | first | last | growth | allowed | passed |\n|-|-|-|-:|-:|-:|-:|-|\n",
    );
    for verdict in verdicts {
        let Verdict { engine, what, rule, first, last, growth, allowed, passed } = verdict;
        let number = |value: &f64| match rule {
            Rule::Flat => format!("{value:.0}"),
            _ => format!("{value:.2}"),
        };
        let passed = if *passed { "yes" } else { "**no**" };
        let _ = writeln!(
            out,
            "| {what} | {engine} | {rule} | {} | {} | {} | {} | {passed} |",
            number(first),
            number(last),
            number(growth),
            number(allowed),
        );
    }
    let failed = verdicts.iter().filter(|verdict| !verdict.passed).count();
    let _ = match failed {
        0 => writeln!(out, "\nVerdict: no measure grows more than allowed ({} measures).", verdicts.len()),
        _ => writeln!(out, "\nVerdict: {failed} of {} measures grow more than allowed.", verdicts.len()),
    };
    out
}
