//! Which employees may approve an authorization request, and for which company (A-125, A-162 … A-166, D-252, D-271,
//! D-274 … D-277).

use serde_json::json;
use switchboard::{
    domain::ids::WorkspaceId,
    service::oauth::consent::{ConsentDecision, Unavailable, Undecided},
};

use crate::support::{Server, assistant::*, authorize::*, both_engines, mcp::MODERN};

async fn request(server: &Server, client: &Client) -> String {
    server.begin_for(client, &[]).await.request()
}

/// Returns the companies that the consent page lists for an employee.
async fn offered(server: &Server, employee: &Employee, request: &str) -> Vec<Offered> {
    employee.open(server, request).await.expect("the consent page").companies()
}

#[both_engines]
async fn the_consent_page_shows_the_client_the_account_and_the_access(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let request = request(&server, &client).await;
    let form = employee.open(&server, &request).await.expect("the consent page");
    // A-169, D-267: the page shows the client, the host of its redirect URI, the person, and a sentence for each scope
    form.page.shows("Connect Calendar Helper?").shows("Unverified").shows("<strong>127.0.0.1</strong>");
    form.page.shows("Emil Employee").shows(&employee.email);
    form.page
        .shows("conversations, messages, files, colleagues and your drafts")
        .shows("send messages in your name");
    assert_eq!(
        form.companies(),
        [Offered { id: employee.company.id.clone(), why: None }],
        "the page lists the company of the employee (A-163)"
    );
    server.clock.advance(10 * MINUTE - seconds(1));
    assert!(
        employee.open(&server, &request).await.is_ok(),
        "an authorization request is valid until 10 minutes after its start (D-274)"
    );
    server.clock.advance(seconds(1));
    assert_eq!(
        employee.open(&server, &request).await.err(),
        Some(Undecided::NoRequest),
        "an authorization request expires 10 minutes after its start (D-274)"
    );
}

#[both_engines]
async fn another_browser_can_neither_open_nor_decide_the_request(server: Server) {
    // D-275: an authorization request belongs to the browser that began it
    let (employee, client) = (server.employee().await, server.client().await);
    let request = request(&server, &client).await;
    let other = employee.signed_in(server.browser_named("another-browser")).await;
    assert_eq!(open_in(other, &request).await.err(), Some(Undecided::NoRequest));
    // the second browser posts the form that the first browser opened; both browsers have the same session
    let approve = ConsentDecision::Approve(employee.workspace());
    let form = employee.open(&server, &request).await.expect("the consent page");
    for decision in [approve, ConsentDecision::Deny] {
        let mut elsewhere = form.in_browser("another-browser");
        assert_eq!(
            elsewhere.decide(decision).await.err(),
            Some(Undecided::NoRequest),
            "a decision from another browser is rejected (D-275)"
        );
    }
    assert!(employee.decide(&server, &request, approve).await.is_ok());
}

#[both_engines]
async fn only_companies_in_which_the_account_is_an_active_employee_are_offered(server: Server) {
    // D-271: the account belongs to a person in each of four companies: two active employees, a guest,
    // and a person who is still onboarding
    let employee = server.employee().await;
    let mut companies = Vec::new();
    for members in [json!({"is_external": true}), json!({"state": "onboarding"}), json!({})] {
        let mut body = json!({"name": "Emil", "email": employee.email});
        for (name, value) in members.as_object().unwrap() {
            body[name] = value.clone();
        }
        let company = server.company().await;
        company.person_with(body).await;
        companies.push(company);
    }
    let client = server.client().await;
    let request = request(&server, &client).await;
    let offered = offered(&server, &employee, &request).await;
    let shown: Vec<_> = offered.iter().map(|company| company.id.as_str()).collect();
    assert_eq!(
        shown,
        [&*employee.company.id, &*companies[2].id],
        "the page offers the companies in which the account is an active employee (A-162, A-163)"
    );
    for company in &companies[..2] {
        let decision = ConsentDecision::Approve(WorkspaceId::parse(&company.id).unwrap());
        let refused = employee.decide(&server, &request, decision).await.unwrap_err();
        assert_eq!(
            refused,
            Undecided::Unavailable(Unavailable::NotEmployee),
            "only active employees can approve (A-162)"
        );
    }
    // the account belongs to no person in the company of `stranger`
    let stranger = server.employee().await;
    let refused = employee.decide(&server, &request, ConsentDecision::Approve(stranger.workspace())).await;
    assert_eq!(refused.unwrap_err(), Undecided::Unavailable(Unavailable::NotEmployee));
    // the authorization request is still valid after the rejections, so the account can choose an available company
    let chosen = WorkspaceId::parse(&companies[2].id).unwrap();
    let outcome = employee.decide(&server, &request, ConsentDecision::Approve(chosen)).await.unwrap();
    let tokens = Tokens::of(&client.exchange(outcome.get("code").unwrap()).await.ok());
    let who = server.mcp(&tokens.access, MODERN).tool("whoami", json!({})).await.result();
    assert_eq!(
        who["structuredContent"]["workspace"]["id"],
        companies[2].id.as_str(),
        "the connection is for the chosen company (D-321)"
    );
}

