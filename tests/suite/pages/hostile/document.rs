//! Pages as a browser parses them. [`Document::read`] asserts that every element and every attribute of a page occurs
//! in a template. The purpose is to find texts of people, apps and assistants that a page did not escape.

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

use html5ever::{parse_document, tendril::TendrilSink};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use url::Url;

use super::routes;

/// Names of elements and attributes. An attribute is the pair of its element's name and its own name. An element is the
/// pair of its name and `""`.
type Names = BTreeSet<(String, String)>;

/// The elements and attributes of all templates.
static TEMPLATES: LazyLock<Names> = LazyLock::new(|| {
    let mut names = Names::new();
    read_templates(&Path::new(env!("CARGO_MANIFEST_DIR")).join("templates"), &mut names);
    assert!(names.contains(&("form".into(), "action".into())), "the templates are found");
    names
});

fn read_templates(folder: &Path, names: &mut Names) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_templates(&path, names);
            continue;
        }
        let template = fs::read_to_string(&path).unwrap();
        let html = without(&without(&template, "{%", "%}", " "), "{{", "}}", "x");
        let mut walk = Walk::default();
        walk.visit(&parse(&html).document);
        names.append(&mut walk.names);
    }
}

/// Replaces each part of a text from `begin` to `end`, including both delimiters, with `with`.
fn without(text: &str, begin: &str, end: &str, with: &str) -> String {
    let mut parts = text.split(begin);
    let mut rest = parts.next().unwrap().to_owned();
    for part in parts {
        rest.push_str(with);
        rest.push_str(part.split_once(end).expect("a template tag is closed").1);
    }
    rest
}

fn parse(html: &str) -> RcDom {
    parse_document(RcDom::default(), html5ever::ParseOpts::default()).one(html)
}

/// What a page shows.
#[derive(Debug, Default)]
pub struct Document {
    /// The text of the page, which begins with its title.
    pub text: String,
    /// The values of all attributes, except attributes such as `href` whose value is a URL.
    pub values: Vec<String>,
}

impl Document {
    /// Parses a page, and asserts that
    ///
    /// - the HTML has no parse errors and no comments;
    /// - its elements and attributes are in the templates;
    /// - it has no inline script or style;
    /// - every URL leads to this site, or is the `href` of a link whose text is the same URL.
    #[track_caller]
    pub fn read(name: &str, base: &str, html: &str) -> Self {
        // A page may show U+0000 from its URL. In HTML, U+0000 is a parse error, which browsers tolerate: they drop
        // U+0000 or replace it with U+FFFD. So it is replaced before the page is parsed.
        let dom = parse(&html.replace('\0', "\u{fffd}"));
        let mut walk = Walk::default();
        walk.visit(&dom.document);
        let errors = dom.errors.borrow();
        assert!(errors.is_empty(), "{name}: a page has no HTML parse errors: {errors:?}");
        assert_eq!(walk.others, Vec::<String>::new(), "{name}: a page has no comments");
        let unknown: Vec<_> = walk.names.difference(&TEMPLATES).collect();
        assert!(unknown.is_empty(), "{name}: all markup is from templates: {unknown:?}");
        for element in &walk.elements {
            element.assert_safe(name, base);
        }
        let mut values = Vec::new();
        for element in walk.elements {
            values
                .extend(element.attributes.into_iter().filter(|(name, _)| !is_address(name)).map(|(_, v)| v));
        }
        Self { text: walk.text, values }
    }

    /// Parses a fragment of a page, and checks it as [`Document::read`] does.
    #[track_caller]
    pub fn read_part(name: &str, base: &str, html: &str) -> Self {
        Self::read(name, base, &format!("<!doctype html><title></title>{html}"))
    }

    /// Returns whether the page's text or one of `values` contains `text`, whose line breaks are first normalized by
    /// [`lines`].
    pub fn has(&self, text: &str) -> bool {
        let text = lines(text);
        self.text.contains(&text) || self.values.iter().any(|value| value.contains(&text))
    }
}

/// Returns a text with its line breaks normalized to LF, as an HTML parser does.
pub fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn is_address(attribute: &str) -> bool {
    ["href", "src", "action", "formaction", "srcset", "poster", "data", "xlink:href"].contains(&attribute)
}

#[derive(Debug)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
}

impl Element {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    fn assert_safe(&self, page: &str, base: &str) {
        for (name, value) in &self.attributes {
            assert!(!name.starts_with("on") && name != "style" && name != "srcdoc", "{page}: {self:?}");
            if is_address(name) {
                self.assert_safe_url(page, base, name, value);
            }
        }
        match self.name.as_str() {
            "script" => {
                assert!(self.get("src").is_some_and(is_asset) && self.text.is_empty(), "{page}: {self:?}");
            }
            "link" => assert!(self.get("href").is_some_and(is_asset), "{page}: {self:?}"),
            "meta" => {
                let is_known = self.get("charset") == Some("utf-8")
                    || ["viewport", "referrer", "color-scheme"].map(Some).contains(&self.get("name"));
                assert!(is_known && self.get("http-equiv").is_none(), "{page}: {self:?}");
            }
            "form" => assert!(self.get("method").is_some(), "{page}: {self:?}"),
            _ => {}
        }
    }

