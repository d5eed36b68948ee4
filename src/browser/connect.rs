//! Connecting to a browser that already runs.

use std::io;

use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;
use url::Url;

use super::running::Browser;
use super::targets::Targets;
use super::{BrowserError, product};
use crate::cdp::browser::GetVersion;
use crate::cdp::{ConnectError, Connection};

/// An answer about a version has a few hundred bytes.
const LONGEST_ANSWER: u64 = 1 << 20;

impl Browser {
    /// Connects to a browser that runs with `--remote-debugging-port`: by its address
    /// (`http://host:port` or `host:port`), which is asked for the WebSocket's, or by the
    /// WebSocket's own (`ws://…`). Proxies of the environment play no part.
    pub async fn connect(url: &str, deadline: Instant) -> Result<Browser, BrowserError> {
        let socket = if url.starts_with("ws://") || url.starts_with("wss://") {
            url.to_owned()
        } else {
            let begun = Instant::now();
            let timed_out = |_| ConnectError::TimedOut { url: url.to_owned(), waited: begun.elapsed() };
            tokio::time::timeout_at(deadline, ask(url)).await.map_err(timed_out)??
        };
        let connection = Connection::over_websocket(&socket, deadline).await?;
        let product = connection.root().call(&GetVersion {}, deadline).await?.product;
        let targets = Targets::follow(&connection, deadline).await?;
        Ok(Browser {
            connection,
            targets,
            launched: None,
            version: product::version(&product).to_owned(),
            windows: !product::is_headless_shell(&product),
            product: product::name(product::brand(&product), &product),
            notices: Vec::new(),
        })
    }
}

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "webSocketDebuggerUrl")]
    socket: String,
}

/// Asks the browser for the address of its WebSocket.
async fn ask(url: &str) -> Result<String, ConnectError> {
    let refused = |reason: String| ConnectError::Address { url: url.to_owned(), reason };
    let full = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    let parsed = Url::parse(&full).map_err(|error| refused(error.to_string()))?;
    if parsed.scheme() != "http" {
        return Err(refused("it must begin with http:// or ws://".to_owned()));
    }
    let host = parsed.host_str().ok_or_else(|| refused("it names no host".to_owned()))?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = parsed.port_or_known_default().unwrap_or(80);
    let unreachable = |source| ConnectError::Unreachable { address: format!("{host}:{port}"), source };
    let socket = TcpStream::connect((host, port)).await.map_err(unreachable)?;
    // Chrome answers only those who call it by a number or as localhost.
    let peer = socket.peer_addr().map_err(unreachable)?;
    let body = get(socket, &peer.to_string(), "/json/version").await;
    let odd = |reason: String| ConnectError::Handshake { url: url.to_owned(), reason };
    let body = body.map_err(|error| odd(error.to_string()))?;
    let answer: Answer =
        serde_json::from_slice(&body).map_err(|error| odd(format!("/json/version cannot be read: {error}")))?;
    let mut socket = Url::parse(&answer.socket).map_err(|error| odd(error.to_string()))?;
    // Behind a forwarded port the browser does not know the address that it is reached by.
    if socket.set_ip_host(peer.ip()).is_err() || socket.set_port(Some(peer.port())).is_err() {
        return Err(odd(format!("it names the address {}", answer.socket)));
    }
    Ok(socket.into())
}

/// One small request, whose answer ends with the connection or as its length says.
async fn get(mut socket: TcpStream, host: &str, path: &str) -> io::Result<Vec<u8>> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    let mut limited = socket.take(LONGEST_ANSWER);
    loop {
        if let Some(body) = body(&answer)? {
            return Ok(body.to_vec());
        }
        if limited.read_buf(&mut answer).await? == 0 {
            break;
        }
    }
    let Some((_, body)) = head_and_body(&answer) else {
        return Err(io::Error::other("it does not speak HTTP"));
    };
    Ok(body.to_vec())
}

/// The body, once it is there as long as the head says.
fn body(answer: &[u8]) -> io::Result<Option<&[u8]>> {
    let Some((head, body)) = head_and_body(answer) else {
        return Ok(None);
    };
    let head = String::from_utf8_lossy(head);
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    if status.split_ascii_whitespace().nth(1) != Some("200") {
        return Err(io::Error::other(format!("it answers /json/version with `{status}`")));
    }
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    Ok(length.and_then(|length| body.get(..length)))
}

fn head_and_body(answer: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some((&answer[..end], &answer[end + 4..]))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use std::time::Duration;

    use tokio::net::TcpListener;

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(5)
    }

    /// Answers one request with these bytes and closes.
    async fn answering(answer: String) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = [0; 1000];
            let length = socket.read(&mut request).await.unwrap();
            assert!(request[..length].starts_with(b"GET /json/version HTTP/1.1\r\n"));
            socket.write_all(answer.as_bytes()).await.unwrap();
        });
        address.to_string()
    }

    #[tokio::test]
    async fn the_address_that_is_reachable_replaces_the_one_that_is_told() {
        let body = r#"{"webSocketDebuggerUrl":"ws://localhost:1/devtools/browser/7"}"#;
        for head in [format!("Content-Length: {}\r\n", body.len()), String::new()] {
            let host = answering(format!("HTTP/1.1 200 OK\r\n{head}\r\n{body}")).await;
            let expected = format!("ws://{host}/devtools/browser/7");
            assert_eq!(ask(&host).await.unwrap(), expected);
        }
    }

    #[tokio::test]
    async fn others_are_told_apart() {
        let host = answering("HTTP/1.1 404 Not Found\r\n\r\n".to_owned()).await;
        let message = Browser::connect(&format!("http://{host}"), soon()).await.unwrap_err().to_string();
        assert!(message.contains("404 Not Found"), "{message}");
        let host = answering("SSH-2.0-OpenSSH\r\n".to_owned()).await;
        let message = Browser::connect(&host, soon()).await.unwrap_err().to_string();
        assert!(message.contains("does not speak HTTP"), "{message}");
        let message = Browser::connect("https://localhost:1", soon()).await.unwrap_err().to_string();
        assert!(message.contains("must begin with http:// or ws://"), "{message}");
        let message = Browser::connect("wss://localhost:1/", soon()).await.unwrap_err().to_string();
        assert!(message.contains("must begin with ws://"), "{message}");
    }

    #[tokio::test]
    async fn nothing_there_and_no_answer_are_told_apart() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let brief = Instant::now() + Duration::from_millis(100);
        let error = Browser::connect(&address, brief).await.unwrap_err();
        assert!(matches!(error, BrowserError::Connect(ConnectError::TimedOut { .. })), "{error}");
        // Bound, so that no other test gets the port, and nobody listens.
        let bound = tokio::net::TcpSocket::new_v4().unwrap();
        bound.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = bound.local_addr().unwrap().to_string();
        let error = Browser::connect(&address, soon()).await.unwrap_err();
        assert!(matches!(error, BrowserError::Connect(ConnectError::Unreachable { .. })), "{error}");
    }
}
