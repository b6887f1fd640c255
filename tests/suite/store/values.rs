//! Values are returned as they were stored. Wrong arguments and wrong columns are rejected.

use switchboard::domain::ids::UserId;
use switchboard::domain::time::Timestamp;
use switchboard::store::{
    Error, Op, Query, ReadOp, ReadSql, Result, Sql, StoreError, Val, args, prepare_all, row, statements,
};

use super::open;
use crate::support::{both_engines, database::TestDatabase};

statements! {
    pub FULL: Command = "INSERT INTO item (id, name, data, flag, made_at) VALUES ($5, $4, $3, $2, $1)";
    pub ITEM: Query -> Item = "SELECT id, name, data, flag, made_at FROM item WHERE id = $1";
    pub BY_NULL: Query = "SELECT id FROM item WHERE name IS NULL AND CAST($1 AS TEXT) IS NULL ORDER BY id";
    pub MANY: Query =
        sqlite "SELECT id FROM item WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id"
        postgres "SELECT id FROM item WHERE id = ANY($1) ORDER BY id";
    pub MIXED: Query -> Mixed = "SELECT EXISTS (SELECT 1 FROM item WHERE id = $1) AS is_there, 1 AS one, COUNT(*) AS count
        FROM item";
    pub TWICE: Query = concat!("SELECT id", ", name FROM item WHERE id = $1 OR id = $1 + $2 ORDER BY id");
    pub ECHO: Query = "SELECT CAST($1 AS TEXT)";
}

#[derive(PartialEq, Debug)]
struct Item {
    id: UserId,
    name: Option<String>,
    data: Option<Vec<u8>>,
    flag: bool,
    made_at: Option<Timestamp>,
}

row!(Item { id, name, data, flag, made_at });

/// Columns that have the types `boolean`, `integer` and `bigint` on PostgreSQL.
#[derive(PartialEq, Debug)]
struct Mixed {
    is_there: bool,
    one: i64,
    count: i64,
}

row!(Mixed { is_there, one, count });

struct RoundTrip;

impl Op for RoundTrip {
    const NAME: &'static str = "round_trip";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (now, ada) = (Timestamp(1_700_000_000_123_456), UserId(7));
        c.exec(&FULL, args![now, true, &[0u8, 255], "ä\u{1F600}", ada]).await?;
        c.exec(&FULL, args![None::<Timestamp>, false, None::<&[u8]>, None::<&str>, UserId(8)]).await?;
        c.exec(&FULL, args![Some(now), 0, &Vec::<u8>::new(), &String::new(), i64::MAX]).await?;

        let item: Item = c.one(&ITEM, args![ada]).await?;
        let name = Some("ä\u{1F600}".to_owned());
        assert_eq!(item, Item { id: ada, name, data: Some(vec![0, 255]), flag: true, made_at: Some(now) });
        let item: Item = c.one(&ITEM, args![8]).await?;
        assert_eq!(item, Item { id: UserId(8), name: None, data: None, flag: false, made_at: None });
        let item: Option<Item> = c.opt(&ITEM, args![i64::MAX]).await?;
        assert_eq!(item.map(|item| (item.name, item.data)), Some((Some(String::new()), Some(vec![]))));
        assert_eq!(c.opt::<Item>(&ITEM, args![1]).await?, None);

        assert_eq!(c.all::<(i64,)>(&BY_NULL, args![None::<&str>]).await?, [(8,)]);
        assert_eq!(c.all::<i64>(&MANY, args![&[8i64, 9, 7][..]]).await?, [7, 8]);
        assert_eq!(c.all::<UserId>(&MANY, args![&vec![ada]]).await?, [ada]);
        assert!(c.all::<i64>(&MANY, args![&Vec::<i64>::new()]).await?.is_empty());
        assert_eq!(c.one::<Mixed>(&MIXED, args![ada]).await?, Mixed { is_there: true, one: 1, count: 3 });
        assert_eq!(c.all::<(i64, Option<String>)>(&TWICE, args![ada, 1]).await?.len(), 2);
        Ok(())
    }
}

#[both_engines]
async fn values_round_trip(database: TestDatabase) {
    let db = open(&database).await;
    db.write(RoundTrip).await.unwrap();
}

/// Runs a statement with the given arguments.
struct Ask(&'static Query, Vec<Val<'static>>);

impl ReadOp for Ask {
    const NAME: &'static str = "ask";
    type Out = Option<String>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<String>> {
        c.opt(self.0, &self.1).await
    }
}

