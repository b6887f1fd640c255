//! Limits how many forms with files the server receives from an account at the same time.
//! [`OpenUploads`](crate::service::files::open_uploads::OpenUploads) does not limit these forms: it counts a file only
//! while the server receives the file's content. It does not count a form that sends only fields, or that is between
//! two files.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;

/// Maximum number of forms with files that this process receives from an account at the same time.
const MAX_FORMS: usize = 8;

/// Number of forms that are being received, by account. An account without open forms has no entry.
#[derive(Clone, Debug, Default)]
pub(in crate::pages) struct OpenForms(Arc<Mutex<HashMap<i64, usize>>>);

/// A form that is being received. The form is counted until this value is dropped.
#[derive(Debug)]
pub(in crate::pages) struct OpenForm {
    forms: OpenForms,
    account: i64,
}

impl OpenForms {
    /// Counts a form of an account. Returns `None` if the account has reached the limit.
    pub(in crate::pages) fn open(&self, account: i64) -> Option<OpenForm> {
        let mut counts = self.0.lock();
        let own = counts.entry(account).or_default();
        if *own >= MAX_FORMS {
            return None;
        }
        *own += 1;
        Some(OpenForm { forms: self.clone(), account })
    }
}

impl Drop for OpenForm {
    fn drop(&mut self) {
        let mut counts = self.forms.0.lock();
        if let Some(own) = counts.get_mut(&self.account) {
            *own -= 1;
            if *own == 0 {
                counts.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_sends_a_limited_number_of_forms_at_once() {
        let forms = OpenForms::default();
        let mut open: Vec<OpenForm> = (0..MAX_FORMS).filter_map(|_| forms.open(7)).collect();
        assert_eq!(open.len(), MAX_FORMS);
        assert!(forms.open(7).is_none(), "an account has at most `MAX_FORMS` open forms");
        assert!(forms.open(8).is_some(), "another account has its own limit");
        open.pop();
        assert!(forms.open(7).is_some(), "a form that has ended is not counted");
        drop(open);
        assert!(forms.0.lock().is_empty(), "an account without open forms has no entry");
    }
}
