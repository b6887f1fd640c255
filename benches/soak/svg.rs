//! Draws small graphs as SVG, in the colour scheme of the reader's browser.

use std::fmt::Write;

/// The line of one engine in a graph.
pub struct Line<'a> {
    /// The index of the engine in the argument `engines` of [`picture`].
    pub engine: usize,
    /// Pairs of the time in seconds and the value.
    pub points: &'a [(f64, f64)],
}

/// One graph.
pub struct Panel<'a> {
    pub title: String,
    pub lines: Vec<Line<'a>>,
    /// The number by which values are divided, so that the scale has the unit in the title: 1e6 for bytes in MB.
    pub unit: f64,
}

const WIDTH: f64 = 264.0;
const HEIGHT: f64 = 104.0;
/// The margins around the plot of a graph.
const LEFT: f64 = 44.0;
const TOP: f64 = 24.0;
const RIGHT: f64 = 10.0;
const BOTTOM: f64 = 18.0;
/// The height of the heading above the graphs.
const HEAD: f64 = 34.0;

const STYLE: &str = "\
text{font:11px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.small{font-size:9px;fill:#57606a}\
.head{font-size:13px;font-weight:600}.back{fill:#fff}.axis{stroke:#8c959f;stroke-width:.6}\
.grid{stroke:#d0d7de;stroke-width:.5}.warm{fill:#afb8c1;fill-opacity:.25}\
.l0,.l1{fill:none;stroke-width:1.4;stroke-linejoin:round}.l0{stroke:#0969da}.l1{stroke:#bc4c00}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.back{fill:#0d1117}.axis{stroke:#6e7681}\
.grid{stroke:#30363d}.warm{fill:#6e7681;fill-opacity:.25}.l0{stroke:#58a6ff}.l1{stroke:#ffa657}}";

/// Draws graphs in rows of `columns` graphs. `length` is the duration of the run, and `warm_up` the duration of its
/// first part, which is shaded; both are in seconds.
pub fn picture(
    title: &str,
    engines: &[&str],
    panels: &[Panel<'_>],
    columns: usize,
    length: f64,
    warm_up: f64,
) -> String {
    let rows = panels.len().div_ceil(columns);
    let (width, height) = (columns as f64 * WIDTH, HEAD + rows as f64 * HEIGHT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\"><style>{STYLE}</style><rect class=\"back\" width=\"{width}\" height=\"{height}\"/>\
         <text class=\"head\" x=\"12\" y=\"21\">{title}</text>"
    );
    for (number, engine) in engines.iter().enumerate() {
        let x = width - 190.0 + number as f64 * 80.0;
        let _ = write!(
            out,
            "<path class=\"l{number}\" d=\"M{x} 17h18\"/><text x=\"{}\" y=\"21\">{engine}</text>",
            x + 22.0
        );
    }
    for (number, panel) in panels.iter().enumerate() {
        let (x, y) = ((number % columns) as f64 * WIDTH, HEAD + (number / columns) as f64 * HEIGHT);
        let _ = write!(out, "<g transform=\"translate({x} {y})\">{}</g>", graph(panel, length, warm_up));
    }
    out + "</svg>\n"
}

fn graph(panel: &Panel<'_>, length: f64, warm_up: f64) -> String {
    let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    let values = panel.lines.iter().flat_map(|line| line.points).map(|(_, value)| value / panel.unit);
    let top = scale(values.fold(0.0, f64::max));
    let x = |at: f64| LEFT + at / length * width;
    let y = |value: f64| TOP + height * (1.0 - value / panel.unit / top);
    let mut out = format!(
        "<text class=\"title\" x=\"{LEFT}\" y=\"15\">{}</text><rect class=\"warm\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{:.1}\" \
         height=\"{height}\"/>",
        panel.title,
        x(warm_up) - LEFT
    );
    for step in 0..=2 {
        let at = TOP + height * (1.0 - f64::from(step) / 2.0);
        let class = if step == 0 { "axis" } else { "grid" };
        let _ = write!(
            out,
            "<path class=\"{class}\" d=\"M{LEFT} {at}h{width}\"/><text class=\"small\" text-anchor=\"end\" x=\"{}\" y=\"{}\">{}</text>",
            LEFT - 4.0,
            at + 3.0,
            label(top * f64::from(step) / 2.0)
        );
    }
    for minute in labelled_minutes(length / 60.0) {
        let _ = write!(
            out,
            "<text class=\"small\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{}\">{minute}</text>",
            x(minute * 60.0),
            HEIGHT - 6.0
        );
    }
    for line in &panel.lines {
        let mut path = String::new();
        for (number, (at, value)) in line.points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if number == 0 { 'M' } else { 'L' }, x(*at), y(*value));
        }
        let _ = write!(out, "<path class=\"l{}\" d=\"{path}\"/>", line.engine);
    }
    out
}

/// Returns the upper end of a scale for values up to `most`: the smallest number that is not below `most` and is 1, 2,
/// 3, 4, 5, 6 or 8 times a power of ten.
fn scale(most: f64) -> f64 {
    let power = 10_f64.powf(most.max(1e-9).log10().floor());
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|step| step * power)
        .find(|end| *end >= most)
        .unwrap_or(most)
}

fn label(value: f64) -> String {
    match value {
        _ if value >= 1e6 => format!("{}M", value / 1e6),
        _ if value >= 1e4 => format!("{}k", value / 1e3),
        _ => format!("{}", (value * 1e3).round() / 1e3),
    }
}

/// Returns the minutes with a label on the time axis of a graph that covers this many minutes.
fn labelled_minutes(minutes: f64) -> Vec<f64> {
    let step = if minutes >= 30.0 { 10.0 } else { (minutes / 5.0).ceil().max(1.0) };
    (0..).map(|n| f64::from(n) * step).take_while(|at| *at <= minutes).collect()
}
