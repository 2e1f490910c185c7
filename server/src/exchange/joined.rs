//! A [`Joined`] exchange is one that this process takes part in as a machine among others: its mailbox, and a thread that carries
//! records. Only that thread waits for the network.

use super::{
    account::Account,
    address::Address,
    carrier::{Carrier, Tell},
    machine::{Machine, Place},
    unusable::{TRY_AGAIN, Unusable},
};
use anyhow::{Context, Result, anyhow};
use bellwether::corpus::exchange::{Counts, Exchange, Mailbox};
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread::JoinHandle,
    time::Duration,
};
use tokio::sync::watch;

/// How long joining may take.
const JOIN: Duration = Duration::from_secs(20);

/// An exchange that this process takes part in. When it is dropped, what was found is shared before, if that takes no longer than
/// seconds.
#[derive(Debug)]
pub(crate) struct Joined {
    mailbox: Arc<Mailbox>,
    machine: Arc<Mutex<Machine>>,
    account: Option<Arc<Mutex<Account>>>,
    place: Place,
    closing: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Joined {
    /// Joins the machines that meet at an address, as one of them, which counts what all cost together if it has an account. A contract
    /// waits at most for `patience` for what is known of it.
    ///
    /// # Errors
    ///
    /// If the address leads nowhere, with what to do.
    pub(crate) fn join(
        address: &Address,
        patience: Duration,
        machine: Machine,
        account: Option<Account>,
        tell: Tell,
    ) -> Result<Self> {
        let mailbox = Arc::new(Mailbox::new(patience));
        let (closing, closes) = watch::channel(false);
        let (opened, answer) = mpsc::channel();
        let machine = Arc::new(Mutex::new(machine));
        let account = account.map(|account| Arc::new(Mutex::new(account)));
        let carrier = Carrier::new(mailbox.clone(), address.clone(), Some(machine.clone()), account.clone(), tell);
        let work = move || {
            let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(opened.send(Err(unusable(error.to_string())))),
            };
            let begun = runtime.block_on(async { tokio::time::timeout(JOIN, carrier.begin()).await });
            match begun.unwrap_or_else(|_| Err(unusable("no answer".to_owned()))) {
                Ok((link, place)) => {
                    if opened.send(Ok(place)).is_ok() {
                        runtime.block_on(carrier.run(link, closes));
                    }
                }
                Err(why) => drop(opened.send(Err(why))),
            }
            // Nothing that still hangs is waited for.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("exchange".to_owned()).spawn(work);
        let thread = thread.context("cannot start the thread that shares findings")?;
        let place = answer
            .recv()
            .unwrap_or_else(|_| Err(unusable("internal error".to_owned())))
            .map_err(|Unusable { what, remedy }| anyhow!("{address}: {what}; {remedy}"))?;
        Ok(Self { mailbox, machine, account, place, closing, thread: Some(thread) })
    }

    /// The exchange, for the campaign of the next project.
    pub(crate) fn begin_project(&self) -> Arc<dyn Exchange> {
        self.mailbox.begin_project();
        self.mailbox.clone()
    }

    /// The number that this machine got when it joined.
    pub(crate) fn number(&self) -> u32 {
        self.place.number
    }

    /// Changes what this machine says of itself.
    pub(crate) fn say(&self, change: impl FnOnce(&mut Machine)) {
        change(&mut self.machine.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// What all machines have cost together, if this one has an account.
    pub(crate) fn account(&self) -> Option<MutexGuard<'_, Account>> {
        self.account.as_ref().map(|account| account.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many records went which way.
    pub(crate) fn counts(&self) -> Counts {
        self.mailbox.counts()
    }

    /// Shares what is still to be shared, and leaves.
    pub(crate) fn leave(&mut self) {
        let _ = self.closing.send(true);
        if let Some(thread) = self.thread.take() {
            // A panic was told where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        self.leave();
    }
}

fn unusable(what: String) -> Unusable {
    Unusable { what, remedy: TRY_AGAIN }
}
