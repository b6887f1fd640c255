//! The table "Where to look" of `docs/architecture.md` names only files that exist. Each name in the table is defined
//! in the file of its row.

use std::{fs, path::Path};

#[test]
fn every_name_is_defined_in_its_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let (_, section) = page.split_once("\n## Where to look\n").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("the next section");
    let rows: Vec<_> = section.lines().filter(|line| line.starts_with("| ") && line.contains('`')).collect();
    assert!(rows.len() > 10, "only {} rows were found", rows.len());
    for row in rows {
        let cells: Vec<_> =
            row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        let &[_, file, name] = &*cells else { panic!("a row has three cells: {row}") };
        let source =
            fs::read_to_string(root.join("src").join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let is_defined = ["fn", "const", "struct", "enum"].iter().any(|keyword| {
            let definition = format!("{keyword} {name}");
            source.match_indices(&definition).any(|(at, _)| {
                !source[at + definition.len()..]
                    .starts_with(|next: char| next.is_alphanumeric() || next == '_')
            })
        });
        // a group of settings is declared as `Events at "events" {`
        let is_settings = source.contains(&format!("    {name} at \""));
        assert!(is_defined || is_settings, "the table names {name}, so {file} must define it");
    }
}
