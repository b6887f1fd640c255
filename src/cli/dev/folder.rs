//! The sandbox's folder: its contents, their permissions, and the removal of the sandbox's own files.
//!
//! A marker file identifies the folder. A folder that has contents but no marker is rejected, so that a wrong `--dir`
//! deletes nothing. A lock on the marker ensures that only one `switchboard dev` at a time uses the folder.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    cli::{
        answer::value,
        failure::{Failure, Result},
        sandbox::DEMO,
        seed::Demo,
    },
    platform::secrets::Secret,
};

const MARKER: &str = ".switchboard-dev";
const MARKER_TEXT: &str = "\
This folder is a sandbox made by `switchboard dev`. `switchboard dev --fresh` deletes the data of the sandbox.
";
const DATABASE: &str = "switchboard.db";
const FILES: &str = "files";
const KEY: &str = "operator-key";
const SECRETS_KEY: &str = "secrets-key";
/// The files and folders that [`SandboxFolder::clear`] removes: all that `switchboard dev` may create, except the
/// marker and the lock file of the database (`switchboard.db.lock`).
const OURS: [&str; 11] = [
    DATABASE,
    "switchboard.db-wal",
    "switchboard.db-shm",
    "switchboard.db-journal",
    FILES,
    KEY,
    SECRETS_KEY,
    DEMO,
    // temporary files that remain after a crash in `write_private`
    "operator-key.new",
    "secrets-key.new",
    "demo.json.new",
];

/// The URLs of a sandbox. They have no trailing slash.
#[derive(Clone, Copy, Debug)]
pub struct DevUrls<'a> {
    /// The base URL.
    pub base: &'a str,
    /// The URL of the assistant server.
    pub mcp: &'a str,
    /// The URL at which commands on this machine call the sandbox.
    pub local: &'a str,
}

/// A sandbox's folder, which this process has locked.
#[derive(Debug)]
pub struct SandboxFolder {
    /// The absolute path.
    path: PathBuf,
    /// The marker file. Its lock is released when the file is closed.
    _marker: File,
}

