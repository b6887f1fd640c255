//! `/authorize` and the consent page over HTTP: where a request is redirected, what the page offers, and the response
//! to a decision.

use std::net::Ipv4Addr;

use switchboard::service::oauth::consent::{ConsentDecision, Unavailable, Undecided};

use super::{
    Server,
    assistant::{Client, Employee, PASSWORD, Tokens},
    browser::{Browser, Page, unescape},
};

const CONSENT: &str = "/authorize/consent";

/// The response of `/authorize`.
#[derive(Debug)]
pub enum AuthorizeAnswer {
    /// A redirect to the consent page of this request.
    Consent { request: String },
    /// A redirect to the client with an error.
    Redirect(String),
    /// An error page.
    Page(Page),
}

impl AuthorizeAnswer {
    fn of(page: Page) -> Self {
        if page.wire.status != 302 {
            assert_eq!(
                page.header("location"),
                None,
                "an error page does not redirect (A-132, A-133): {}",
                page.text
            );
            return Self::Page(page);
        }
        let to = page.to();
        match to.strip_prefix(CONSENT) {
            None => Self::Redirect(to.to_owned()),
            Some(query) => {
                let query: Vec<(String, String)> =
                    serde_urlencoded::from_str(query.trim_start_matches('?')).expect("a query");
                assert_eq!((query.len(), query[0].0.as_str()), (1, "request"), "{to}");
                Self::Consent { request: query[0].1.clone() }
            }
        }
    }

    /// Returns the id of the request on the consent page.
    #[track_caller]
    pub fn request(self) -> String {
        match self {
            Self::Consent { request } => request,
            other => panic!("the consent page was expected: {other:?}"),
        }
    }

    /// Returns the error page.
    #[track_caller]
    pub fn page(self) -> Page {
        match self {
            Self::Page(page) => page,
            other => panic!("an error page was expected: {other:?}"),
        }
    }

    /// Returns the redirect to the client.
    #[track_caller]
    pub fn redirected(self) -> Redirected {
        match self {
            Self::Redirect(address) => Redirected::read(&address),
            other => panic!("a redirect to the client was expected: {other:?}"),
        }
    }
}

/// Returns the cookies with this browser id for HTTP and for HTTPS.
fn browser_cookies(name: &str) -> [(String, String); 2] {
    ["browser", "__Host-browser"].map(|cookie| (cookie.to_owned(), name.to_owned()))
}

impl Server {
    /// Returns a browser with the browser id that all tests share. So one `Browser` can begin a request, and another
    /// `Browser` can decide it.
    pub fn known_browser(&self) -> Browser {
        self.browser_named("the-usual-browser")
    }

    /// Returns a browser with this browser id.
    pub fn browser_named(&self, name: &str) -> Browser {
        let mut browser = self.browser();
        browser.cookies.extend(browser_cookies(name));
        browser
    }

    /// Requests `GET /authorize` with this query.
    pub async fn begin(&self, query: &[(&str, &str)]) -> AuthorizeAnswer {
        self.begin_in(&mut self.known_browser(), query).await
    }

    /// Requests `GET /authorize` with this query, from this address, which must be one of this machine.
    pub async fn begin_from(&self, address: Ipv4Addr, query: &[(&str, &str)]) -> AuthorizeAnswer {
        let mut browser = self.known_browser();
        browser.from = Some(address);
        self.begin_in(&mut browser, query).await
    }

    pub async fn begin_in(&self, browser: &mut Browser, query: &[(&str, &str)]) -> AuthorizeAnswer {
        let query = serde_urlencoded::to_string(query).expect("a query");
        AuthorizeAnswer::of(browser.get(&format!("/authorize?{query}")).await)
    }

    /// Requests `GET /authorize` for a client. `more` replaces parameters of a valid request.
    pub async fn begin_for(&self, client: &Client, more: &[(&str, &str)]) -> AuthorizeAnswer {
        let query = client.authorization_query(more);
        let query: Vec<_> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.begin(&query).await
    }

    /// Asserts that `/authorize` redirects to the client, and returns the redirect.
    pub async fn begin_redirected(&self, query: &[(&str, &str)]) -> Redirected {
        self.begin(query).await.redirected()
    }
}

/// The consent page of a request, open in a browser in which an employee is signed in.
pub struct ConsentForm {
    browser: Browser,
    path: String,
    pub page: Page,
}

/// A company on the consent page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    pub id: String,
    /// The reason why the company cannot be chosen; `None` if it can be chosen.
    pub why: Option<Unavailable>,
}

impl ConsentForm {
    /// Returns the companies that the page shows, in the order of the page.
    pub fn companies(&self) -> Vec<Offered> {
        let labels = self.page.text.split("<label class=\"choice\" for=\"company-").skip(1);
        let company = |label: &str| {
            let label = label.split("</label>").next().expect("a label");
            let (input, words) =
                label.split_once('>').and_then(|(_, rest)| rest.split_once('>')).expect("a choice");
            let id = input.split("value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id");
            let why = words.split_once("<small>").map(|(_, why)| unavailable(why));
            assert_eq!(why.is_some(), input.ends_with(" disabled"), "{label}");
            Offered { id: id.to_owned(), why }
        };
        labels.map(company).collect()
    }

