//! A [`Joined`] exchange is one that this process takes part in: its mailbox, and a thread that carries records. Only that thread waits
//! for the network. If the others cannot be reached any more, this is told once, and again when they can; what is found meanwhile waits.

use super::{
    address::Address,
    link::Link,
    machine::{Machine, Place},
    sent::Unusable,
};
use anyhow::{Context, Result, anyhow};
use bellwether::corpus::exchange::{Counts, Exchange, Mailbox};
use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::JoinHandle,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// How long joining may take.
const JOIN: Duration = Duration::from_secs(20);
/// How long what was found last may take to be shared, when everything else is done.
const CLOSE: Duration = Duration::from_secs(5);
/// How often it is looked for records to be carried away, and how long to wait after a failure.
const LOOK: Duration = Duration::from_millis(100);
const AGAIN: Duration = Duration::from_secs(1);
/// Records that are carried away at once; chosen by hand.
const BATCH: usize = 256;

/// Who hears of problems, in words for people.
pub(crate) type Tell = Box<dyn Fn(&str) + Send>;

/// An exchange that this process takes part in. When it is dropped, what was found is shared before, if that takes no longer than
/// seconds.
#[derive(Debug)]
pub(crate) struct Joined {
    mailbox: Arc<Mailbox>,
    machine: Arc<Mutex<Machine>>,
    place: Place,
    closing: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Joined {
    /// Joins the machines that meet at an address, as one of them. A contract waits at most for `patience` for what is known of it.
    ///
    /// # Errors
    ///
    /// If the address leads nowhere, with what to do.
    pub(crate) fn join(address: &Address, patience: Duration, machine: Machine, tell: Tell) -> Result<Self> {
        // The engine and this executable use the same cryptography; whoever comes first sets it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mailbox = Arc::new(Mailbox::new(patience));
        let (closing, closes) = watch::channel(false);
        let (opened, answer) = mpsc::channel();
        let machine = Arc::new(Mutex::new(machine));
        let carrier = Carrier::new(mailbox.clone(), address.clone(), machine.clone(), tell);
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
        let thread = thread.context("no thread to share on")?;
        let place = answer
            .recv()
            .unwrap_or_else(|_| Err(unusable("a defect of bellwether".to_owned())))
            .map_err(|Unusable { what, remedy }| anyhow!("{address}: {what}; {remedy}"))?;
        Ok(Self { mailbox, machine, place, closing, thread: Some(thread) })
    }

    /// The exchange, for campaigns.
    pub(crate) fn exchange(&self) -> Arc<dyn Exchange> {
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
    Unusable { what, remedy: "try again, or leave the option out" }
}

/// The work of the thread.
struct Carrier {
    mailbox: Arc<Mailbox>,
    address: Address,
    machine: Arc<Mutex<Machine>>,
    tell: Tell,
    /// Whether the others could not be reached the last time.
    alone: bool,
    /// When it was last looked for records, and when this machine last said that it lives.
    looked: Option<Instant>,
    said: Option<Instant>,
}

impl Carrier {
    fn new(mailbox: Arc<Mailbox>, address: Address, machine: Arc<Mutex<Machine>>, tell: Tell) -> Self {
        Self { mailbox, address, machine, tell, alone: false, looked: None, said: None }
    }

    /// Opens the way to the others, and takes a number among them.
    async fn begin(&self) -> Result<(Link, Place), Unusable> {
        let mut link = Link::open(&self.address).await?;
        let place = self.claim(&mut link).await.map_err(unusable)?;
        Ok((link, place))
    }

    async fn run(mut self, mut link: Link, mut closes: watch::Receiver<bool>) {
        while !*closes.borrow() {
            let carried = self.carry(&mut link).await;
            let pause = if carried.is_ok() { LOOK } else { AGAIN };
            self.stand(carried);
            // An error says that nobody is left who could close it.
            if let Ok(Err(_)) = tokio::time::timeout(pause, closes.changed()).await {
                break;
            }
        }
        let machine = self.machine();
        let rest = async {
            let sent = self.send(&mut link).await;
            link.release(&machine).await;
            sent
        };
        let why = match tokio::time::timeout(CLOSE, rest).await {
            Ok(Ok(())) => return,
            Ok(Err(why)) => why,
            Err(_) => "no answer".to_owned(),
        };
        (self.tell)(&format!("{}: {why}; what was found last is not shared", self.address));
    }

    /// Does what is due.
    async fn carry(&mut self, link: &mut Link) -> Result<(), String> {
        self.send(link).await?;
        let is_due = |at: Option<Instant>, interval: Duration| at.is_none_or(|at| at.elapsed() >= interval);
        if is_due(self.looked, link.interval()) || self.mailbox.is_asked() {
            self.receive(link).await?;
            self.looked = Some(Instant::now());
        }
        if is_due(self.said, link.news()) {
            self.claim(link).await?;
            self.said = Some(Instant::now());
        }
        Ok(())
    }

    /// Carries all away that is waiting.
    async fn send(&self, link: &mut Link) -> Result<(), String> {
        loop {
            let records = self.mailbox.take_outgoing(BATCH);
            if records.is_empty() {
                return Ok(());
            }
            let sent = link.send(records).await;
            self.mailbox.count_sent(sent.count, sent.known_there);
            if let Some(why) = sent.why {
                self.mailbox.put_back(sent.failed);
                return Err(why);
            }
        }
    }

    async fn receive(&self, link: &mut Link) -> Result<(), String> {
        let (topics, subscription) = self.mailbox.subscriptions();
        if topics.is_empty() {
            return Ok(());
        }
        link.receive(&self.mailbox).await?;
        self.mailbox.complete(subscription);
        if let Some(refused) = self.mailbox.take_refusal() {
            (self.tell)(&format!("{}: {refused}; it is left out, as are others like it", self.address));
        }
        Ok(())
    }

    /// Says that this machine lives.
    async fn claim(&self, link: &mut Link) -> Result<Place, String> {
        let place = link.claim(&self.machine()).await?;
        self.mailbox.set_place(place.position, place.machines);
        Ok(place)
    }

    fn machine(&self) -> Machine {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells when the others cannot be reached any more, and when they can be again.
    fn stand(&mut self, carried: Result<(), String>) {
        let alone = carried.is_err();
        match carried {
            Err(why) if !self.alone => {
                (self.tell)(&format!("{}: {why}; the run goes on alone, and joins again when it can", self.address));
            }
            Ok(()) if self.alone => (self.tell)(&format!("{}: joined again", self.address)),
            _ => {}
        }
        if self.alone != alone {
            self.alone = alone;
            self.mailbox.set_alone(alone);
        }
    }
}
