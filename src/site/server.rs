//! The server's life: started on two loopback addresses, stopped when dropped.

use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::Response;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;

use super::answer::Pages;
use super::listen::listen;
use super::log::{Log, Request};
use super::routes::Stopped;
use crate::scenario::Route;

/// How long accepting rests when the process is out of file descriptors and no connection of ours is open: nothing tells
/// when another part of the process gives one back.
const OUT_OF_DESCRIPTORS: Duration = Duration::from_millis(20);

/// What a [`Site`] serves.
#[derive(Clone, Debug, Default)]
pub struct SiteSpec {
    /// The folder whose files are served.
    pub folder: Option<PathBuf>,
    /// Pages given in place: the path (`/`, `/about`, `/app.css`) and the text. They win over files.
    pub pages: Vec<(String, String)>,
    /// What is answered that neither can say. They win over both.
    pub routes: Vec<Route>,
}

/// A running server of the pages under test. Dropping it closes its listeners and its connections.
#[derive(Debug)]
pub struct Site {
    base: String,
    other: String,
    port: u16,
    log: Arc<Log>,
    stop: watch::Sender<Option<Instant>>,
    accepting: JoinHandle<()>,
}

impl Site {
    /// Starts serving at a free port of loopback. An error says what is wrong with the folder or with a page's path.
    pub async fn start(spec: SiteSpec) -> io::Result<Site> {
        Site::start_at(spec, None).await
    }

    /// The same at a port of one's own choice, where one is chosen.
    pub async fn start_at(spec: SiteSpec, port: Option<u16>) -> io::Result<Site> {
        let pages = Arc::new(Pages::new(&spec)?);
        let (port, listeners) = listen(port).await?;
        let log = Arc::new(Log::default());
        let (stop, stopped) = watch::channel(None);
        let accepting = tokio::spawn(accept(listeners, pages, Arc::clone(&log), stopped));
        Ok(Site {
            base: format!("http://127.0.0.1:{port}"),
            other: format!("http://localhost:{port}"),
            port,
            log,
            stop,
            accepting,
        })
    }

    /// The origin that paths are resolved against: `http://127.0.0.1:PORT`, without a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// A second origin, and a second site to the browser, with the same pages: `http://localhost:PORT`.
    pub fn other(&self) -> &str {
        &self.other
    }

    /// The port both origins share.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The requests answered so far, oldest first: the last 10,000 of them.
    pub fn requests(&self) -> Vec<Request> {
        self.log.requests()
    }

    /// How many requests were answered so far, those that [`Site::requests`] has forgotten included.
    pub fn request_count(&self) -> u64 {
        self.log.count()
    }

    /// Stops accepting, lets answers that are under way end until the deadline, then closes what is left.
    pub async fn close(mut self, deadline: Instant) {
        self.stop.send_replace(Some(deadline));
        // An accept loop that was aborted or panicked is over as well.
        let _ = (&mut self.accepting).await;
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // Ends the accept loop, whose `JoinSet` ends every connection with it.
        self.accepting.abort();
    }
}

async fn accept(listeners: Vec<TcpListener>, pages: Arc<Pages>, log: Arc<Log>, mut stopped: Stopped) {
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = next_of(&listeners) => accepted,
            // Finished connections are collected as they end, so that the set stays as small as what is open.
            Some(_) = connections.join_next() => continue,
            _ = stopped.changed() => break,
        };
        match accepted {
            Ok(stream) => {
                connections.spawn(serve(stream, Arc::clone(&pages), Arc::clone(&log), stopped.clone()));
            }
            Err(error) if is_of_the_peer(&error) => {}
            Err(_) => rest(&mut connections).await,
        }
    }
    drop(listeners);
    let deadline = stopped.borrow().unwrap_or_else(Instant::now);
    let _ = tokio::time::timeout_at(deadline, async { while connections.join_next().await.is_some() {} }).await;
}

/// The next connection on any of the listeners (there are one or two).
async fn next_of(listeners: &[TcpListener]) -> io::Result<TcpStream> {
    let accepted = match listeners {
        [first, second, ..] => tokio::select! {
            accepted = first.accept() => accepted,
            accepted = second.accept() => accepted,
        },
        [only] => only.accept().await,
        [] => std::future::pending().await,
    };
    accepted.map(|(stream, _)| stream)
}

/// Whether accepting failed because the peer went away already, which says nothing about the next one.
fn is_of_the_peer(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}

/// Waits for one of our own descriptors to come back, so that a full table does not make accepting spin.
async fn rest(connections: &mut JoinSet<()>) {
    let _ = tokio::time::timeout(OUT_OF_DESCRIPTORS, async {
        if connections.join_next().await.is_none() {
            std::future::pending::<()>().await;
        }
    })
    .await;
}

async fn serve(stream: TcpStream, pages: Arc<Pages>, log: Arc<Log>, mut stopped: Stopped) {
    // Answers are small and a browser waits for each: never held back to be joined with the next.
    let _ = stream.set_nodelay(true);
    let told = stopped.clone();
    let service = service_fn(move |mut request| {
        let (pages, log, stopped) = (Arc::clone(&pages), Arc::clone(&log), told.clone());
        async move {
            let started = Instant::now();
            read_through(request.body_mut()).await;
            let answer = pages.answer(&request, stopped).await;
            let entry = log.note(&request, started, answer.as_ref().ok().map(Response::status));
            answer.map(|answer| answer.map(|body| body.counted(entry)))
        }
    });
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    // A connection that ends in an error is the peer's affair: it went away, or it does not speak HTTP.
    tokio::select! {
        _ = connection.as_mut() => {}
        _ = stopped.changed() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Takes in what a request brings along, and forgets it: a connection that is closed with some of it unread loses the answer too.
async fn read_through(body: &mut Incoming) {
    let mut body = Pin::new(body);
    while let Some(Ok(_)) = std::future::poll_fn(|context| body.as_mut().poll_frame(context)).await {}
}
