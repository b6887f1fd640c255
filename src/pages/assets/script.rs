//! The script of the web client: the ES modules of `assets/client/`, joined to one script.
//!
//! A browser loads one script faster than twenty, and one script cannot consist of modules of two versions during a
//! rolling upgrade. The modules also work unjoined (`tests/browser/modules.test.js`). The joined modules share one
//! scope, so the names that modules declare at their top level must be unique.

/// A module: its name and its text.
type Module = (&'static str, &'static str);

macro_rules! modules {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../assets/client/", $name, ".js")))),*]
    };
}

/// The modules in the order in which they are evaluated: each module after the modules that it imports.
const MODULES: &[Module] = modules![
    "page" "status" "focus" "outdated" "requests" "typed" "draft" "messages" "reading" "list" "outgoing" "reply"
    "actions" "updates" "stream" "reopen" "files" "composer" "earlier" "main"
];

/// Returns the script. It has no imports and no exports. Its only comment is the first line.
pub(super) fn client_script() -> String {
    let mut script = String::from("// joined from assets/client/*.js\n(() => {\n'use strict';\n");
    for (_, text) in MODULES {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("import ") {
                // an import may have several lines
                if !line.ends_with(';') {
                    lines.by_ref().find(|line| line.ends_with(';'));
                }
            } else if !line.trim_start().starts_with("//") && !line.is_empty() {
                script.push_str(line.strip_prefix("export ").unwrap_or(line));
                script.push('\n');
            }
        }
    }
    script.push_str("})();\n");
    script
}

#[cfg(test)]
mod tests {
    use std::{
        collections::{BTreeMap, BTreeSet},
        fs,
    };

    use super::*;

    /// The name that a line declares, if it is a declaration at the top level of a module.
    fn declared(line: &str) -> Option<&str> {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let rest = ["const ", "let ", "function "].iter().find_map(|keyword| line.strip_prefix(keyword))?;
        rest.split(|next: char| !next.is_alphanumeric() && next != '_').next().filter(|name| !name.is_empty())
    }

    #[test]
    fn every_module_of_the_folder_is_joined() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/client");
        let files: BTreeSet<_> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        let joined: BTreeSet<_> = MODULES.iter().map(|(name, _)| format!("{name}.js")).collect();
        assert_eq!(files, joined, "`MODULES` lists every file of the folder");
    }

    #[test]
    fn every_import_is_exported_by_an_earlier_module() {
        let exports: BTreeMap<_, BTreeSet<_>> = MODULES
            .iter()
            .map(|(name, text)| {
                let exported = text.lines().filter(|line| line.starts_with("export "));
                (*name, exported.map(|line| declared(line).expect("an exported declaration")).collect())
            })
            .collect();
        let mut imports = 0;
        let mut evaluated = BTreeSet::new();
        for (module, text) in MODULES {
            for import in text.split("\nimport {").skip(1) {
                let (names, rest) = import.split_once("} from './").expect("an import of names");
                let (from, _) = rest.split_once(".js';").expect("an import of a module of the folder");
                assert!(evaluated.contains(from), "{module} is evaluated after {from}, which it imports");
                for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    assert!(exports[from].contains(name), "{from} exports {name}, which {module} imports");
                    imports += 1;
                }
            }
            evaluated.insert(*module);
        }
        assert!(imports > 100, "only {imports} imports were found");
    }

    #[test]
    fn names_at_the_top_level_are_unique() {
        let mut names = BTreeMap::new();
        for (module, text) in MODULES {
            for name in text.lines().filter_map(declared) {
                if let Some(other) = names.insert(name, module) {
                    panic!("{other} and {module} declare {name}");
                }
            }
        }
        assert!(names.len() > 100, "only {} names were found", names.len());
    }

    #[test]
    fn the_script_has_no_imports_exports_or_comments() {
        let script = client_script();
        for line in script.lines().skip(1) {
            for start in ["import ", "export ", "//", "} from "] {
                assert!(!line.trim_start().starts_with(start), "{line}");
            }
        }
        assert!(
            script.contains("\nfollow();\n})();\n"),
            "the script ends with the last statement of `main`: {script}"
        );
    }
}
