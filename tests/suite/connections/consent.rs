//! Who may approve what, and where (A-125, A-162 … A-166, D-252, D-271 … D-277).

use serde_json::json;
use switchboard::{
    domain::browser::BrowserId,
    workspace::assistants::{
        authorize::Begin,
        consent::{ConsentView, Decision, Unavailable, Undecided},
    },
};

use crate::{
    on_both,
    support::{Server, assistant::*},
};

async fn request(server: &Server, client: &Client) -> String {
    let query = client.ask(&[]);
    let query: Vec<_> = query.iter().map(|(n, v)| (*n, v.as_str())).collect();
    match server.begin(&query).await {
        Begin::Consent { request } => request,
        other => panic!("{other:?}"),
    }
}

async fn view(server: &Server, employee: &Employee, request: &str) -> Option<ConsentView> {
    let who = employee.principal(server).await;
    server.running().world().consent_view(request, &who, &browser()).await.unwrap()
}

on_both! {
    async fn what_is_shown(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let request = request(&server, &client).await;
        let view = view(&server, &employee, &request).await.expect("a view");
        // A-169, D-267
        assert_eq!((&*view.client.display_name, view.client.unverified), ("Calendar Helper", true));
        assert_eq!((&*view.client.client_id, &*view.client.redirect_uri), (&*client.id, LOCAL));
        assert_eq!((&*view.person.name, view.person.email.as_deref()), ("Emil Employee", Some(&*employee.email)));
        assert_eq!(view.scopes.to_string(), "service:read service:write");
        assert_eq!(view.companies.len(), 1);
        assert_eq!(view.companies[0].user_id.encode(), employee.id);
        assert_eq!(view.companies[0].available, Ok(()));
        assert_eq!(view.expires_at, server.clock.now() + 10 * MINUTE, "D-274");
    }

    async fn another_browser_knows_nothing_of_it(server: Server) {
        // D-275
        let (employee, client) = (server.employee().await, server.client().await);
        let request = request(&server, &client).await;
        let (who, world) = (employee.principal(&server).await, server.running().world());
        let other = BrowserId::of_cookie("another browser");
        assert_eq!(world.consent_view(&request, &who, &other).await.unwrap(), None);
        let approve = Decision::Approve(employee.workspace());
        for decision in [approve, Decision::Deny] {
            let decided = world.decide(&request, &who, &other, decision).await.unwrap();
            assert_eq!(decided, Err(Undecided::Gone));
        }
        assert!(employee.decide(&server, &request, approve).await.is_ok());
    }

    async fn only_active_employees_are_offered(server: Server) {
        // D-271: one account, a person of each kind in four companies
        let employee = server.employee().await;
        for members in [json!({"is_external": true}), json!({"state": "onboarding"}), json!({})] {
            let mut body = json!({"name": "Emil", "email": employee.email});
            for (name, value) in members.as_object().unwrap() {
                body[name] = value.clone();
            }
            server.company().await.person_with(body).await;
        }
        let client = server.client().await;
        let request = request(&server, &client).await;
        let offered = view(&server, &employee, &request).await.expect("a view").companies;
        assert_eq!(offered.len(), 2);
        let who = employee.principal(&server).await;
        let switchboard::workspace::principal::Principal::Account { persons, .. } = &who else { panic!() };
        assert_eq!(persons.len(), 4);
        for person in persons {
            let decision = Decision::Approve(person.workspace_id);
            let is_offered = offered.iter().any(|c| c.workspace_id == person.workspace_id);
            if !is_offered {
                let refused = employee.decide(&server, &request, decision).await.unwrap_err();
                assert_eq!(refused, Undecided::Unavailable(Unavailable::NotEmployee), "A-162");
            }
        }
        // a company of strangers
        let stranger = server.employee().await;
        let refused = employee.decide(&server, &request, Decision::Approve(stranger.workspace())).await;
        assert_eq!(refused.unwrap_err(), Undecided::Unavailable(Unavailable::NotEmployee));
        // the request stands, so a company that is offered can still be chosen
        let chosen = offered[1].workspace_id;
        let told = employee.decide(&server, &request, Decision::Approve(chosen)).await.unwrap();
        let tokens = Tokens::of(&client.exchange(told.get("code").unwrap()).await.ok());
        assert_eq!(server.connected(&tokens.access).await.unwrap().workspace_id, chosen, "D-321");
    }

    async fn companies_that_say_no(server: Server) {
        let (employee, client) = (server.employee().await, server.client().await);
        let company = &employee.company;
        let asked = request(&server, &client).await;
        let approve = Decision::Approve(employee.workspace());
        let refused = async |why: Unavailable| {
            // checked again when the decision comes
            let told = employee.decide(&server, &asked, approve).await.unwrap_err();
            assert_eq!(told, Undecided::Unavailable(why));
            let shown = view(&server, &employee, &asked).await.expect("a view").companies;
            assert_eq!(shown[0].available, Err(why), "D-252");
        };
        company.operator.patch(&company.path("")).json(&json!({"ai_assistants": false})).ok(200).await;
        refused(Unavailable::AssistantsOff).await;
        company.operator.patch(&company.path("")).json(&json!({"ai_assistants": true})).ok(200).await;
        let block = company.path("/client_blocks/local:calendar%20helper");
        company.operator.put(&block).ok(200).await;
        refused(Unavailable::Blocked).await;
        // in another company it is not blocked
        let elsewhere = server.employee().await;
        let other = request(&server, &client).await;
        assert!(elsewhere.decide(&server, &other, Decision::Approve(elsewhere.workspace())).await.is_ok());
        company.operator.delete(&block).ok(200).await;
        // the person's own change between page and decision
        let who = employee.principal(&server).await;
        company.update_user(&employee.id, json!({"is_external": true})).await;
        let world = server.running().world();
        let told = world.decide(&asked, &who, &browser(), approve).await.unwrap().unwrap_err();
        assert_eq!(told, Undecided::Unavailable(Unavailable::NotEmployee));
        company.update_user(&employee.id, json!({"is_external": false})).await;
        // the session that decides was logged out in between
        let who = employee.principal(&server).await;
        company.operator.post(&format!("/admin/v1/users/{}/logout", employee.id)).ok(200).await;
        let told = world.decide(&asked, &who, &browser(), approve).await.unwrap().unwrap_err();
        assert_eq!(told, Undecided::Unavailable(Unavailable::NotEmployee));
        assert!(employee.decide(&server, &asked, approve).await.is_ok());
    }

    async fn consent_is_asked_every_time(server: Server) {
        //
        let (employee, client) = (server.employee().await, server.client().await);
        employee.connect(&server, &client).await;
        let again = request(&server, &client).await;
        assert!(view(&server, &employee, &again).await.is_some());
    }

    async fn admins_are_employees_too(server: Server) {
        // D-276
        let employee = server.employee().await;
        employee.company.update_user(&employee.id, json!({"is_admin": true})).await;
        let client = server.client().await;
        server.lives(&employee.connect(&server, &client).await).await;
    }
}
