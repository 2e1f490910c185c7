//! A [`Link`] carries records to and from the place where machines meet, whatever kind of place that is.

use super::{
    address::Address,
    bill::Bill,
    machine::{Machine, Place},
    nats::Nats,
    objects::Objects,
    record_name::RecordName,
    sent::{Sent, Stored},
    unusable::Unusable,
};
use bellwether::corpus::exchange::{Mailbox, Record, Topic};
use std::{collections::BTreeSet, time::Duration};

/// A way to the other machines.
#[derive(Debug)]
pub(super) enum Link {
    Objects(Objects),
    Nats(Box<Nats>),
}

impl Link {
    /// Opens the way, and tries whether it leads anywhere. The place is made if it is not there.
    pub(super) async fn open(address: &Address) -> Result<Self, Unusable> {
        install_cryptography();
        match address {
            Address::Folder(folder) => Objects::folder(folder).map(Self::Objects),
            Address::Bucket(bucket) => Objects::bucket(bucket).await.map(Self::Objects),
            Address::Nats { server, campaign } => {
                Nats::connect(server, campaign).await.map(|nats| Self::Nats(Box::new(nats)))
            }
        }
    }

    /// Opens the way to a place that is there, for who only reads: nothing is made.
    pub(super) async fn visit(address: &Address) -> Result<Self, Unusable> {
        install_cryptography();
        match address {
            Address::Folder(folder) => Objects::visit_folder(folder).map(Self::Objects),
            Address::Bucket(bucket) => Objects::bucket(bucket).await.map(Self::Objects),
            Address::Nats { server, campaign } => {
                Nats::visit(server, campaign).await.map(|nats| Self::Nats(Box::new(nats)))
            }
        }
    }

    /// Whether anything is there of machines that shared.
    pub(super) async fn is_used(&self) -> Result<bool, String> {
        match self {
            Self::Objects(objects) => objects.is_used().await,
            // Its stream is.
            Self::Nats(_) => Ok(true),
        }
    }

    /// How long to wait until it is looked for new records again.
    pub(super) fn interval(&self) -> Duration {
        match self {
            Self::Objects(objects) => objects.interval(),
            Self::Nats(nats) => nats.interval(),
        }
    }

    /// The ids of the records on a contract that are there and would be taken a second time.
    pub(super) async fn taken_again(&mut self, topic: &Topic) -> Result<BTreeSet<String>, String> {
        match self {
            // A file is there once.
            Self::Objects(_) => Ok(BTreeSet::new()),
            Self::Nats(nats) => nats.ids(topic).await,
        }
    }

    /// Carries records away.
    pub(super) async fn send(&mut self, records: Vec<Record>) -> Sent {
        match self {
            Self::Objects(objects) => objects.send(records).await,
            Self::Nats(nats) => nats.send(records).await,
        }
    }

    /// Fetches what others shared, as far as it was asked for and is not known.
    pub(super) async fn receive(&mut self, mailbox: &Mailbox) -> Result<(), String> {
        match self {
            Self::Objects(objects) => objects.receive(mailbox).await,
            Self::Nats(nats) => nats.receive(mailbox).await,
        }
    }

    /// The contracts on which there is anything.
    pub(super) async fn topics(&mut self) -> Result<Vec<Topic>, String> {
        match self {
            Self::Objects(objects) => objects.topics().await,
            Self::Nats(nats) => nats.topics().await,
        }
    }

    /// Forgets what was received: another mailbox begins at the beginning.
    pub(super) fn begin_again(&mut self) {
        if let Self::Nats(nats) = self {
            nats.begin_again();
        }
    }

    /// Says that a machine lives and fuzzes this set of contracts, and takes a number for it if it has none any more.
    pub(super) async fn claim(&mut self, machine: &Machine, set: Option<&str>) -> Result<Place, String> {
        match self {
            Self::Objects(objects) => objects.claim(machine, set).await,
            Self::Nats(nats) => nats.claim(machine, set).await,
        }
    }

    /// How often to say so.
    pub(super) fn news(&self) -> Duration {
        match self {
            Self::Objects(objects) => objects.places.interval(),
            Self::Nats(nats) => nats.places.interval(),
        }
    }

    /// Adds what machines cost, as far as this one knows, to what is known there, and returns both together.
    pub(super) async fn settle(&self, bill: Bill) -> Result<Bill, String> {
        match self {
            Self::Objects(objects) => objects.places.settle(bill).await,
            Self::Nats(nats) => nats.places.settle(bill).await,
        }
    }

    /// What machines have cost, if any of them has a limit.
    pub(super) async fn bill(&self) -> Result<Option<Bill>, String> {
        match self {
            Self::Objects(objects) => objects.places.bill().await,
            Self::Nats(nats) => nats.places.bill().await,
        }
    }

    /// Gives the number of a machine back.
    pub(super) async fn release(&mut self) {
        match self {
            Self::Objects(objects) => objects.places.release().await,
            Self::Nats(nats) => nats.places.release().await,
        }
    }

    /// What the machines that live say, by their numbers.
    pub(super) async fn machines(&self) -> Result<Vec<(u32, Machine)>, String> {
        match self {
            Self::Objects(objects) => objects.places.said().await,
            Self::Nats(nats) => nats.places.said().await,
        }
    }

    /// The sequences and findings that were shared.
    pub(super) async fn stored(&mut self) -> Result<Stored, String> {
        match self {
            Self::Objects(objects) => objects.stored().await,
            Self::Nats(nats) => nats.stored().await,
        }
    }

    /// The content of a record, if it is there and is one.
    pub(super) async fn read(&self, name: &RecordName) -> Result<Option<Record>, String> {
        match self {
            Self::Objects(objects) => objects.read(name).await,
            Self::Nats(nats) => nats.read(name).await,
        }
    }

    /// Removes a record, if it is there.
    pub(super) async fn remove(&self, name: &RecordName) -> Result<(), String> {
        match self {
            Self::Objects(objects) => objects.remove(name).await,
            Self::Nats(nats) => nats.remove(name).await,
        }
    }

    /// The first records in a form of another version that were met, if they were not told yet.
    pub(super) fn take_other_form(&mut self) -> Option<Unusable> {
        match self {
            Self::Objects(objects) => objects.take_other_form(),
            Self::Nats(nats) => nats.take_other_form(),
        }
    }
}

/// The engine and this executable use the same cryptography; whoever comes first sets it.
fn install_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}