    /// Asserts that a URL leads to a page or an asset of this site, or is the `href` of a link whose text is the same
    /// URL.
    fn assert_safe_url(&self, page: &str, base: &str, attribute: &str, value: &str) {
        let base = Url::parse(base).unwrap();
        let address = base.join(value).unwrap_or_else(|error| panic!("{page}: {error}: {self:?}"));
        if value.starts_with(['/', '#', '?']) && address.origin() == base.origin() {
            let path = address.path();
            let is_page = routes().any(|(route, _)| fits(route, path));
            assert!(
                is_page || is_asset(path),
                "{page}: a URL of this site leads to a page or an asset: {self:?}"
            );
            return;
        }
        assert!(self.name == "a" && attribute == "href", "{page}: {self:?}");
        assert!(["http", "https"].contains(&address.scheme()), "{page}: {self:?}");
        let is_web = value.starts_with("https://") || value.starts_with("http://");
        assert!(is_web && address.has_host(), "{page}: {self:?}");
        assert_eq!(self.get("rel"), Some("noopener noreferrer nofollow"), "{page}: {self:?}");
        assert_eq!(self.get("target"), Some("_blank"), "{page}: {self:?}");
        // the text of a link must be the URL to which the link leads, so that people see the target
        let shown = Url::parse(&self.text).unwrap_or_else(|error| panic!("{page}: {error}: {self:?}"));
        assert_eq!(shown, address, "{page}: {self:?}");
    }
}

fn is_asset(path: &str) -> bool {
    let name = path.strip_prefix("/assets/").or_else(|| path.strip_prefix("/console/assets/"));
    name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)))
}

/// Returns whether a path matches a route.
pub fn fits(route: &str, path: &str) -> bool {
    let (mut given, mut known) = (path.split('/'), route.split('/'));
    loop {
        match (given.next(), known.next()) {
            (None, None) => return true,
            (Some(given), Some(known)) if given == known || (known.starts_with('{') && !given.is_empty()) => {
            }
            _ => return false,
        }
    }
}

#[derive(Default)]
struct Walk {
    names: Names,
    elements: Vec<Element>,
    text: String,
    /// Comments and processing instructions.
    others: Vec<String>,
}

impl Walk {
    fn visit(&mut self, node: &Handle) {
        let mut at = None;
        let before = self.text.len();
        match &node.data {
            NodeData::Document | NodeData::Doctype { .. } => {}
            NodeData::Text { contents } => self.text.push_str(&contents.borrow()),
            NodeData::Comment { contents } => self.others.push(contents.to_string()),
            NodeData::ProcessingInstruction { contents, .. } => self.others.push(contents.to_string()),
            NodeData::Element { name, attrs, .. } => {
                let name = name.local.to_string();
                let attributes: Vec<_> = attrs
                    .borrow()
                    .iter()
                    .map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()))
                    .collect();
                self.names.insert((name.clone(), String::new()));
                self.names.extend(attributes.iter().map(|(attribute, _)| (name.clone(), attribute.clone())));
                at = Some(self.elements.len());
                self.elements.push(Element { name, attributes, text: String::new() });
            }
        }
        for child in node.children.borrow().iter() {
            self.visit(child);
        }
        if let Some(at) = at
            && ["a", "script"].contains(&self.elements[at].name.as_str())
        {
            self.elements[at].text = self.text[before..].to_owned();
        }
    }
}

mod tests {
    use super::*;

    const BASE: &str = "http://127.0.0.1:1";

    fn is_refused(html: &str) -> bool {
        let read = || Document::read_part("test", BASE, html);
        std::panic::catch_unwind(read).is_err()
    }

    #[test]
    fn documents_with_unsafe_or_unknown_markup_are_rejected() {
        for html in [
            "<p onclick=x>a</p>",
            "<img src=x onerror=y>",
            "<script>x</script>",
            "<script src=/assets/x.js>x</script>",
            "<iframe></iframe>",
            "<a href=\"javascript:x\">a</a>",
            "<a href=\"//evil.example\">a</a>",
            "<a href=\"https://a.example/\">https://a.example/</a>",
            "<a href=\"/nowhere\">a</a>",
            "<form action=\"https://evil.example/\" method=post></form>",
            "<button formaction=\"https://evil.example/\">a</button>",
            "<base href=\"/\">",
            "<meta http-equiv=refresh content=0>",
            "<!-- x -->",
            "<p id=x",
            "<p></b>",
            "<a href=\"https://a.example/\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">b</a>",
        ] {
            assert!(is_refused(html), "{html}");
        }
        let link = "<a href=\"https://a.example/\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">https://a.example/</a>";
        let read =
            Document::read_part("test", BASE, &format!("<p>1 &#60; 2 {link}</p><a href=\"/people\">b</a>"));
        assert!(read.has("1 < 2 https://a.example/") && !read.has("&#60;"), "{read:?}");
    }
}
