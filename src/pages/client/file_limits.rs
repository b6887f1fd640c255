//! The limits of the files of a form, and the texts that explain a rejection. The form that posts a message contains
//! both, so that the script can check the files before it sends them. Without this check, the person would not see why
//! the server rejects a form that is too large: a browser does not show a response that arrives before it has sent the
//! whole form.

use std::time::Duration;

use crate::{
    contract::BodyLimits,
    pages::{error_page::sentence, multipart::MAX_FIELD_BYTES},
    service::files::uploads::MAX_FILE_BYTES,
};

/// Maximum number of files of a form.
pub(super) const MAX_FILES: usize = 200;
/// Maximum size in bytes of all files of a form together.
const MAX_FILES_BYTES: usize = 1 << 30;
/// Maximum time for receiving a form, in minutes.
const MAX_MINUTES: u64 = 10;

/// Limits for receiving a whole form. The size includes its files, its other fields and the headers of its parts.
pub(super) const LIMITS: BodyLimits =
    BodyLimits { bytes: MAX_FILES_BYTES + 2 * MAX_FIELD_BYTES, time: Duration::from_secs(MAX_MINUTES * 60) };

/// Returns the reason for rejecting more than [`MAX_FILES`] files.
pub(super) fn too_many() -> String {
    format!("a message can have at most {MAX_FILES} files; send them in several messages")
}

/// Returns the reason for rejecting the file `name`: adds the name to the reason `why`.
pub(super) fn about(name: &str, why: &str) -> String {
    format!("the file “{name}” was not sent: {why}")
}

/// Returns the reason for rejecting a file that is larger than [`MAX_FILE_BYTES`], for the parameter `why` of
/// [`about`].
pub(super) fn too_large() -> String {
    format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20)
}

/// The limits in the form that posts a message, and a sentence for each rejection.
pub(super) struct FileLimits {
    pub(super) max_files: usize,
    pub(super) max_file_bytes: usize,
    pub(super) max_bytes: usize,
    pub(super) max_seconds: u64,
    pub(super) too_many: String,
    /// Contains `{name}` in place of the name of the file.
    pub(super) too_large: String,
    pub(super) too_large_together: String,
    pub(super) too_slow: String,
}

impl FileLimits {
    pub(super) fn new() -> Self {
        let gibibytes = MAX_FILES_BYTES >> 30;
        Self {
            max_files: MAX_FILES,
            max_file_bytes: MAX_FILE_BYTES,
            max_bytes: MAX_FILES_BYTES,
            max_seconds: LIMITS.time.as_secs(),
            too_many: sentence(&too_many()),
            too_large: sentence(&about("{name}", &too_large())),
            too_large_together: format!(
                "The files of a message can have at most {gibibytes} GiB together. Send them in several \
                 messages."
            ),
            too_slow: format!(
                "Sending took longer than {MAX_MINUTES} minutes, which is the limit. Send fewer or smaller \
                 files, in several messages."
            ),
        }
    }
}
