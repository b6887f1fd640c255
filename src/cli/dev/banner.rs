//! The text that `switchboard dev` prints for people.

use std::{fmt::Write as _, path::Path};

use url::Url;

use super::{CALLBACK_HOST, folder::DevUrls};
use crate::{
    cli::{client::is_loopback, sandbox, seed::Demo},
    platform::secrets::Secret,
};

/// The options with which the sandbox was started. The command that starts over has the same options.
#[derive(Clone, Copy, Debug)]
pub struct DevOptions<'a> {
    /// The folder, as the user wrote it.
    pub dir: &'a Path,
    /// The listen address, if the user gave one.
    pub listen: Option<&'a str>,
}

/// Returns the text that `switchboard dev` prints when the server is ready. `key` is the operator key. `once` is a
/// random text that makes the idempotency key in the example unique.
#[must_use]
pub fn banner(demo: &Demo, urls: DevUrls<'_>, key: &Secret, options: DevOptions<'_>, once: &str) -> String {
    let base_url = urls.base;
    let token = &demo.installation.bot_token;
    // a sandbox that an earlier version created has no assistant client
    let assistant = match demo.assistant_client.client_id.as_str() {
        "" => String::new(),
        id => format!(
            "  MCP client    {id}  (redirect URI {}, with any port)\n",
            demo.assistant_client.redirect_uri
        ),
    };
    let mut text = format!(
        "\
Switchboard is ready, with a demo company to try things in.

  base URL      {base_url}
  docs          {base_url}/docs
  bot token     {token}
  operator key  {}
{assistant}
People who can sign in, all with the password {}
",
        key.expose(),
        demo.password
    );
    let people: Vec<_> = demo.people.iter().filter(|(_, person)| person.password.is_some()).collect();
    let widest = people.iter().map(|(role, _)| role.len()).max().unwrap_or(0);
    let longest =
        people.iter().filter_map(|(_, person)| person.email.as_ref()).map(String::len).max().unwrap_or(0);
    for (role, person) in people {
        let (role, email) = (role.replace('_', " "), person.email.as_deref().unwrap_or("-"));
        // writing to a String cannot fail
        let _ = writeln!(text, "  {role:widest$}  {email:longest$}  {}", person.name);
    }
    let dir = options.dir.display();
    let start_over = start_over(options);
    let events = event_commands(demo, urls.local, key, options.dir);
    let to = demo.person("employee").map_or("usr_...", |person| person.id.as_str());
    let _ = write!(
        text,
        "
Send a message as the bot:

curl -X POST {base_url}/v1/messages \\
  -H 'Authorization: Bearer {token}' \\
  -H 'Idempotency-Key: hello-{once}' \\
  -H 'Content-Type: application/json' \\
  -d '{{\"to\":{{\"type\":\"user\",\"id\":\"{to}\"}},\"text\":\"Hello from my bot\"}}'

{events}
State:       {dir} (all ids and secrets: {dir}/demo.json)
Start over:  {start_over}
Stop:        Ctrl-C
"
    );
    text
}

/// Returns the commands that receive and send events. Without options, these commands find only a sandbox in the
/// default folder, and send its operator key only to a loopback address. In two cases, the commands therefore name the
/// sandbox's URL, secrets and app id, and the address on which `switchboard listen` has to listen:
///
/// - The sandbox is not in the default folder.
/// - The host of its URL is not a loopback address.
fn event_commands(demo: &Demo, local_url: &str, key: &Secret, dir: &Path) -> String {
    let is_local = Url::parse(local_url).is_ok_and(|url| is_loopback(&url));
    if is_local && dir == Path::new(sandbox::FOLDER) {
        return "\
Receive signed events, in two other terminals of this folder:

switchboard listen
switchboard events send
"
        .to_owned();
    }
    let app = demo.apps.get("installed");
    let (id, secret) =
        app.map_or(("app_...", "whsec_..."), |app| (app.id.as_str(), app.signing_secret.as_str()));
    format!(
        "\
Receive signed events, in two other terminals:

SWITCHBOARD_SIGNING_SECRET={secret} switchboard listen --http --listen {CALLBACK_HOST}
SWITCHBOARD_URL={local_url} SWITCHBOARD_OPERATOR_KEY={} switchboard events send --app {id}
",
        key.expose()
    )
}

