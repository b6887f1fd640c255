//! Secrets in the database: their encryption with a configured key, the replacement of keys, and the erasure of
//! superseded secrets.

mod at_rest;
mod commands;
mod doctor;
mod refusals;
mod rotation;
mod superseded;

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use base64::{
    Engine as _,
    prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};
use switchboard::{
    config::Config,
    platform::{
        encryption::{EncryptionKey, KeyId, Keyring},
        rng::Rng,
        secrets::hex,
    },
    store::{DatabaseUrl, Engine, secrets::Encryption},
};

use crate::support::{database::TestDatabase, *};

pub fn key(byte: u8) -> EncryptionKey {
    EncryptionKey::new([byte; 32])
}

fn id(byte: u8) -> KeyId {
    key(byte).id()
}

/// Configures keys. The first key is `secrets.key`, which encrypts. The others are `secrets.old_keys`, which only
/// decrypt.
fn give_keys(config: &mut Config, keys: &[u8]) {
    let mut keys = keys.iter().map(|byte| key(*byte));
    config.secrets.key = keys.next();
    config.secrets.old_keys = keys.collect();
}

/// Returns options of a server with these keys, in the order of [`give_keys`].
fn with_keys(options: Options, keys: &'static [u8]) -> Options {
    Options { configure: Some(Arc::new(|config| give_keys(config, keys))), ..options }
}

/// Returns an [`Encryption`] that reads and rewrites secrets with these keys, in the order of [`give_keys`].
fn encryption(keys: &[u8]) -> Encryption {
    let keys: Vec<_> = keys.iter().map(|byte| key(*byte)).collect();
    Encryption::new(Keyring::new(&keys), Rng::os())
}

/// The whole contents of a database: each value of each column of each table. On SQLite floating-point numbers are left
/// out, and every file in the folder of the database is included.
struct Dump {
    /// The parts of the contents. Each has a name (`table.column` or `file NAME`) and its bytes.
    parts: Vec<(String, Vec<u8>)>,
    columns: usize,
}

impl Dump {
    async fn of(database: &TestDatabase) -> Self {
        match &database.url {
            DatabaseUrl::Sqlite(path) => Self::of_sqlite(path),
            DatabaseUrl::Postgres(_) => Self::of_postgres(database).await,
        }
    }

    fn of_sqlite(path: &std::path::Path) -> Self {
        use rusqlite::types::ValueRef;

        let connection = rusqlite::Connection::open(path).unwrap();
        let list = |sql: &str| -> Vec<String> {
            let mut statement = connection.prepare(sql).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        let (mut parts, mut columns) = (Vec::new(), 0);
        for table in list("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            for column in list(&format!("SELECT name FROM pragma_table_info('{table}')")) {
                columns += 1;
                let mut statement =
                    connection.prepare(&format!("SELECT \"{column}\" FROM \"{table}\"")).unwrap();
                let mut rows = statement.query([]).unwrap();
                while let Some(row) = rows.next().unwrap() {
                    let bytes = match row.get_ref(0).unwrap() {
                        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
                        ValueRef::Integer(number) => number.to_string().into_bytes(),
                        ValueRef::Real(_) | ValueRef::Null => continue,
                    };
                    parts.push((format!("{table}.{column}"), bytes));
                }
            }
        }
        for file in std::fs::read_dir(path.parent().unwrap()).unwrap() {
            let file = file.unwrap().path();
            if file.is_file() {
                let name = file.file_name().unwrap().to_string_lossy().into_owned();
                parts.push((format!("file {name}"), std::fs::read(file).unwrap()));
            }
        }
        Self { parts, columns }
    }

    async fn of_postgres(database: &TestDatabase) -> Self {
        use sqlx::AssertSqlSafe;

        let mut connection = database.outside().await;
        let found: Vec<(String, String, String)> = sqlx::query_as(
            "SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns
             JOIN information_schema.tables USING (table_schema, table_name)
             WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
        )
        .fetch_all(&mut connection)
        .await
        .unwrap();
        let mut parts = Vec::new();
        for (table, column, kind) in &found {
            let value = match kind.as_str() {
                "bytea" => format!("\"{column}\""),
                _ => format!("convert_to(\"{column}\"::text, 'UTF8')"),
            };
            let sql = format!("SELECT {value} FROM \"{table}\" WHERE \"{column}\" IS NOT NULL");
            let rows: Vec<(Vec<u8>,)> =
                sqlx::query_as(AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
            parts.extend(rows.into_iter().map(|(bytes,)| (format!("{table}.{column}"), bytes)));
        }
        Self { parts, columns: found.len() }
    }

    /// Returns the names of the parts that contain these bytes.
    fn locations(&self, bytes: &[u8]) -> BTreeSet<&str> {
        let wanted = Wanted::of(vec![((), bytes.to_vec())]);
        self.parts
            .iter()
            .filter(|(_, part)| !wanted.found_in(part).is_empty())
            .map(|(location, _)| &**location)
            .collect()
    }
}

/// Named byte strings to search for in one pass, indexed by their first bytes.
struct Wanted<T> {
    by_beginning: HashMap<[u8; BEGINNING], Vec<(T, Vec<u8>)>>,
    /// For each pair of bytes, whether a wanted byte string begins with this pair. This saves the look-up in
    /// `by_beginning` for nearly all positions of a text.
    pairs: Vec<bool>,
}

/// Length of the keys of `by_beginning`, in bytes.
const BEGINNING: usize = 8;

impl<T: Copy + Ord> Wanted<T> {
    fn of(all: Vec<(T, Vec<u8>)>) -> Self {
        let mut wanted = Self { by_beginning: HashMap::new(), pairs: vec![false; 1 << 16] };
        for (what, bytes) in all {
            let beginning = *bytes.first_chunk().expect("too short to be searched for");
            wanted.pairs[pair(&bytes)] = true;
            wanted.by_beginning.entry(beginning).or_default().push((what, bytes));
        }
        wanted
    }

