//! A world over a fresh SQLite file, for tests of the workspace's rules.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
    time::Duration,
};

use tempfile::TempDir;

use super::{
    Keys, Settings, World,
    assistants::{documents::Documents, mcp_sessions::SessionUses, tidy::TokenWalk},
    sandbox::ClockMoves,
    send::{RecentKeys, RecentRefusals, Together},
    tool_calls::Queue,
    upkeep::KeyWalk,
};
use crate::{
    domain::{
        assistant::{keys::WellKnown, names::Reserved},
        time::Timestamp,
    },
    platform::{
        blobs::{Blobs, Place},
        clock::Clock,
        ids::IdGen,
        limits::Limits,
        outbound::{self, Outbound},
        passwords::Passwords,
        rng::Rng,
    },
    store::{DatabaseUrl, Db, DbOptions, migrate},
};

/// A world whose clock stands still; its folder goes with it.
pub struct TestWorld {
    world: World,
    _folder: TempDir,
}

impl Deref for TestWorld {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

/// An empty world, at a fixed moment.
pub async fn world() -> TestWorld {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("test.db"));
    migrate(&url).await.unwrap();
    let clock = Clock::manual(Timestamp::from_seconds(1_800_000_000));
    let rng = Rng::os();
    let world = World {
        db: Db::open(&url, DbOptions::default()).await.unwrap(),
        ids: Arc::new(IdGen::new(clock.clone())),
        limits: Arc::new(Limits::in_memory(1)),
        documents: Documents::new(Outbound::new(outbound::Settings::default(), clock.clone()).unwrap()),
        blobs: Blobs::open(Place::Disk(folder.path().join("files")), clock.clone()).unwrap(),
        passwords: Passwords::new(rng.clone()),
        keys: Keys { cursors: [1; 32], links: [2; 32], csrf: [3; 32], connection_tokens: [4; 32] },
        settings: Settings {
            base_url: "http://127.0.0.1:8080".into(),
            mcp_url: "http://127.0.0.1:8080".into(),
            service_name: "Switchboard".into(),
            editor_schemes: vec!["vscode".into()],
            reserved_names: Reserved::new("Switchboard", "Switchboard"),
            well_known_clients: WellKnown::default(),
            production: false,
            test_clock: true,
            operator_key_sha256: None,
            audit_life: Duration::from_secs(90 * 24 * 60 * 60),
            event_life: Duration::from_secs(3 * 24 * 60 * 60),
            mcp_requests_per_minute: 120,
            allow_private_hosts: Vec::new(),
        },
        clock,
        rng,
        clock_moves: ClockMoves::default(),
        key_walk: KeyWalk::default(),
        tool_calls: Queue::default(),
        token_walk: TokenWalk::default(),
        recent_keys: RecentKeys::default(),
        sends: Together::default(),
        refused_sends: RecentRefusals::default(),
        session_uses: SessionUses::default(),
        delivery: OnceLock::new(),
    };
    TestWorld { world, _folder: folder }
}