/// Returns the command that deletes the state and starts again.
#[must_use]
pub fn start_over(options: DevOptions<'_>) -> String {
    let mut command =
        format!("switchboard dev --fresh --dir {}", shell_quote(&options.dir.display().to_string()));
    if let Some(listen) = options.listen {
        let _ = write!(command, " --listen {}", shell_quote(listen));
    }
    command
}

/// Returns the text after the banner: the one-time link to the console.
#[must_use]
pub fn console_link(link: &str) -> String {
    format!(
        "
The console shows each request and event. There you can switch between people, move the clock and make
deliveries fail. You can always sign in with the operator key. This link opens the console once, within an
hour:

{link}
"
    )
}

/// Quotes a text as one word for a shell.
fn shell_quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:=@".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::seed::SeededApp;

    #[test]
    fn the_curl_example_is_complete() {
        let mut demo = Demo { password: "demo-x".to_owned(), ..Demo::default() };
        demo.installation.bot_token = "svc_bot_test_x".to_owned();
        let options = DevOptions { dir: Path::new("my dir"), listen: Some("127.0.0.1:1") };
        let local = "http://127.0.0.1:1";
        let urls = DevUrls { base: local, mcp: local, local };
        let text = banner(&demo, urls, &Secret::new("svc_op_x"), options, "abc");
        assert!(text.contains("curl -X POST http://127.0.0.1:1/v1/messages \\\n"), "{text}");
        assert!(
            text.contains("Bearer svc_bot_test_x'") && text.contains("Idempotency-Key: hello-abc'"),
            "{text}"
        );
        assert!(text.contains("--dir 'my dir' --listen 127.0.0.1:1\n"), "{text}");
    }

    #[test]
    fn the_commands_for_events_find_the_sandbox() {
        let mut demo = Demo::default();
        let (id, signing_secret) = ("app_x".to_owned(), "whsec_x".to_owned());
        demo.apps.insert("installed".to_owned(), SeededApp { id, signing_secret, ..SeededApp::default() });
        let text = |dir: &str, local: &str| {
            let options = DevOptions { dir: Path::new(dir), listen: None };
            let base = "https://sandbox.example";
            let urls = DevUrls { base, mcp: base, local };
            banner(&demo, urls, &Secret::new("svc_op_x"), options, "abc")
        };
        let default_folder = text(sandbox::FOLDER, "http://127.0.0.1:1");
        assert!(
            default_folder.contains("\nswitchboard listen\nswitchboard events send\n"),
            "{default_folder}"
        );
        let remote = text(sandbox::FOLDER, "http://192.0.2.1:1");
        let send = "\nSWITCHBOARD_URL=http://192.0.2.1:1 SWITCHBOARD_OPERATOR_KEY=";
        assert!(remote.contains(send), "{remote}");
        let other_folder = text("./try", "http://127.0.0.1:1");
        let listen =
            "\nSWITCHBOARD_SIGNING_SECRET=whsec_x switchboard listen --http --listen 127.0.0.1:8081\n";
        assert!(other_folder.contains(listen), "{other_folder}");
        let send = "\nSWITCHBOARD_URL=http://127.0.0.1:1 SWITCHBOARD_OPERATOR_KEY=svc_op_x switchboard events send --app app_x\n";
        assert!(other_folder.contains(send), "{other_folder}");
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(shell_quote("/a/b-c.d"), "/a/b-c.d");
        assert_eq!(shell_quote("it's"), r"'it'\''s'");
        assert_eq!(shell_quote("$HOME"), "'$HOME'");
        assert_eq!(shell_quote(""), "''");
    }
}
