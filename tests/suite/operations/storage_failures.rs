//! If the deletion of a file's stored content fails, the contents of other files are still deleted. The failed deletion
//! is retried ten minutes later.

use std::{fs, time::Duration};

use switchboard::{
    domain::{
        ids::{FileId, WorkspaceId},
        time::Timestamp,
    },
    service::{files::PURGE_AFTER, files::uploads::ABANDONED_AFTER},
    store::{Op, Result, Sql, files},
};

use crate::support::*;

const MINUTE: Duration = Duration::from_secs(60);

/// Begins an upload that is never completed, as if the process had died during the upload.
struct Begin(FileId, Timestamp);

impl Op for Begin {
    const NAME: &'static str = "test_begin_upload";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        files::begin_upload(c, WorkspaceId(1), self.0, self.1).await
    }
}

/// Replaces the content of a file by a folder with the same name. The deletion of the content then fails.
fn make_undeletable(server: &Server, file: &str) {
    let path = server.files().join(file);
    let _ = fs::remove_file(&path);
    fs::create_dir(&path).unwrap();
}

/// Replaces the folder that [`make_undeletable`] has created by a content that can be deleted.
fn make_deletable(server: &Server, file: &str) {
    let path = server.files().join(file);
    fs::remove_dir(&path).unwrap();
    fs::write(&path, "content").unwrap();
}

#[both_engines]
async fn a_failed_deletion_is_retried_and_does_not_stop_the_purge_of_files(server: Server) {
    let company = server.company().await;
    let person = company.person().await;
    let mut ids = Vec::new();
    for name in ["jammed", "second", "third"] {
        let id = company.file(&person, name, "text/plain", b"content").await;
        company.operator.delete(&format!("/admin/v1/files/{id}")).ok(200).await;
        // The files are deleted at different times, so that the purge begins with the first file. The content of this
        // file cannot be deleted.
        server.clock.advance(MINUTE);
        ids.push(id);
    }
    // a server that drains runs no maintenance jobs, so only the test purges contents
    server.running().drain();
    make_undeletable(&server, &ids[0]);
    server.clock.advance(PURGE_AFTER);
    let world = server.running().world();
    assert!(world.purge_files(server.clock.now()).await.is_err(), "the error is returned");
    assert!(server.files().join(&ids[0]).exists());
    for id in &ids[1..] {
        assert!(!server.files().join(id).exists(), "{id}");
    }
    make_deletable(&server, &ids[0]);
    world.purge_files(server.clock.now()).await.unwrap();
    assert!(server.files().join(&ids[0]).exists(), "the failed deletion is not retried immediately");
    server.clock.advance(10 * MINUTE);
    world.purge_files(server.clock.now()).await.unwrap();
    assert!(!server.files().join(&ids[0]).exists());
}

#[both_engines]
async fn a_failed_deletion_is_retried_and_does_not_stop_the_sweep_of_uploads(server: Server) {
    server.running().drain();
    let world = server.running().world();
    let ids: Vec<_> = (1..=3).map(FileId).collect();
    for id in &ids {
        world.db.write(Begin(*id, server.clock.now())).await.unwrap();
        fs::write(server.files().join(id.encode()), "content").unwrap();
        server.clock.advance(MINUTE);
    }
    let path = |at: usize| server.files().join(ids[at].encode());
    make_undeletable(&server, &ids[0].encode());
    server.clock.advance(ABANDONED_AFTER);
    assert!(world.sweep_uploads(server.clock.now()).await.is_err(), "the error is returned");
    assert!(path(0).exists() && !path(1).exists() && !path(2).exists());
    make_deletable(&server, &ids[0].encode());
    world.sweep_uploads(server.clock.now()).await.unwrap();
    assert!(path(0).exists(), "the failed deletion is not retried immediately");
    server.clock.advance(10 * MINUTE);
    world.sweep_uploads(server.clock.now()).await.unwrap();
    assert!(!path(0).exists());
}