    fn found_in(&self, part: &[u8]) -> BTreeSet<T> {
        let mut found = BTreeSet::new();
        for at in 0..(part.len() + 1).saturating_sub(BEGINNING) {
            let rest = &part[at..];
            if self.pairs[pair(rest)]
                && let Some(beginning) = rest.first_chunk::<BEGINNING>()
                && let Some(all) = self.by_beginning.get(beginning)
            {
                found.extend(all.iter().filter(|(_, bytes)| rest.starts_with(bytes)).map(|(what, _)| *what));
            }
        }
        found
    }
}

fn pair(bytes: &[u8]) -> usize {
    usize::from(bytes[0]) << 8 | usize::from(bytes[1])
}

#[test]
fn every_wanted_byte_string_is_found_wherever_it_stands() {
    let wanted =
        Wanted::of(vec![(1, b"abcdefgh".to_vec()), (2, b"abcdefghij".to_vec()), (3, b"hijklmno".to_vec())]);
    let found = |part: &[u8]| wanted.found_in(part).into_iter().collect::<Vec<_>>();
    assert_eq!(found(b"abcdefgh"), [1]);
    assert_eq!(found(b"..abcdefghij"), [1, 2]);
    assert_eq!(found(b"abcdefghijklmno"), [1, 2, 3], "overlapping byte strings are found");
    assert_eq!(found(b"abcdefg"), [0; 0]);
    assert_eq!(found(b""), [0; 0]);
}

/// Issued secrets with their names.
#[derive(Default)]
struct Issued(Vec<(&'static str, Vec<u8>)>);

impl Issued {
    fn add(&mut self, what: &'static str, secret: impl AsRef<[u8]>) {
        let secret = secret.as_ref().to_vec();
        assert!(secret.len() >= 16, "{what} is too short to be searched for");
        self.0.push((what, secret));
    }

    /// Returns the names of the secrets that the dump contains in one of the forms that [`forms`] returns. Each name is
    /// returned with the name of the part that contains the secret.
    fn found_in(&self, dump: &Dump) -> BTreeSet<(&'static str, String)> {
        let all =
            self.0.iter().flat_map(|(what, secret)| forms(secret).into_iter().map(move |form| (*what, form)));
        let wanted = Wanted::of(all.collect());
        let of_part = |(location, part): &(String, Vec<u8>)| {
            wanted.found_in(part).into_iter().map(|what| (what, location.clone())).collect::<Vec<_>>()
        };
        dump.parts.iter().flat_map(of_part).collect()
    }
}

/// Returns the forms in which a secret could be stored: as it is, in hexadecimal, and in base64. Base64 encodes groups
/// of three bytes, so there is a form for each offset at which the secret can begin in a group. A token could be stored
/// without its prefix. So if the part of the secret after the last `_` has 16 bytes or more, the forms of this part are
/// returned as well.
fn forms(secret: &[u8]) -> Vec<Vec<u8>> {
    let mut plain_forms = vec![secret.to_vec()];
    if let Some(text) = std::str::from_utf8(secret).ok().filter(|text| text.contains('_')) {
        let random = text.rsplit('_').next().unwrap();
        if random.len() >= 16 {
            plain_forms.push(random.as_bytes().to_vec());
        }
    }
    let mut forms = Vec::new();
    for plain in plain_forms {
        forms.push(hex(&plain).into_bytes());
        forms.push(hex(&plain).to_uppercase().into_bytes());
        for skipped in 0..3 {
            // only whole groups of three bytes, because the characters of an incomplete group depend on the next bytes
            let groups = &plain[skipped..];
            let groups = &groups[..groups.len() / 3 * 3];
            forms.push(BASE64_STANDARD_NO_PAD.encode(groups).into_bytes());
            forms.push(BASE64_URL_SAFE_NO_PAD.encode(groups).into_bytes());
        }
        forms.push(plain);
    }
    forms
}

/// Returns the master key in a server's database.
async fn master_key(server: &Server, keys: &[u8]) -> [u8; 32] {
    let dump = Dump::of(&server.database).await;
    let stored = dump.parts.iter().filter(|(location, _)| location == "server_secrets.value");
    let found: Vec<_> = stored.filter_map(|(_, bytes)| encryption(keys).master_key(bytes).ok()).collect();
    let [master] = found[..] else { panic!("{} master keys", found.len()) };
    master
}

/// Returns an app's current and previous signing secret as they are stored.
async fn stored(server: &Server, app: &App) -> (String, Option<String>) {
    let id = switchboard::domain::ids::AppId::parse(&app.id).unwrap().0;
    match &server.database.url {
        DatabaseUrl::Sqlite(path) => rusqlite::Connection::open(path)
            .unwrap()
            .query_row(
                "SELECT signing_secret, previous_signing_secret FROM apps WHERE id = ?1",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .unwrap(),
        DatabaseUrl::Postgres(_) => {
            sqlx::query_as("SELECT signing_secret, previous_signing_secret FROM apps WHERE id = $1")
                .bind(id)
                .fetch_one(&mut server.database.outside().await)
                .await
                .unwrap()
        }
    }
}

/// Replaces the signing secret of an app, and returns the new secret.
async fn replace(server: &Server, app: &App) -> String {
    let path = format!("/admin/v1/apps/{}/rotate", app.id);
    let done = server.operator().post(&path).json(&serde_json::json!({"secret": "signing"})).ok(200).await;
    text(&done, "/signing_secret")
}
