//! Requests that several commands send to the admin API and the bot API, and the validation of command-line arguments.

use serde::{Deserialize, Serialize};
use switchboard_clients::admin::{Client, types};

use super::{
    client::{Server, accept, accept_json, with_content_type},
    failure::{Failure, Result},
};
use crate::platform::secrets::Secret;

/// Scopes that apps can be granted.
pub const SCOPES: &[&str] = &[
    "messages:write",
    "users:read",
    "users:read.email",
    "conversations:read",
    "conversations:history",
    "files:read",
];

/// Parses the text of an argument into a type of the generated client, so that invalid text is rejected without a
/// request. `argument` is the name of the argument in the error text.
///
/// # Errors
/// [`Failure::Usage`] if the text is invalid.
pub fn checked<T>(argument: &str, text: impl AsRef<str>) -> Result<T>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    text.as_ref().parse().map_err(|error| Failure::Usage(format!("{argument} is not valid: {error}")))
}

/// Returns all scopes.
///
/// # Errors
/// [`Failure::Usage`] if a name in [`SCOPES`] is not a scope of the API. This does not happen, because a test compares
/// the names with `openapi/admin.yaml`.
pub fn every_scope() -> Result<Vec<types::Scope>> {
    SCOPES.iter().map(|scope| checked("the scope", scope)).collect()
}

/// The response of `POST /oauth/token` to the exchange of an install code.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct BotToken {
    /// The bot token, returned only once.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: String,
    /// The scopes of the token, separated by spaces.
    pub scope: String,
    /// Id of the app.
    pub app_id: String,
    /// The bot user.
    pub bot: ObjectReference,
    /// The company.
    pub workspace: ObjectReference,
}

/// A reference to an object by its id.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ObjectReference {
    /// Id of the object.
    pub id: String,
}

/// Exchanges an install code for a bot token, with the app's credentials. If the installation was approved with a
/// redirect URI, `redirect_uri` must be the same URI.
///
/// # Errors
/// An error response, a failure to reach the server, or a response that cannot be parsed.
pub async fn exchange(
    server: &Server,
    client_id: &str,
    client_secret: &Secret,
    code: &str,
    redirect_uri: Option<&str>,
) -> Result<BotToken> {
    let mut form = vec![("grant_type", "authorization_code"), ("code", code)];
    form.extend(redirect_uri.map(|uri| ("redirect_uri", uri)));
    let form = serde_urlencoded::to_string(form).map_err(|error| Failure::Usage(error.to_string()))?;
    let request = server
        .post("/oauth/token")
        .basic_auth(client_id, Some(client_secret.expose()))
        .header(reqwest::header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(form);
    let answer = accept_json(request).await?;
    serde_json::from_value(answer).map_err(|error| {
        Failure::Unreachable(format!(
            "the response does not have the format of this version of Switchboard: {error}"
        ))
    })
}

/// Approves the installation of an app as the admin `by`, with all of the app's scopes, and returns the install code.
///
/// # Errors
/// [`Failure::Usage`] if the text of an argument is not valid in the API. An error response, or a failure to reach the
/// server.
pub async fn approve_as(
    server: &Server,
    workspace: &str,
    app: &str,
    by: &str,
    redirect_uri: &str,
) -> Result<String> {
    let body = types::InstallationCreate {
        app_id: checked("the app", app)?,
        scopes: None,
        redirect_uri: Some(checked("the redirect URI", redirect_uri)?),
        code_challenge: None,
    };
    let by: types::CreateInstallationXActingUser = checked("the admin", by)?;
    Ok(accept(server.admin().create_installation(workspace, Some(&by), &body)).await?.code)
}

/// Uploads `content` as a file with the name `name` and the media type `mimetype`. `owner` is the id of the person who
/// owns the file. If `owner` is `None`, the file belongs to the session's person or to the person named by `--as`.
///
/// # Errors
/// [`Failure::Usage`] if the API does not allow the name or the owner. An error response, or a failure to reach the
/// server.
pub async fn upload(
    server: &Server,
    workspace: &str,
    owner: Option<&str>,
    name: &str,
    mimetype: String,
    content: Vec<u8>,
) -> Result<types::FileResult> {
    let name: types::UploadFileName = checked("the file's name", name)?;
    let owner: Option<types::UploadFileXActingUser> =
        owner.map(|user| checked("the owner", user)).transpose()?;
    let call = async |client: &Client, body| {
        let call = client.upload_file(workspace, &name, owner.as_ref(), body);
        accept(with_content_type(mimetype, call)).await
    };
    server.upload(content, call).await
}
