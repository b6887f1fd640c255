//! The limit of open files and sockets of the process (`RLIMIT_NOFILE`).
//!
//! On most Linux systems every process starts with a soft limit of 1,024, because programs that use `select` cannot
//! handle more. While a process has as many open files and sockets as the soft limit allows, every `accept` fails. So
//! the server raises the soft limit to the hard limit at start ([`raise`]). It also lowers its maximum number of
//! connections to the number that fits within the limit ([`fitting`]).

/// Minimum number of descriptors reserved for databases, files, callbacks, logs and everything else except accepted
/// connections. If an eighth of the limit is more than this number, [`fitting`] reserves the eighth.
const RESERVE: u64 = 256;

/// The highest soft limit that Linux accepts by default (`fs.nr_open`), used if the hard limit is "unlimited".
#[cfg(unix)]
const LINUX_MOST: u64 = 1 << 20;
/// The highest soft limit that macOS accepts (`OPEN_MAX`), used if the hard limit is "unlimited".
#[cfg(unix)]
const MACOS_MOST: u64 = 10_240;

/// Raises the soft limit to the hard limit. If the operating system does not accept the hard limit, raises the soft
/// limit to the system's maximum. Returns the resulting soft limit; `None` if the limits cannot be read.
#[cfg(unix)]
pub fn raise() -> Option<u64> {
    use nix::sys::resource::{Resource, setrlimit};

    let (soft, hard) = limits()?;
    let grants = |wanted: &u64| setrlimit(Resource::RLIMIT_NOFILE, *wanted, hard).is_ok();
    let raised = [hard, LINUX_MOST, MACOS_MOST]
        .into_iter()
        .filter(|wanted| soft < *wanted && *wanted <= hard)
        .find(grants);
    Some(raised.unwrap_or(soft))
}

/// Returns the soft and the hard limit of this process; `None` if they cannot be read.
#[cfg(unix)]
#[must_use]
pub fn limits() -> Option<(u64, u64)> {
    nix::sys::resource::getrlimit(nix::sys::resource::Resource::RLIMIT_NOFILE).ok()
}

/// Unsupported on this platform.
#[cfg(not(unix))]
#[must_use]
pub fn raise() -> Option<u64> {
    None
}

/// Unsupported on this platform.
#[cfg(not(unix))]
#[must_use]
pub fn limits() -> Option<(u64, u64)> {
    None
}

/// Subtracts the reserve for other descriptors from a limit of open files. Returns how many of `wanted` connections fit
/// within the rest; at least one, unless `wanted` is 0.
#[must_use]
pub fn fitting(wanted: usize, limit: u64) -> usize {
    let available = limit.saturating_sub(RESERVE.max(limit / 8)).max(1);
    usize::try_from(available).map_or(wanted, |available| wanted.min(available))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_reserved_for_other_uses() {
        assert_eq!(fitting(10_000, 1_024), 768);
        assert_eq!(fitting(10_000, 4_096), 3_584);
        assert_eq!(fitting(10_000, 524_288), 10_000);
        assert_eq!(fitting(500, 1_024), 500);
        assert_eq!(fitting(10_000, 64), 1, "at least one connection is served");
        assert_eq!(fitting(usize::MAX, u64::MAX), usize::MAX - usize::MAX / 8);
    }

    #[cfg(unix)]
    #[test]
    fn the_soft_limit_is_raised_to_the_hard_limit() {
        let (_, hard) = limits().unwrap();
        let raised = raise().unwrap();
        assert_eq!(limits(), Some((raised, hard)));
        // macOS does not accept a hard limit of more than `OPEN_MAX`, such as "unlimited", as the soft limit
        let least = if cfg!(target_os = "macos") { hard.min(MACOS_MOST) } else { hard };
        assert!((least..=hard).contains(&raised), "the soft limit is {raised}, the hard limit {hard}");
    }
}