#[both_engines]
async fn a_wrong_number_of_arguments_is_rejected(database: TestDatabase) {
    let db = open(&database).await;
    for count in [0, 2] {
        let failure = db.read(Ask(&ECHO, vec![Val::Text(Some("a")); count])).await.unwrap_err();
        assert!(matches!(&failure, Error::Store(StoreError::Bug(what)) if what.contains("ECHO takes 1 arg")));
    }
    assert_eq!(db.read(Ask(&ECHO, vec![Val::Text(Some("a"))])).await.unwrap().as_deref(), Some("a"));
}

#[both_engines]
async fn a_text_with_nul_is_refused(database: TestDatabase) {
    let db = open(&database).await;
    let failure = db.read(Ask(&ECHO, vec![Val::Text(Some("a\0b"))])).await.unwrap_err();
    assert!(matches!(&failure, Error::Store(StoreError::Bug(what)) if what.contains("U+0000")), "{failure}");
    assert_eq!(db.read(Ask(&ECHO, vec![Val::Text(Some("a"))])).await.unwrap().as_deref(), Some("a"));
}

#[both_engines]
async fn a_column_of_another_type_is_reported_as_a_bug(database: TestDatabase) {
    let db = open(&database).await;
    let failure = db.read(Ask(&super::COUNT, vec![])).await.unwrap_err();
    assert!(matches!(&failure, Error::Store(StoreError::Bug(_))), "{failure}");
}

#[both_engines]
async fn preparing_all_statements_names_the_invalid_ones(database: TestDatabase) {
    statements! {
        BAD: Query = "SELECT nothing FROM item";
        WORSE: Query = "SELEKT $1";
    }
    let db = open(&database).await;
    prepare_all(&db, super::ALL.split_first().unwrap().1).await.unwrap();
    let failure = prepare_all(&db, &[&BAD, &super::COUNT, &WORSE]).await.unwrap_err().to_string();
    assert!(failure.contains("BAD") && failure.contains("WORSE") && !failure.contains("COUNT"), "{failure}");
    assert_eq!(ALL.len(), 2);
}

/// Without the check by [`prepare_all`], swapped columns of the same type would be read into the wrong fields.
#[both_engines]
async fn swapped_columns_are_found(database: TestDatabase) {
    statements! {
        SWAPPED: Query -> Item = "SELECT id, name, data, made_at, flag FROM item WHERE id = $1";
        RENAMED: Query -> Item = "SELECT id, name AS label, data, flag, made_at FROM item WHERE id = $1";
        IN_ORDER: Query -> Item = "SELECT id, name, data, flag, made_at FROM item WHERE id = $1";
        UNDECLARED: Query = "SELECT id, name, data, flag, made_at FROM item WHERE id = $1";
        NESTED_IN_ORDER: Query -> Copy = "SELECT id, name, data, flag, made_at, id AS first, id AS last FROM item WHERE id = $1";
        SWAPPED_NESTED: Query -> Copy = "SELECT id, name, data, flag, made_at, id AS last, id AS first FROM item WHERE id = $1";
    }
    /// A row whose first columns are those of another struct.
    struct Copy {
        _item: Item,
        _first: i64,
        _last: i64,
    }
    row!(Copy { .._item: Item, _first as first, _last as last });
    let db = open(&database).await;
    let failure = prepare_all(&db, ALL).await.unwrap_err().to_string();
    assert!(failure.contains("SWAPPED has") && failure.contains("RENAMED has"), "{failure}");
    assert!(!failure.contains("IN_ORDER"), "{failure}");
    assert!(failure.contains("UNDECLARED") && failure.contains("declares no struct"), "{failure}");
    assert!(failure.contains("SWAPPED_NESTED") && !failure.contains("NESTED_IN_ORDER"), "{failure}");
}

#[both_engines]
async fn a_statement_declares_the_struct_that_it_is_read_into(database: TestDatabase) {
    statements! {
        UNDECLARED: Query = "SELECT id, name, data, flag, made_at FROM item WHERE id = $1";
    }
    struct Read;
    impl ReadOp for Read {
        const NAME: &'static str = "read_undeclared";
        type Out = Option<Item>;

        async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<Item>> {
            c.one::<Item>(&UNDECLARED, args![7]).await.map(Some)
        }
    }
    let db = open(&database).await;
    db.write(RoundTrip).await.unwrap();
    let failure = db.read(Read).await.unwrap_err().to_string();
    assert!(failure.contains("UNDECLARED"), "{failure}");
    assert_eq!(ALL.len(), 1);
}
