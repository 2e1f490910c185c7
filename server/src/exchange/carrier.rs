//! A [`Carrier`] carries records between a mailbox and the place where machines meet, on a thread of its own. If the others cannot be
//! reached any more, this is told once, and again when they can; what is found meanwhile waits.

use super::{
    account::Account,
    address::Address,
    link::Link,
    machine::{Machine, Place},
    unusable::{TRY_AGAIN, Unusable},
};
use bellwether::corpus::exchange::Mailbox;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// How long what was found last may take to be shared, when everything else is done.
const CLOSE: Duration = Duration::from_secs(5);
/// How often it is looked for records to be carried away, and how long to wait after a failure.
const LOOK: Duration = Duration::from_millis(100);
const AGAIN: Duration = Duration::from_secs(1);
/// How long to wait before a way that could not be opened is tried again; chosen by hand.
const REOPEN: Duration = Duration::from_secs(10);
/// Records that are carried away at once; chosen by hand.
const BATCH: usize = 256;

/// What there is to tell; the words are for people.
#[derive(Debug)]
pub(crate) enum News {
    /// The others cannot be reached, or something of theirs cannot be used.
    Trouble(String),
    /// They can be reached, or can be again.
    Reached(String),
    /// Records of others arrived.
    Arrived,
}

/// Who hears of it.
pub(crate) type Tell = Box<dyn Fn(&News) + Send>;

/// The work of a thread that carries records.
pub(super) struct Carrier {
    mailbox: Arc<Mailbox>,
    address: Address,
    /// What this process says of itself, if it is a machine among others.
    machine: Option<Arc<Mutex<Machine>>>,
    /// What the machines cost, if this one has a limit.
    account: Option<Arc<Mutex<Account>>>,
    tell: Tell,
    /// Whether the others could not be reached the last time.
    alone: bool,
    /// When it was last looked for records, and when this machine last said that it lives.
    looked: Option<Instant>,
    said: Option<Instant>,
    /// The set of contracts of which it was last said that they are fuzzed here.
    set: Option<String>,
}

impl Carrier {
    pub(super) fn new(
        mailbox: Arc<Mailbox>,
        address: Address,
        machine: Option<Arc<Mutex<Machine>>>,
        account: Option<Arc<Mutex<Account>>>,
        tell: Tell,
    ) -> Self {
        Self { mailbox, address, machine, account, tell, alone: false, looked: None, said: None, set: None }
    }

    /// Opens the way to the others, and takes a number among them.
    pub(super) async fn begin(&self) -> Result<(Link, Place), Unusable> {
        let mut link = Link::open(&self.address).await?;
        let place = self.claim(&mut link).await.map_err(|what| Unusable { what, remedy: TRY_AGAIN })?;
        Ok((link, place))
    }

    /// Opens the way to the others as often as it takes. Who only reads makes nothing there. None if the thread has to end before.
    pub(super) async fn reach(&mut self, shares: bool, closes: &mut watch::Receiver<bool>) -> Option<Link> {
        while !*closes.borrow() {
            let opened = if shares { Link::open(&self.address).await } else { Link::visit(&self.address).await };
            match opened {
                Ok(link) => {
                    (self.tell)(&News::Reached(format!("{}: following what other machines find", self.address)));
                    return Some(link);
                }
                Err(Unusable { what, .. }) => self.stand(Err(what)),
            }
            if let Ok(Err(_)) = tokio::time::timeout(REOPEN, closes.changed()).await {
                return None;
            }
        }
        None
    }

    /// Carries records until the thread has to end, and then what was found last.
    pub(super) async fn run(mut self, mut link: Link, mut closes: watch::Receiver<bool>) {
        while !*closes.borrow() {
            let carried = self.carry(&mut link).await;
            let pause = if carried.is_ok() { LOOK } else { AGAIN };
            self.stand(carried);
            // An error says that nobody is left who could close it.
            if let Ok(Err(_)) = tokio::time::timeout(pause, closes.changed()).await {
                break;
            }
        }
        // A fuzzer may have looked at the last ones since.
        self.tell_refused();
        let rest = async {
            let sent = self.send(&mut link).await;
            // Whether the last seconds are on the bill makes no difference to whoever runs longer.
            let _ = self.settle(&link, 1).await;
            link.release().await;
            sent
        };
        let why = match tokio::time::timeout(CLOSE, rest).await {
            Ok(Ok(())) => return,
            Ok(Err(why)) => why,
            Err(_) => "no answer".to_owned(),
        };
        (self.tell)(&News::Trouble(format!("{}: {why}; what was found last is not shared", self.address)));
    }

    /// Does what is due.
    async fn carry(&mut self, link: &mut Link) -> Result<(), String> {
        self.send(link).await?;
        let is_due = |at: Option<Instant>, interval: Duration| at.is_none_or(|at| at.elapsed() >= interval);
        let set = self.mailbox.contract_set();
        // Before a subscription ends to wait, it is known who else fuzzes its contracts.
        if self.machine.is_some() && (is_due(self.said, link.news()) || self.set != set) {
            self.claim(link).await?;
            (self.said, self.set) = (Some(Instant::now()), set);
        }
        if is_due(self.looked, link.interval()) || self.mailbox.is_asked() {
            self.receive(link).await?;
            self.looked = Some(Instant::now());
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
        let before = self.mailbox.counts().received;
        link.receive(&self.mailbox).await?;
        self.mailbox.complete(subscription);
        if self.mailbox.counts().received > before {
            (self.tell)(&News::Arrived);
        }
        self.tell_refused();
        if let Some(Unusable { what, remedy }) = link.take_other_form() {
            (self.tell)(&News::Trouble(format!("{}: {what}; {remedy}", self.address)));
        }
        Ok(())
    }

    /// Tells of records that no fuzzer here takes.
    fn tell_refused(&self) {
        if let Some(refused) = self.mailbox.take_refusal() {
            let words = format!("{}: {refused}; it is left out, like all others with this fault", self.address);
            (self.tell)(&News::Trouble(words));
        }
    }

    /// Says that this machine lives.
    async fn claim(&self, link: &mut Link) -> Result<Place, String> {
        let set = self.mailbox.contract_set();
        let place = link.claim(&self.machine().unwrap_or_default(), set.as_deref()).await?;
        self.mailbox.set_place(place.position, place.peers);
        self.settle(link, place.machines).await?;
        Ok(place)
    }

    /// Tells what this machine has cost, and hears what the others have, of whom so many live together with it.
    async fn settle(&self, link: &Link, machines: usize) -> Result<(), String> {
        let Some(account) = &self.account else { return Ok(()) };
        let account = || account.lock().unwrap_or_else(PoisonError::into_inner);
        let own = account().bill(Instant::now());
        let bill = link.settle(own).await?;
        account().settle(&bill, machines, Instant::now());
        Ok(())
    }

    fn machine(&self) -> Option<Machine> {
        let said = |machine: &Arc<Mutex<Machine>>| machine.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.machine.as_ref().map(said)
    }

    /// Tells when the others cannot be reached any more, and when they can be again.
    fn stand(&mut self, carried: Result<(), String>) {
        let alone = carried.is_err();
        match carried {
            Err(why) if !self.alone => {
                let words = format!("{}: {why}; fuzzing continues alone, and joins again when it can", self.address);
                (self.tell)(&News::Trouble(words));
            }
            Ok(()) if self.alone => (self.tell)(&News::Reached(format!("{}: joined again", self.address))),
            _ => {}
        }
        if self.alone != alone {
            self.alone = alone;
            self.mailbox.set_alone(alone);
        }
    }
}
