//! `switchboard user`: people, bot users, and the app blocks of people (W-07 to W-14).

use clap::{Args, Subcommand};
use switchboard_clients::admin::types;

use crate::cli::{
    answer::Answer,
    client::{Server, accept, with_nulls},
    failure::Result,
    paging::{self, PageArgs},
    table::Column,
    values::{OrNone, one_of, switch},
};

const COLUMNS: &[Column] = &[
    ("ID", "id"),
    ("NAME", "name"),
    ("EMAIL", "email"),
    ("STATE", "state"),
    ("ADMIN", "is_admin"),
    ("GUEST", "is_external"),
    ("BOT", "is_bot"),
];

pub(in crate::cli) const STATES: &[&str] = &["active", "onboarding", "deactivated", "removed"];

/// People, bot users, and the apps that people block.
#[derive(Clone, Debug, Subcommand)]
pub enum UserCommand {
    /// Add a person to a company
    ///
    /// If the e-mail address already has an account, for example of a person in another company, the new person belongs
    /// to this account. Without --password, the account keeps its password.
    #[command(after_help = "Examples:
  switchboard user add cmp_38f3jpq800005 --name 'Grace Hopper' --email grace@example.com --admin on
  switchboard user add cmp_38f3jpq800005 --name 'A Guest' --email guest@example.org --external on --guest-visible off")]
    Add(Box<Add>),
    /// List all users of a company, in every state, with hidden guests and bot users
    #[command(after_help = "Examples:
  switchboard user list cmp_38f3jpq800005
  switchboard user list cmp_38f3jpq800005 --query 'ada love'")]
    List {
        /// Id of the company (cmp_...)
        workspace: String,
        /// Only users who match each of these words. A user matches a word if a word of the name, of the display name
        /// or of the e-mail address before the `@` begins with it, or if the whole address begins with it. If there are
        /// more than four words, only the four longest count
        #[arg(long, value_name = "WORDS")]
        query: Option<types::ListUsersQuery>,
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a person or bot user with all fields
    #[command(after_help = "Examples:\n  switchboard user show usr_38f3jtev4001a")]
    Show {
        /// Id of the person or bot user (usr_...)
        user: String,
    },
    /// Change a person; omitted options stay unchanged
    #[command(after_help = "Examples:
  switchboard user set usr_38f3jtev4001a --title 'Rear admiral' --email-visible off
  switchboard user set usr_38f3jtev4001a --title none --external on")]
    Set(Box<UserSetArgs>),
    /// Change a person's account state; `removed` is final
    #[command(after_help = "Examples:\n  switchboard user state usr_38f3jtev4001a deactivated")]
    State {
        /// Id of the person (usr_...)
        user: String,
        /// The new state
        #[arg(value_parser = one_of::<types::UserState>(STATES))]
        state: types::UserState,
    },
    /// Sign a person out, and revoke the person's assistant connections
    ///
    /// No existing session can act as the person any more. If the account has persons in other companies, the sessions
    /// stay valid for them.
    #[command(after_help = "Examples:\n  switchboard user logout usr_38f3jtev4001a")]
    Logout {
        /// Id of the person (usr_...)
        user: String,
    },
    /// Block direct messages of an app's bot to a person
    #[command(after_help = "Examples:\n  switchboard user block-app usr_38f3jtev4001a app_38f3scce000bq")]
    BlockApp {
        /// Id of the person (usr_...)
        user: String,
        /// Id of the app (app_...)
        app: String,
    },
    /// Unblock direct messages of an app's bot to a person
    #[command(after_help = "Examples:\n  switchboard user unblock-app usr_38f3jtev4001a app_38f3scce000bq")]
    UnblockApp {
        /// Id of the person (usr_...)
        user: String,
        /// Id of the app (app_...)
        app: String,
    },
}

/// A new person.
#[derive(Args, Clone, Debug)]
pub struct Add {
    /// Id of the company (cmp_...)
    workspace: String,
    /// Full name
    #[arg(long)]
    name: types::UserCreateName,
    /// E-mail address, also the sign-in name
    #[arg(long)]
    email: types::UserCreateEmail,
    /// First name (`display_name` in the APIs)
    #[arg(long)]
    display_name: Option<types::UserCreateDisplayName>,
    /// Job title
    #[arg(long)]
    title: Option<types::UserCreateTitle>,
    /// IANA time zone name, such as Europe/London
    #[arg(long)]
    timezone: Option<types::UserCreateTimezone>,
    /// URL of a picture, https://
    #[arg(long)]
    avatar_url: Option<types::UserCreateAvatarUrl>,
    /// Admin of the company; off by default
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    admin: Option<bool>,
    /// Guest from outside the company; off by default
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    external: Option<bool>,
    /// Whether colleagues see the e-mail address; on by default
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    email_visible: Option<bool>,
    /// Whether members see this guest; on by default
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    guest_visible: Option<bool>,
    /// Account state; active by default
    #[arg(long, value_parser = one_of::<types::UserState>(STATES))]
    state: Option<types::UserState>,
    /// Password, of 8 to 128 characters; a new account without a password cannot sign in
    #[arg(long)]
    password: Option<types::UserCreatePassword>,
}

/// Changes to a person.
#[derive(Args, Clone, Debug)]
pub struct UserSetArgs {
    /// Id of the person (usr_...)
    user: String,
    /// Full name
    #[arg(long)]
    name: Option<types::UserUpdateName>,
    /// E-mail address, also the sign-in name
    #[arg(long)]
    email: Option<types::UserUpdateEmail>,
    /// First name (`display_name` in the APIs), or `none`
    #[arg(long)]
    display_name: Option<OrNone<types::UserUpdateDisplayName>>,
    /// Job title, or `none`
    #[arg(long)]
    title: Option<OrNone<types::UserUpdateTitle>>,
    /// IANA time zone name, or `none`
    #[arg(long)]
    timezone: Option<OrNone<types::UserUpdateTimezone>>,
    /// URL of a picture, or `none`
    #[arg(long)]
    avatar_url: Option<OrNone<types::UserUpdateAvatarUrl>>,
    /// Admin of the company
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    admin: Option<bool>,
    /// Guest from outside the company
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    external: Option<bool>,
    /// Whether colleagues see the e-mail address
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    email_visible: Option<bool>,
    /// Whether members see this guest
    #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
    guest_visible: Option<bool>,
    /// New password, of 8 to 128 characters
    #[arg(long)]
    password: Option<types::UserUpdatePassword>,
    /// Current password; required to change the password of your own account
    #[arg(long, value_name = "PASSWORD")]
    current_password: Option<types::UserUpdateCurrentPassword>,
}

impl UserCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure::Usage`](crate::cli::failure::Failure::Usage) if the cursor of a list is malformed. Another failure if
    /// the server cannot be reached or returns an error.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::Add(add) => add.run(server).await,
            Self::List { workspace, query, page } => {
                let found = paging::all("users", &page, async |cursor, limit| {
                    admin.list_users(&workspace, Option::as_ref(&cursor), limit, query.as_ref()).await
                });
                Ok(Answer::list(found.await?, "users", COLUMNS))
            }
            Self::Show { user } => Ok(Answer::details(accept(admin.get_user(&user)).await?, "user")),
            Self::Set(set) => set.run(server).await,
            Self::State { user, state } => {
                let done = accept(admin.set_user_state(&user, &types::UserStateChange { state })).await?;
                let text = format!("{} is now {}.", done.user.id, done.user.state);
                Ok(Answer::new(&done, text))
            }
            Self::Logout { user } => {
                accept(admin.logout_user(&user)).await?;
                let text = format!("{user} was signed out. All their assistant connections were revoked.");
                Ok(Answer::done(text))
            }
            Self::BlockApp { user, app } => {
                accept(admin.block_app(&user, &app)).await?;
                Ok(Answer::done(format!("{user} no longer gets direct messages of {app}.")))
            }
            Self::UnblockApp { user, app } => {
                accept(admin.unblock_app(&user, &app)).await?;
                Ok(Answer::done(format!("{user} gets direct messages of {app} again.")))
            }
        }
    }
}

impl Add {
    async fn run(self, server: &Server) -> Result<Answer> {
        let body = types::UserCreate {
            name: self.name,
            email: self.email,
            display_name: self.display_name,
            title: self.title,
            timezone: self.timezone,
            avatar_url: self.avatar_url,
            is_admin: self.admin,
            is_external: self.external,
            email_visible: self.email_visible,
            guest_visible: self.guest_visible,
            state: self.state,
            password: self.password,
        };
        let done = accept(server.admin().create_user(&self.workspace, &body)).await?;
        let text = format!("Added {} ({}).", done.user.id, done.user.name);
        Ok(Answer::new(&done, text))
    }
}

impl UserSetArgs {
    async fn run(self, server: &Server) -> Result<Answer> {
        let (display_name, no_display_name) = OrNone::split(self.display_name);
        let (title, no_title) = OrNone::split(self.title);
        let (timezone, no_timezone) = OrNone::split(self.timezone);
        let (avatar_url, no_avatar_url) = OrNone::split(self.avatar_url);
        let body = types::UserUpdate {
            name: self.name,
            email: self.email,
            display_name,
            title,
            timezone,
            avatar_url,
            is_admin: self.admin,
            is_external: self.external,
            email_visible: self.email_visible,
            guest_visible: self.guest_visible,
            password: self.password,
            current_password: self.current_password,
        };
        let nulls = [
            ("display_name", no_display_name),
            ("title", no_title),
            ("timezone", no_timezone),
            ("avatar_url", no_avatar_url),
        ];
        let done = accept(with_nulls(&nulls, server.admin().update_user(&self.user, &body))).await?;
        Ok(Answer::details(done, "user"))
    }
}
