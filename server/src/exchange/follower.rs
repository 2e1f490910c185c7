//! A [`Follower`] carries records for an editor: it takes no contract from the machines that meet at an address, and sends what the mailbox
//! gives it. It tries again until the address can be reached. One that does not share makes nothing there.

use super::{
    address::Address,
    carrier::{Carrier, Tell},
};
use bellwether::corpus::exchange::Mailbox;
use std::{sync::Arc, thread::JoinHandle};
use tokio::sync::watch;

/// The handle of the thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Follower {
    closing: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Follower {
    /// Starts to follow what is shared at an address, and to share there as well if it `shares`.
    ///
    /// # Errors
    ///
    /// If the system gives no thread.
    pub(crate) fn start(mailbox: Arc<Mailbox>, address: Address, shares: bool, tell: Tell) -> std::io::Result<Self> {
        let (closing, mut closes) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let mut carrier = Carrier::new(mailbox, address, None, None, tell);
        let work = move || {
            runtime.block_on(async {
                if let Some(link) = carrier.reach(shares, &mut closes).await {
                    carrier.run(link, closes).await;
                }
            });
            // Nothing that still hangs is waited for.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("exchange".to_owned()).spawn(work)?;
        Ok(Self { closing, thread })
    }

    /// Lets the thread send what was found last and end, and returns its handle to wait for that.
    pub(crate) fn dismiss(self) -> JoinHandle<()> {
        let _ = self.closing.send(true);
        self.thread
    }
}