#[both_engines]
async fn an_approval_for_an_unavailable_company_is_rejected(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let company = &employee.company;
    let asked = request(&server, &client).await;
    let approve = ConsentDecision::Approve(employee.workspace());
    let assert_refused = async |why: Unavailable| {
        // the page shows the company as unavailable, and the server rejects an approval that is sent anyway
        let outcome = employee.decide(&server, &asked, approve).await.unwrap_err();
        assert_eq!(outcome, Undecided::Unavailable(why));
        let shown = offered(&server, &employee, &asked).await;
        assert_eq!(shown[0].why, Some(why), "the page shows why a company is unavailable (D-252)");
    };
    company.operator.patch(&company.path("")).json(&json!({"ai_assistants": false})).ok(200).await;
    // a company that has turned assistants off cannot be chosen
    assert_refused(Unavailable::AssistantsOff).await;
    company.operator.patch(&company.path("")).json(&json!({"ai_assistants": true})).ok(200).await;
    let block = company.path("/client_blocks/local:calendar%20helper");
    company.operator.put(&block).ok(200).await;
    // a company that has blocked the client cannot be chosen either
    assert_refused(Unavailable::Blocked).await;
    // the client is not blocked in another company
    let elsewhere = server.employee().await;
    let other = request(&server, &client).await;
    assert!(elsewhere.decide(&server, &other, ConsentDecision::Approve(elsewhere.workspace())).await.is_ok());
    company.operator.delete(&block).ok(200).await;
    // the person becomes a guest between the page and the decision
    let mut form = employee.open(&server, &asked).await.expect("the consent page");
    company.update_user(&employee.id, json!({"is_external": true})).await;
    let outcome = form.decide(approve).await.unwrap_err();
    assert_eq!(
        outcome,
        Undecided::Unavailable(Unavailable::NotEmployee),
        "the checks are repeated at the approval (A-166)"
    );
    company.update_user(&employee.id, json!({"is_external": false})).await;
    // D-317: the operator signs the person out between the page and the decision
    let mut form = employee.open(&server, &asked).await.expect("the consent page");
    company.operator.post(&format!("/admin/v1/users/{}/logout", employee.id)).ok(200).await;
    let answer = form.post(approve).await;
    assert!(
        answer.to().starts_with("/signin?next="),
        "a forced log-out ends the session (D-317): {}",
        answer.to()
    );
    assert_eq!(employee.connections().await.len(), 0);
    assert!(employee.decide(&server, &asked, approve).await.is_ok());
}

#[both_engines]
async fn every_authorization_request_needs_a_consent(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    employee.connect(&server, &client).await;
    let again = request(&server, &client).await;
    assert!(
        employee.open(&server, &again).await.is_ok(),
        "the consent page is shown even if the employee has approved the client before (A-172)"
    );
}

#[both_engines]
async fn an_admin_can_approve_a_client(server: Server) {
    // D-276: an admin is an employee, and employees can approve clients
    let employee = server.employee().await;
    employee.company.update_user(&employee.id, json!({"is_admin": true})).await;
    let client = server.client().await;
    server.assert_active(&employee.connect(&server, &client).await).await;
}
