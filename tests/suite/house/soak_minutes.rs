//! The averages per minute that the soak benchmark computes. The arguments of `averages` are the samples, the length of
//! the warm-up and the length of a period. All times are in seconds.

#[path = "../../../benches/soak/minutes.rs"]
mod minutes;

use minutes::averages;

/// Returns a sample for every five seconds of the range `from..to`, as pairs of time and value. The value is the number
/// of seconds since the minute began, from 0 to 55. So the average of a whole minute is 27.5.
fn sampled(from: u32, to: u32) -> Vec<(f64, f64)> {
    (from..to).step_by(5).map(|at| (f64::from(at) + 0.01, f64::from(at % 60))).collect()
}

#[test]
fn whole_minutes_are_averaged() {
    let whole = [(60.0, 27.5), (120.0, 27.5)];
    assert_eq!(averages(&sampled(0, 180), 60.0, 60.0), whole);
    assert_eq!(averages(&sampled(60, 180), 0.0, 60.0), whole);
    let rare: Vec<_> = (0..9).map(|turn| (f64::from(turn) * 20.0 + 0.3, f64::from(turn))).collect();
    assert_eq!(averages(&rare, 60.0, 60.0), [(60.0, 4.0), (120.0, 7.0)]);
}

#[test]
fn incomplete_minutes_are_left_out() {
    let middle = [(60.0, 27.5)];
    assert_eq!(
        averages(&sampled(0, 125), 45.0, 60.0),
        middle,
        "only the minute from 60 to 120 is complete and begins after the warm-up"
    );
    assert_eq!(averages(&sampled(0, 165), 1.0, 60.0), middle, "a last minute that lacks samples is left out");
    assert!(averages(&sampled(0, 55), 30.0, 60.0).is_empty());
    assert!(averages(&[], 0.0, 60.0).is_empty());
}
