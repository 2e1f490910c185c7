//! An [`EditorExchange`] is the editor's part in what machines share: the mailbox of all projects, and who carries records to and from the
//! address in the user's settings. Without an address the mailbox is empty.

use super::event::ServerEvent;
use crate::exchange::{Address, Follower, News};
use bellwether::{
    corpus::exchange::{Exchange, Mailbox},
    project::Config,
};
use std::{
    path::Path,
    sync::{Arc, mpsc::Sender},
    thread::JoinHandle,
    time::Duration,
};

/// The exchange of all projects.
#[derive(Debug)]
pub(super) struct EditorExchange {
    mailbox: Arc<Mailbox>,
    /// What is followed.
    following: Option<Following>,
    events: Sender<ServerEvent>,
}

/// An address in the settings.
#[derive(Debug)]
struct Following {
    /// As it is written there, and whether what is found here goes there.
    written: String,
    shares: bool,
    /// Who follows it, if it is one.
    follower: Option<Follower>,
}

impl EditorExchange {
    /// Without an address; what happens goes to `events`.
    pub(super) fn new(events: Sender<ServerEvent>) -> Self {
        // An editor waits for nobody: what others found comes when it comes.
        let mailbox = Arc::new(Mailbox::new(Duration::ZERO));
        mailbox.set_shares(false);
        Self { mailbox, following: None, events }
    }

    /// The exchange, for campaigns.
    pub(super) fn mailbox(&self) -> Arc<dyn Exchange> {
        self.mailbox.clone()
    }

    /// Follows the address in the settings. Returns a complaint if it is none.
    pub(super) fn configure(&mut self, config: &Config) -> Option<String> {
        let shares = config.share_findings.unwrap_or(false) && config.exchange.is_some();
        self.mailbox.set_shares(shares);
        let now = self.following.as_ref().map(|it| (&it.written, it.shares));
        if now == config.exchange.as_ref().map(|written| (written, shares)) {
            return None;
        }
        drop(self.dismiss());
        let written = config.exchange.clone()?;
        let (follower, complaint) = match self.follow(&written, shares) {
            Ok(follower) => (Some(follower), None),
            Err(why) => (None, Some(format!("`exchange`: {why}"))),
        };
        self.following = Some(Following { written, shares, follower });
        complaint
    }

    fn follow(&self, written: &str, shares: bool) -> Result<Follower, String> {
        let address: Address = written.parse().map_err(|error: anyhow::Error| error.to_string())?;
        if matches!(&address, Address::Folder(folder) if !Path::is_absolute(folder)) {
            return Err(format!("{written}: give the whole path of the folder"));
        }
        let events = self.events.clone();
        let tell = Box::new(move |news: &News| {
            let event = match news {
                News::Trouble(words) => ServerEvent::ExchangeTrouble(words.clone()),
                News::Reached(words) => return tracing::info!("exchange: {words}"),
                News::Arrived => ServerEvent::Received,
            };
            // Nobody listens any more when the server ends.
            let _ = events.send(event);
        });
        Follower::start(self.mailbox.clone(), address, shares, tell)
            .map_err(|error| format!("cannot start the thread that shares findings: {error}"))
    }

    /// Ends; the handle waits until what was found last was sent.
    pub(super) fn dismiss(&mut self) -> Option<JoinHandle<()>> {
        self.following.take()?.follower.map(Follower::dismiss)
    }
}