    /// Returns the same page and session in a browser with this browser id.
    pub fn in_browser(&self, name: &str) -> Self {
        let mut browser = self.browser.clone();
        browser.cookies.extend(browser_cookies(name));
        Self { browser, path: self.path.clone(), page: self.page.clone() }
    }

    /// Posts the form with this decision.
    pub async fn post(&mut self, decision: ConsentDecision) -> Page {
        let company;
        let mut fields = Vec::new();
        match decision {
            ConsentDecision::Deny => fields.push(("decision", "deny")),
            ConsentDecision::Approve(workspace) => {
                company = workspace.encode();
                fields.extend([("decision", "approve"), ("workspace_id", &*company)]);
            }
        }
        self.browser.submit_on(&self.page, &self.path, &fields).await
    }

    /// Posts the form with this decision. Returns the redirect to the client, or the reason why the request was not
    /// decided.
    pub async fn decide(&mut self, decision: ConsentDecision) -> Result<Redirected, Undecided> {
        let page = self.post(decision).await;
        match page.wire.status {
            302 => Ok(Redirected::read(page.to())),
            400 if is_expired_request(&page) => Err(Undecided::NoRequest),
            422 => {
                let problem =
                    page.text.split("id=\"problem\"><p>").nth(1).and_then(|rest| rest.split("</p>").next());
                let problem = problem.unwrap_or_else(|| panic!("a refusal shows a reason: {}", page.text));
                assert!(problem.ends_with("Nothing was connected."), "{problem}");
                Err(Undecided::Unavailable(unavailable(problem)))
            }
            _ => panic!("no decision: {}", page.text),
        }
    }
}

fn is_expired_request(page: &Page) -> bool {
    page.wire.status == 400 && page.text.contains("This request has expired")
}

fn unavailable(words: &str) -> Unavailable {
    let words = unescape(words);
    for (why, part) in [
        (Unavailable::AssistantsOff, "has turned assistants off."),
        (Unavailable::Blocked, "has blocked this assistant."),
        (Unavailable::NotEmployee, "You are not an active employee"),
    ] {
        if words.contains(part) {
            return why;
        }
    }
    panic!("no reason that the tests know: {words}")
}

impl Employee {
    /// Signs in, in a browser with the browser id that all tests share.
    pub async fn browser(&self, server: &Server) -> Browser {
        self.signed_in(server.known_browser()).await
    }

    /// Signs in, in a browser.
    pub async fn signed_in(&self, mut browser: Browser) -> Browser {
        let page = browser.sign_in(&self.email, PASSWORD, "/").await;
        assert_eq!(page.to(), "/", "{}", page.text);
        browser
    }

    /// Signs in with the shared browser id and opens the consent page. Returns `NoRequest` if the page reports that the
    /// request has expired. The page reports the same in a browser that did not begin the request.
    pub async fn open(&self, server: &Server, request: &str) -> Result<ConsentForm, Undecided> {
        open_in(self.browser(server).await, request).await
    }

    /// Opens the consent page of a request and decides.
    pub async fn decide(
        &self,
        server: &Server,
        request: &str,
        decision: ConsentDecision,
    ) -> Result<Redirected, Undecided> {
        self.open(server, request).await?.decide(decision).await
    }
}

/// Opens the consent page of a request in a browser in which somebody is signed in.
pub async fn open_in(mut browser: Browser, request: &str) -> Result<ConsentForm, Undecided> {
    let query = serde_urlencoded::to_string([("request", request)]).expect("a query");
    let path = format!("{CONSENT}?{query}");
    let page = browser.get(&path).await;
    if is_expired_request(&page) {
        return Err(Undecided::NoRequest);
    }
    assert_eq!(page.wire.status, 200, "{}", page.text);
    Ok(ConsentForm { browser, path, page })
}

/// A redirect to the client: the address and its parameters.
#[derive(Clone, Debug)]
pub struct Redirected {
    pub address: String,
    pub parameters: Vec<(String, String)>,
}

impl Redirected {
    pub fn read(address: &str) -> Self {
        let url = url::Url::parse(address).unwrap_or_else(|e| panic!("{address}: {e}"));
        let parameters = url.query_pairs().map(|(n, v)| (n.into_owned(), v.into_owned())).collect();
        Self { address: address.to_owned(), parameters }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

impl Employee {
    /// Approves a client's request, and returns the authorization code.
    pub async fn approve(&self, server: &Server, client: &Client, more: &[(&str, &str)]) -> String {
        let request = server.begin_for(client, more).await.request();
        let decided = self.decide(server, &request, ConsentDecision::Approve(self.workspace())).await;
        decided.expect("approved").get("code").expect("a code").to_owned()
    }

    /// Approves a client's request and exchanges the code.
    pub async fn connect(&self, server: &Server, client: &Client) -> Tokens {
        self.connect_with(server, client, &[]).await
    }

    pub async fn connect_with(&self, server: &Server, client: &Client, more: &[(&str, &str)]) -> Tokens {
        let code = self.approve(server, client, more).await;
        let redirect =
            more.iter().find(|(n, _)| *n == "redirect_uri").map_or(&*client.redirect_uri, |(_, v)| v);
        Tokens::of(&client.exchange_with(&code, &[("redirect_uri", redirect)]).await.ok())
    }
}
