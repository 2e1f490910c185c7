//! `bellwether lsp`: the language server on standard input and output.
//!
//! ```text
//! stdin ─▶ wire ─▶ server ─── events ──▶ event loop, with the state (one thread owns everything)
//!                    ▲                      │   │   ▲
//!                    └── requests ◀─ view ──┘   │   └── what builders and campaigns say, as events
//! stdout ◀── deliver ◀── outbox ◀───────────────┤
//!                                               └── orders ─▶ builder of each project: compiles, turns the campaign to the new build
//! ```
//!
//! No two files here import each other, not even by way of others; `tests/layers.rs` reads the imports. From the bottom up: what the client
//! is and what is said to it (`client/`, `documents`); a project and all of them (`project/`, `projects`); what is shown of them
//! (`diagnostics`, `publish`, `lenses`, `view`, `requests/`); what changes all that (`state`, `event_loop`); the protocol (`server`).

mod attention;
mod client;
mod coverage;
mod coverage_news;
mod defects;
mod deliver;
mod diagnostics;
mod documents;
mod event;
mod event_loop;
mod exchange;
mod hint_refresh;
mod lens_refresh;
mod lenses;
mod pace;
mod pages;
mod parent;
mod power;
mod project;
mod projects;
mod publish;
mod requests;
mod server;
mod state;
mod trust;
mod uri;
mod view;
pub(crate) mod wire;
mod workspace;

pub(crate) use trust::remembered_trust;

use client::{
    log,
    outbox::{Deliveries, Outbox},
};
use defects::Defects;
use event::ServerEvent;
use event_loop::EventLoop;
use server::Server;
use state::GlobalState;
use std::{
    convert::Infallible,
    process::ExitCode,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{Sender, channel},
    },
    time::Duration,
};
use tokio::{io::DuplexStream, sync::oneshot};
use tower_lsp_server::LspService;
use view::Views;

/// The time for sending the last messages at the end, and again for the shutdown itself; chosen by hand.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(1_900);
/// Requests that wait for an answer at the same time, at most; chosen by hand. Each is answered soon, so few do.
const MAX_REQUESTS: usize = 64;
/// The size of the buffer between the wire and the codec, in bytes; chosen by hand.
const PIPE_BYTES: usize = 64 << 10;

/// Options of `bellwether lsp`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How much to log on standard error: error, warn, info, debug, trace
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log: String,
}

/// Runs the server until the client ends it. The exit code is 0 if it said `shutdown` before, as the protocol has it.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (outbox, deliveries) = Outbox::new();
    let log = log::start(&arguments.log, outbox.clone())?;
    let (events, received) = channel();
    let (showing, views) = Views::new();
    let defects = Defects::new(outbox.clone());
    let event_loop = EventLoop::new(GlobalState::new(events.clone(), outbox.clone()), showing, defects.clone());
    // Dropped with the thread, however that ends.
    let (alive, state_ended) = oneshot::channel::<Infallible>();
    std::thread::Builder::new().name("state".to_owned()).spawn(move || {
        event_loop.run(&received);
        drop(alive);
    })?;

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let shut_down = AtomicBool::new(false);
    runtime.block_on(async {
        let (parent_ends, parent_ended) = oneshot::channel();
        let server = Server::new(events.clone(), views, outbox, defects, parent_ends);
        let (pipe, stdin) = tokio::io::duplex(PIPE_BYTES);
        let served = serve(server, stdin, deliveries, events.clone());
        let (reader, feeder) = wire::backlog();
        let served = async {
            tokio::pin!(served);
            tokio::select! {
                () = &mut served => {}
                // All that came is handed over, or the codec has ended; either way, so does the service.
                _ = feeder.feed(pipe) => served.await,
            }
        };
        tokio::pin!(served);
        tokio::select! {
            () = &mut served => {}
            ended = reader.read(tokio::io::stdin(), &shut_down, wire::abandoned()) => {
                if let Err(error) = ended {
                    tracing::warn!("the client cannot be read: {error}");
                }
                // The end does not wait for a client that does not read.
                let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, served).await;
            }
            () = told(parent_ended) => tracing::warn!("the client's process ended"),
            () = fallen(state_ended, &shut_down) => tracing::error!("the thread that holds the state panicked: the server ends"),
        }
        if !shut_down.load(Ordering::SeqCst) {
            tracing::warn!("the client ended without asking the server to shut down");
        }
        close(&events).await;
    });
    // Standard input may stay open for ever, and is still being read.
    runtime.shutdown_background();
    log.flush(SHUTDOWN_TIMEOUT);
    Ok(ExitCode::from(u8::from(!shut_down.load(Ordering::SeqCst))))
}

/// Answers requests from this input and delivers messages to the client, until the input ends.
async fn serve(server: Server, stdin: DuplexStream, deliveries: Deliveries, events: Sender<ServerEvent>) {
    let mut loopback = None;
    let (service, socket) = LspService::build(|client| {
        loopback = Some(client);
        server
    })
    .custom_method(wire::MALFORMED, Server::malformed)
    .custom_method(attention::ACTIVE_EDITOR, Server::active_editor)
    .custom_method(client::coverage::METHOD, Server::coverage)
    .custom_method(requests::finding::TRACE, Server::trace)
    .custom_method(requests::finding::FINDING, Server::finding)
    .finish();
    if let Some(client) = loopback {
        tokio::spawn(deliver::deliver(deliveries, client, events));
    }
    tower_lsp_server::Server::new(stdin, tokio::io::stdout(), socket)
        .concurrency_level(MAX_REQUESTS)
        .serve(service)
        .await;
}

/// Ends when it is notified; never, if the sender is gone.
async fn told(event: oneshot::Receiver<()>) {
    if event.await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Ends when the state's thread ends without having been asked to. Nothing is answered any more then, and an editor starts the
/// server again.
async fn fallen(state_ended: oneshot::Receiver<Infallible>, shut_down: &AtomicBool) {
    let _ = state_ended.await;
    if shut_down.load(Ordering::SeqCst) {
        std::future::pending::<()>().await;
    }
}

/// Ends fuzzing and compiling, unless that was done already.
async fn close(events: &Sender<ServerEvent>) {
    let (reply, done) = oneshot::channel();
    if events.send(ServerEvent::Shutdown { reply }).is_ok() {
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, done).await;
    }
}
