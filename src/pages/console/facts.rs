//! The data of a sandbox that `switchboard dev` passes to the console.

/// The data of a sandbox for the console: ids, secrets, default values of forms, and a command.
#[derive(Clone, Debug, Default)]
pub struct SandboxFacts {
    /// Values that the console shows, each with a button that copies the value.
    pub groups: Vec<FactGroup>,
    /// The bot token with which the console sends messages.
    pub bot_token: Option<String>,
    /// The app whose events are shown by default, `app_…`.
    pub app: Option<String>,
    /// The company whose people are shown by default, `cmp_…`.
    pub company: Option<String>,
    /// The default recipient of the form that sends a message as the bot, `usr_…`.
    pub first_person: Option<String>,
    /// The command that deletes and recreates the sandbox.
    pub recreate_command: Option<String>,
}

/// Values under a heading.
#[derive(Clone, Debug, Default)]
pub struct FactGroup {
    pub title: String,
    pub facts: Vec<Fact>,
}

/// A named value.
#[derive(Clone, Debug, Default)]
pub struct Fact {
    pub name: String,
    pub value: String,
    /// What the value is for; empty if the name is enough.
    pub note: String,
}
