//! Averages of samples over whole periods. The soak benchmark uses periods of a minute. The tests of this module are in
//! `tests/suite/house/soak_minutes.rs`, because the benchmark has no test harness (`harness = false`).

/// Returns the average of each whole period after the warm-up, with the time at which the period begins. All times are
/// in seconds. `points` are pairs of time and value, in ascending order of time.
///
/// Periods that begin during the warm-up are omitted. If the samples end before the last period does, the last period
/// is omitted as well. The traffic varies within a period, in the same way in each period. So only averages of whole
/// periods are comparable.
pub fn averages(points: &[(f64, f64)], warm_up: f64, period: f64) -> Vec<(f64, f64)> {
    let mut sums: Vec<(f64, f64, f64)> = Vec::new();
    for (at, value) in points {
        let begin = (at / period).floor() * period;
        if begin < warm_up {
            continue;
        }
        match sums.last_mut().filter(|(last, _, _)| *last == begin) {
            Some((_, sum, count)) => (*sum, *count) = (*sum + value, *count + 1.0),
            None => sums.push((begin, *value, 1.0)),
        }
    }
    if let (Some((begin, _, _)), [.., (before, _), (last, _)]) = (sums.last(), points) {
        // The samples have equal intervals, but a sample may be late by half an interval. If a next sample that is late
        // by half an interval would still belong to the last period, the last period is incomplete.
        let next = last + 1.5 * (last - before);
        if next < begin + period {
            sums.pop();
        }
    }
    sums.into_iter().map(|(begin, sum, count)| (begin, sum / count)).collect()
}
