//! Checks whether the user who runs `switchboard doctor` owns a file or a folder of the server. The command must not
//! open a path that another user owns, because the command could leave files behind that the server cannot write.

use std::{io::ErrorKind, os::unix::fs::MetadataExt as _, path::Path};

use super::Finding;

/// Returns a finding if the command must not open a path. The finding is `missing` if the path does not exist. It is
/// another finding if this user cannot examine the path or does not own it. Returns `None` if this user owns the path,
/// or if the id of this user cannot be determined.
pub fn refusal(check: &'static str, path: &Path, missing: Finding) -> Option<Finding> {
    match path.metadata() {
        Ok(about) => {
            let ours = std::fs::metadata("/proc/self").ok()?.uid();
            of_another_user(check, path, ours, about.uid(), about.mode())
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Some(missing),
        // the path can exist, for example in a folder that only the server's user can open
        Err(error) => Some(
            Finding::failure(check, format!("{}: {error}", path.display()))
                .remedy("run the command as the server's user; or correct the path"),
        ),
    }
}

/// Returns a finding if the owner of a path is not the user of this process. `ours` is the id of this user.
fn of_another_user(check: &'static str, path: &Path, ours: u32, owner: u32, mode: u32) -> Option<Finding> {
    if owner == ours {
        return None;
    }
    let name = path.display();
    // A user who neither owns the path nor is root can write to it only if the group or everybody has the write
    // permission. Without this permission, a server that runs as this user would fail.
    let finding = if ours == 0 || mode & 0o022 != 0 {
        Finding::warning(check, format!("{name} belongs to the user {owner}, not to this user: not checked"))
            .remedy(
                "run the command as the server's user; as another user it could leave files behind that the server \
                 cannot write",
            )
    } else {
        let found = format!("{name} belongs to the user {owner}, and this user, {ours}, cannot write to it");
        Finding::failure(check, found).remedy(
            "run the command as the server's user; if you did, make this user the owner of the path (chown -R), for \
             example after a `restore` that root ran",
        )
    };
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::CheckState;

    #[test]
    fn a_path_of_another_user_is_a_failure_if_this_user_cannot_write_to_it() {
        const ROOT: u32 = 0;
        for (ours, owner, mode, state) in [
            (1000, 1000, 0o100_600, None),
            (ROOT, 1000, 0o100_600, Some(CheckState::Warning)),
            (1000, ROOT, 0o100_600, Some(CheckState::Failure)),
            (1000, ROOT, 0o040_755, Some(CheckState::Failure)),
            (1000, ROOT, 0o040_775, Some(CheckState::Warning)),
            (1000, 1001, 0o100_666, Some(CheckState::Warning)),
        ] {
            let found = of_another_user("store", Path::new("/srv/data.db"), ours, owner, mode);
            let found = found.map(|finding| finding.state);
            assert_eq!(found, state, "user {ours}, owner {owner}, mode {mode:o}");
        }
    }
}
