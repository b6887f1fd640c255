//! Tests of the operations `uploadFile` and `deleteFile`.

use bytes::Bytes;

use super::*;
use crate::support::*;

#[both_engines]
async fn upload_file(server: Server) {
    let server = server.restarted_with(|config| config.files.quota_mib_per_person = 1).await;
    let fixture = CallersFixture::new(&server).await;
    let (company, operator, person) = (&fixture.company, fixture.operator, fixture.person);
    let (id, name) = (company.id.as_str(), typed("plan.txt"));
    let made = succeeds!(201, person.upload_file(id, &name, None, "the plan"));
    let file = &made.file;
    assert_eq!((file.name.as_str(), file.size, file.workspace_id.as_str()), ("plan.txt", 8, id));
    let acting = typed(fixture.person_id.as_str());
    succeeds!(201, operator.upload_file(id, &name, Some(&acting), "the file belongs to the person"));
    let usage = succeeds!(200, person.get_user(&fixture.person_id))
        .file_usage
        .clone()
        .expect("the response contains the file usage");
    assert_eq!((usage.bytes, usage.quota_bytes), (38, Some(1 << 20)));

    refused!(400, "invalid_request", person.upload_file(id, &typed("\0"), None, "x"));
    refused!(404, "not_found", person.upload_file(NO_COMPANY, &name, None, "x"));
    refused!(404, "user_not_found", operator.upload_file(id, &name, Some(&typed(NOBODY)), "x"));
    // the files of the person would exceed the quota
    refused!(409, "conflict", person.upload_file(id, &name, None, vec![b'x'; 1 << 20]));
    refused!(413, "payload_too_large", operator.upload_file(id, &name, None, too_large()));
    company.set_state(&fixture.person_id, "deactivated").await;
    refused!(409, "user_deactivated", operator.upload_file(id, &name, Some(&acting), "x"));
}

/// Returns a body of one byte more than 100 MiB, the maximum size of a file. The body is sent in chunks, without
/// `Content-Length`, so the server cannot reject the request before the body is sent.
fn too_large() -> reqwest::Body {
    let mib = Bytes::from(vec![b'x'; 1 << 20]);
    let chunks = std::iter::repeat_n(mib, 100).chain([Bytes::from_static(b"x")]);
    reqwest::Body::wrap_stream(futures_util::stream::iter(chunks.map(Ok::<_, std::io::Error>)))
}

#[both_engines]
async fn upload_file_by_a_session_cookie_needs_a_csrf_token(server: Server) {
    let employee = server.employee().await;
    let session = employee.session(&server).await.authorization.expect("a session");
    let cookie = format!("session={}", session.trim_start_matches("Bearer "));
    let browser = Client::with_headers(&server.api(), &[("cookie", &cookie)]);
    succeeds!(200, browser.get_user(&employee.id));
    refused!(403, "forbidden", browser.upload_file(&employee.company.id, &typed("x"), None, "x"));
}

#[both_engines]
async fn delete_file(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, person) = (&fixture.company, fixture.person);
    let own = company.file(&fixture.person_id, "own.txt", "text/plain", b"x").await;
    let other = company.file(&fixture.admin_id, "other.txt", "text/plain", b"x").await;
    succeeds!(200, person.delete_file(&own));
    refused!(404, "file_not_found", person.delete_file(&own));
    refused!(403, "forbidden", person.delete_file(&other));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, upload_file(NO_COMPANY, &typed("x"), None, "x"));
    refuses_callers!(callers, delete_file(NO_FILE));
}
