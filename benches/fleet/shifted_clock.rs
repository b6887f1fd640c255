//! A wall clock with an offset: a library that overrides `clock_gettime` of the C library (LD_PRELOAD).
//!
//! Not part of the crate: `clock.rs` compiles this file separately. The environment variable `CLOCK_SHIFT` names a file
//! with a number of seconds (an `i64` in native byte order). The library adds this number to the wall clock. It does
//! not change the monotonic clock.

use std::os::fd::AsRawFd;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

#[repr(C)]
pub struct Time {
    seconds: i64,
    nanoseconds: i64,
}

const CLOCK_REALTIME: i32 = 0;
const CLOCK_REALTIME_COARSE: i32 = 5;
const PROT_READ: i32 = 1;
const MAP_SHARED: i32 = 1;
#[cfg(target_arch = "x86_64")]
const CLOCK_GETTIME: i64 = 228;
#[cfg(target_arch = "aarch64")]
const CLOCK_GETTIME: i64 = 113;

unsafe extern "C" {
    fn syscall(number: i64, ...) -> i64;
    fn mmap(address: *mut u8, length: usize, protection: i32, flags: i32, file: i32, offset: i64) -> *mut u8;
}

/// Returns the number of seconds in the mapped file, or 0 if no file could be mapped.
fn shift() -> i64 {
    static SHIFT: OnceLock<Option<&'static AtomicI64>> = OnceLock::new();
    let shift = SHIFT.get_or_init(|| {
        let file = std::fs::File::open(std::env::var_os("CLOCK_SHIFT")?).ok()?;
        // SAFETY: a new mapping of eight readable bytes, which is never unmapped
        let page = unsafe { mmap(ptr::null_mut(), 8, PROT_READ, MAP_SHARED, file.as_raw_fd(), 0) };
        // SAFETY: the page is aligned and mapped, and only ever read as an atomic number
        (page as isize != -1).then(|| unsafe { &*page.cast::<AtomicI64>() })
    });
    shift.map_or(0, |shift| shift.load(Ordering::Relaxed))
}

/// # Safety
///
/// As for the function of the C library: `time` points to a `timespec` that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(clock: i32, time: *mut Time) -> i32 {
    // SAFETY: the system call behind the C library's function, with the caller's arguments
    let done = unsafe { syscall(CLOCK_GETTIME, clock, time) };
    if done == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
        // SAFETY: the system call has just written to `time`
        unsafe { (*time).seconds += shift() };
    }
    i32::try_from(done).unwrap_or(-1)
}
