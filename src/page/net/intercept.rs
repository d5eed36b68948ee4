//! A request that is held up: who answers it.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::time::sleep;

use super::answer::{headers_of, origin_of, preflight_headers, value_of};
use super::mock::MockAnswer;
use super::traffic::Traffic;
use crate::cdp::{Session, fetch};

impl Traffic {
    /// Answers a request, or lets it go.
    pub(super) fn paused(&self, session: &Session, paused: &fetch::RequestPaused<'_>) {
        let request = &paused.request;
        let id = paused.request_id.to_string();
        let mut inner = self.inner();
        // The browser asks first whether the page may ask another origin: the mock that will answer says yes.
        let wanted = value_of(&request.headers, "access-control-request-method");
        let preflight = wanted.filter(|_| request.method == "OPTIONS");
        let method = preflight.unwrap_or(&request.method);
        let found = inner.mocks.iter().rposition(|set| set.answers(method, &request.url));
        let Some(set) = found.and_then(|at| inner.mocks.get_mut(at)) else {
            let more = origin_of(&request.url).and_then(|origin| inner.headers.get(&origin));
            let headers = more.map(|more| headers_of(&request.headers, more));
            session.send(&fetch::ContinueRequest { request_id: &id, headers });
            return;
        };
        if preflight.is_some() {
            let headers = preflight_headers(&request.headers);
            let headers = fetch_headers(&headers);
            session.send(&fetch::FulfillRequest {
                request_id: &id,
                response_code: 204,
                response_headers: &headers,
                body: "",
            });
            return;
        }
        set.used += 1;
        let (answer, delay) = (set.mock.answer.clone(), set.mock.delay);
        if let Some(id) = &paused.network_id {
            inner.mocked(id);
        }
        drop(inner);
        let allow = super::answer::allow_headers(&request.headers);
        let session = session.clone();
        if delay == Duration::ZERO {
            respond(&session, &id, answer, allow);
        } else {
            tokio::spawn(async move {
                // The time that the mock was told to take.
                sleep(delay).await;
                respond(&session, &id, answer, allow);
            });
        }
    }

    /// Answers a server that asks for a password.
    pub(super) fn asked(&self, session: &Session, asked: &fetch::AuthRequired<'_>) {
        let id = &*asked.request_id;
        let mut inner = self.inner();
        let known = inner.passwords.get(&*asked.auth_challenge.origin).cloned();
        // One that was given already is wrong, and would be asked for without end.
        let known = known.filter(|_| inner.refused.insert(id.to_owned()));
        let answer = match &known {
            Some((user, password)) => {
                fetch::AuthAnswer { response: "ProvideCredentials", username: Some(user), password: Some(password) }
            }
            None if inner.refused.contains(id) => {
                fetch::AuthAnswer { response: "CancelAuth", username: None, password: None }
            }
            None => fetch::AuthAnswer { response: "Default", username: None, password: None },
        };
        session.send(&fetch::ContinueWithAuth { request_id: id, auth_challenge_response: answer });
    }
}

fn respond(session: &Session, id: &str, answer: MockAnswer, allow: Vec<(String, String)>) {
    match answer {
        MockAnswer::Abort => session.send(&fetch::FailRequest { request_id: id, error_reason: "Failed" }),
        MockAnswer::Respond { status, mut headers, body } => {
            if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("access-control-allow-origin")) {
                headers.extend(allow);
            }
            let response_headers = fetch_headers(&headers);
            let body = STANDARD.encode(body);
            session.send(&fetch::FulfillRequest {
                request_id: id,
                response_code: status,
                response_headers: &response_headers,
                body: &body,
            });
        }
    }
}

fn fetch_headers(headers: &[(String, String)]) -> Vec<fetch::Header<'_>> {
    headers.iter().map(|(name, value)| fetch::Header { name: name.into(), value: value.into() }).collect()
}