impl SandboxFolder {
    /// Creates or opens the folder, and locks it.
    ///
    /// # Errors
    /// [`Failure::Local`] if the folder cannot be created or written, if it has contents but no marker, or if another
    /// process uses it.
    pub fn open(dir: &Path) -> Result<Self> {
        let path = std::path::absolute(dir).map_err(|error| Failure::file("find", dir, &error))?;
        create_private_folder(&path).map_err(|error| Failure::file("create the folder", &path, &error))?;
        let marker = path.join(MARKER);
        if !marker.exists() && !is_empty(&path)? {
            return Err(Failure::Local(format!(
                "{} is not empty and was not made by `switchboard dev`: name another folder with --dir",
                path.display()
            )));
        }
        let failed = |error: io::Error| Failure::file("write", &marker, &error);
        let mut file = OpenOptions::new().create(true).append(true).open(&marker).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::Local(format!(
                    "another `switchboard dev` is running in {}: stop it, or name another folder with --dir",
                    path.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        if file.metadata().map_err(failed)?.len() == 0 {
            file.write_all(MARKER_TEXT.as_bytes()).map_err(failed)?;
        }
        Ok(Self { path, _marker: file })
    }

    /// Returns the path of the database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.path.join(DATABASE)
    }

    /// Returns the folder of the file contents.
    #[must_use]
    pub fn files(&self) -> PathBuf {
        self.path.join(FILES)
    }

    /// Removes the files and folders that `switchboard dev` creates, except the marker and the lock file of the
    /// database.
    ///
    /// # Errors
    /// [`Failure::Local`] if a file or folder cannot be removed.
    pub fn clear(&self) -> Result<()> {
        for path in OURS.map(|name| self.path.join(name)) {
            let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
            let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            match removed {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Failure::file("remove", &path, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the operator key. If the folder has no operator key, creates it with `make`.
    ///
    /// # Errors
    /// [`Failure::Local`] if the file of the key cannot be read or written.
    pub fn operator_key(&self, make: impl FnOnce() -> String) -> Result<Secret> {
        self.key(KEY, make)
    }

    /// Returns the key that encrypts secrets in the database. If the folder has no such key, creates it with `make`.
    ///
    /// # Errors
    /// [`Failure::Local`] if the file of the key cannot be read or written.
    pub fn secrets_key(&self, make: impl FnOnce() -> String) -> Result<Secret> {
        self.key(SECRETS_KEY, make)
    }

    fn key(&self, name: &str, make: impl FnOnce() -> String) -> Result<Secret> {
        let path = self.path.join(name);
        match fs::read_to_string(&path) {
            Ok(key) => Ok(Secret::new(key.trim_end())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let key = make();
                write_private(&path, format!("{key}\n").as_bytes())?;
                Ok(Secret::new(key))
            }
            Err(error) => Err(Failure::file("read", &path, &error)),
        }
    }

    /// Returns the saved demo data; `None` if no earlier start has saved demo data.
    ///
    /// # Errors
    /// [`Failure::Local`] if the file cannot be read or parsed.
    pub fn demo(&self) -> Result<Option<Demo>> {
        let path = self.path.join(DEMO);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| Failure::file("read", &path, &error))?,
        };
        serde_json::from_str(&text).map(Some).map_err(|error| {
            let path = path.display();
            Failure::Local(format!(
                "{path} was not written by this version ({error}): start over with --fresh"
            ))
        })
    }

    /// Saves the demo data as `demo.json`, together with the sandbox's URLs, operator key and folder. Returns the saved
    /// document.
    ///
    /// # Errors
    /// [`Failure::Local`] if the file cannot be written.
    pub fn write_demo(&self, demo: &Demo, urls: DevUrls<'_>, key: &Secret) -> Result<Value> {
        let mut document = value(demo);
        document["base_url"] = json!(urls.base);
        document["mcp_url"] = json!(urls.mcp);
        document["local_url"] = json!(urls.local);
        document["docs_url"] = json!(format!("{}/docs", urls.base));
        document["operator_key"] = json!(key.expose());
        document["folder"] = json!(self.path);
        let text = serde_json::to_vec_pretty(&document)
            .map_err(|error| Failure::Local(format!("the demo data cannot be written: {error}")))?;
        write_private(&self.path.join(DEMO), &text)?;
        Ok(document)
    }
}

fn is_empty(path: &Path) -> Result<bool> {
    let mut entries = fs::read_dir(path).map_err(|error| Failure::file("read", path, &error))?;
    Ok(entries.next().is_none())
}

#[cfg(unix)]
fn create_private_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Writes a file that only this user can read. Replaces an existing file atomically.
///
/// # Errors
/// [`Failure::Local`] if the file cannot be written. An existing file is then unchanged.
pub fn write_private(path: &Path, content: &[u8]) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let temporary = PathBuf::from(temporary);
    // An interrupted run can have left this file. It is deleted first, because overwriting it would keep its
    // permissions.
    let _ = fs::remove_file(&temporary);
    let written = options.open(&temporary).and_then(|mut file| file.write_all(content));
    written.and_then(|()| fs::rename(&temporary, path)).map_err(|error| Failure::file("write", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{sandbox, seed::SeededApp};

    #[test]
    fn a_folder_of_another_program_is_rejected_and_unchanged() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("switchboard.db"), "theirs").unwrap();
        assert!(matches!(SandboxFolder::open(home.path()), Err(Failure::Local(_))));
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn clearing_removes_only_own_files() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(&home.path().join("deep/dev")).unwrap();
        fs::create_dir(folder.files()).unwrap();
        fs::write(folder.files().join("x"), "x").unwrap();
        fs::write(folder.database(), "x").unwrap();
        fs::write(folder.path.join("notes.txt"), "theirs").unwrap();
        folder.operator_key(|| "svc_op_x".to_owned()).unwrap();
        folder.secrets_key(|| "0f".repeat(32)).unwrap();
        for name in [KEY, SECRETS_KEY, DEMO] {
            fs::write(folder.path.join(format!("{name}.new")), "incomplete").unwrap();
        }
        folder.clear().unwrap();
        folder.clear().unwrap();
        let mut remaining: Vec<_> =
            fs::read_dir(&folder.path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        remaining.sort();
        assert_eq!(remaining, [MARKER, "notes.txt"]);
    }

    #[test]
    fn only_one_process_uses_a_folder() {
        let home = tempfile::tempdir().unwrap();
        let first = SandboxFolder::open(home.path()).unwrap();
        let second = SandboxFolder::open(home.path()).unwrap_err();
        assert!(second.to_string().contains("another"), "{second}");
        drop(first);
        SandboxFolder::open(home.path()).unwrap();
    }

    #[test]
    fn keys_are_created_once_and_are_private() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(home.path()).unwrap();
        let made = folder.operator_key(|| "svc_op_x".to_owned()).unwrap();
        assert_eq!(folder.operator_key(|| "svc_op_y".to_owned()).unwrap(), made);
        assert_eq!(made.expose(), "svc_op_x");
        let secrets = folder.secrets_key(|| "0f".repeat(32)).unwrap();
        assert_eq!(folder.secrets_key(|| unreachable!("the key exists")).unwrap(), secrets);
        #[cfg(unix)]
        for name in [KEY, SECRETS_KEY] {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(home.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }

    #[test]
    fn the_demo_data_is_restored() {
        let home = tempfile::tempdir().unwrap();
        let folder = SandboxFolder::open(home.path()).unwrap();
        assert!(folder.demo().unwrap().is_none());
        let demo = Demo { password: "p".to_owned(), ..Demo::default() };
        let base = "https://sandbox.example";
        let urls = DevUrls { base, mcp: "https://mcp.example", local: "http://127.0.0.1:1" };
        folder.write_demo(&demo, urls, &Secret::new("svc_op_x")).unwrap();
        assert_eq!(folder.demo().unwrap().unwrap().password, "p");
        let expected = (urls.local.to_owned(), Secret::new("svc_op_x"));
        assert_eq!(sandbox::operator_key_in(home.path()), Some(expected));
        assert_eq!(sandbox::mcp_url_in(home.path()).as_deref(), Some(urls.mcp));
        assert!(sandbox::app_in(home.path()).is_none());
        let mut demo = demo;
        let app = SeededApp { callback_url: Some("http://x/events".to_owned()), ..SeededApp::default() };
        demo.apps.insert("installed".to_owned(), SeededApp { signing_secret: "whsec_x".to_owned(), ..app });
        folder.write_demo(&demo, urls, &Secret::new("svc_op_x")).unwrap();
        let app = sandbox::app_in(home.path()).unwrap();
        assert_eq!((app.callback_url.as_str(), app.signing_secret.expose()), ("http://x/events", "whsec_x"));
        assert_eq!(app.sandbox, urls.local);
        fs::write(home.path().join(DEMO), "{}").unwrap();
        assert!(folder.demo().unwrap_err().to_string().contains("--fresh"));
    }
}
