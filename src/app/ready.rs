//! Whether an application answers.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;
use ureq::Agent;
use ureq::tls::TlsConfig;
use url::Url;

use super::port::is_of_this_machine;

/// The pauses between two questions: nobody tells when a port begins to be listened to.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// From this status on, an answer says that there is none yet: a proxy tells so of the server behind it.
const NOT_READY: u16 = 500;

/// What is told of a question that nobody answered in time.
const UNANSWERED: &str = "a connection, and no answer";

/// Resolves once something answers there. At the deadline, what was seen last, as in `status 503`.
pub(super) async fn until_answered(url: &Url, deadline: Instant) -> Result<(), String> {
    let mut pause = FIRST_PAUSE;
    let mut last = None;
    loop {
        let seen = match ask(url, deadline.saturating_duration_since(Instant::now())).await {
            Ok(status) if status < NOT_READY => return Ok(()),
            Ok(status) => format!("status {status}"),
            Err(reason) => reason,
        };
        // A question that the deadline cut off says less than an answer before it.
        let seen = if seen == UNANSWERED { last.take().unwrap_or(seen) } else { seen };
        if Instant::now() + pause >= deadline {
            return Err(seen);
        }
        last = Some(seen);
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Asks once, on a thread of its own that nobody waits for: a server that accepts and never answers holds up no end of a run.
async fn ask(url: &Url, limit: Duration) -> Result<u16, String> {
    let (sender, answer) = oneshot::channel();
    let url = url.clone();
    let asking = std::thread::Builder::new().name("asking".to_owned()).spawn(move || {
        // Nobody may be interested any more.
        let _ = sender.send(ask_now(&url, limit));
    });
    asking.map_err(|error| error.to_string())?;
    answer.await.unwrap_or_else(|_| Err("no answer".to_owned()))
}

fn ask_now(url: &Url, limit: Duration) -> Result<u16, String> {
    // Whoever answers is enough: a redirect is not followed, and whether a certificate is good is for the browser to say.
    let mut config = Agent::config_builder()
        .timeout_global(Some(limit.max(Duration::from_millis(1))))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .tls_config(TlsConfig::builder().disable_verification(true).build())
        .user_agent(concat!("playscript/", env!("CARGO_PKG_VERSION")));
    let mut asked = url.clone();
    let mut host = None;
    if is_of_this_machine(url) {
        // A proxy knows nothing of this machine, and only browsers know its other names.
        config = config.proxy(None);
        if let Some(name) = url.domain().filter(|name| *name != "localhost") {
            host = Some(url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}")));
            // An address with a host takes another one.
            let _ = asked.set_host(Some("localhost"));
        }
    }
    let agent: Agent = config.build().into();
    let mut request = agent.get(asked.as_str());
    if let Some(host) = host {
        request = request.header("host", host);
    }
    match request.call() {
        Ok(response) => Ok(response.status().as_u16()),
        Err(ureq::Error::Timeout(_)) => Err(UNANSWERED.to_owned()),
        Err(ureq::Error::Io(error)) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            Err("connection refused".to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// A server that answers its connections with these, one after the other.
    fn server(answers: &'static [&'static str]) -> Url {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
        std::thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let text = format!("HTTP/1.1 {answer}\r\nconnection: close\r\ncontent-length: 0\r\n");
                // Whoever asked may have given up.
                let _ = stream.read(&mut [0; 4096]);
                let _ = write!(stream, "{text}location: http://127.0.0.1:1/\r\n\r\n");
            }
        });
        url
    }

    fn soon(limit: Duration) -> Instant {
        Instant::now() + limit
    }

    #[tokio::test]
    async fn any_answer_is_one_but_that_there_is_none_yet() {
        for answers in [&["503 Busy", "502 Soon", "404 Missing"][..], &["302 Found"], &["401 Who"]] {
            until_answered(&server(answers), soon(Duration::from_secs(30))).await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_name_of_this_machine_that_only_browsers_know_leads_there() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut bytes = [0; 4096];
            let length = stream.read(&mut bytes).unwrap();
            write!(stream, "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n").unwrap();
            String::from_utf8_lossy(&bytes[..length]).to_lowercase()
        });
        let url = Url::parse(&format!("http://shop.localhost:{port}/a")).unwrap();
        until_answered(&url, soon(Duration::from_secs(30))).await.unwrap();
        let asked = asked.join().unwrap();
        assert!(
            asked.starts_with("get /a ") && asked.contains(&format!("\r\nhost: shop.localhost:{port}\r\n")),
            "{asked}"
        );
        assert_eq!(asked.matches("\r\nhost:").count(), 1, "{asked}");
    }

    #[tokio::test]
    async fn what_was_seen_last_is_told() {
        let limit = Duration::from_millis(100);
        // Time for one answer on the busiest machine.
        let endless = server(&["503 Busy"; 1000]);
        assert_eq!(until_answered(&endless, soon(limit * 20)).await, Err("status 503".to_owned()));
        let silent = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = Url::parse(&format!("http://{}", silent.local_addr().unwrap())).unwrap();
        assert_eq!(until_answered(&url, soon(limit)).await, Err("a connection, and no answer".to_owned()));
        drop(silent);
        assert_eq!(until_answered(&url, soon(limit)).await, Err("connection refused".to_owned()));
    }
}
