//! The numbers of machines that meet on a NATS server: a key for each in a bucket whose keys go when they are not written for a while. A
//! key is made and written by compare-and-set, so that no two machines have one number.

use super::{
    bill::Bill,
    machine::{ALL_TAKEN, MAX_BYTES, Machine, Note, Place, numbers_to_try},
    subjects::subjects,
};
use async_nats::jetstream::{
    Context,
    kv::{CreateErrorKind, Store, UpdateErrorKind},
    stream::{Config, DiscardPolicy},
};
use std::time::{Duration, Instant};

/// How often a machine is heard of, and after which time without news it is dead; chosen by hand.
const INTERVAL: Duration = Duration::from_secs(5);
const DEAD: Duration = Duration::from_secs(30);
/// How long to wait before it is looked again who lives, for each machine that does; chosen by hand, so that a thousand machines ask the server
/// fifty times a second.
const LOOK_PER_MACHINE: Duration = Duration::from_millis(20);
/// The key of what machines have cost. It goes when no machine with a limit lives any more.
const BILL: &str = "bill";

/// The numbers of machines.
#[derive(Debug)]
pub(super) struct NatsPlaces {
    bucket: Store,
    /// The number of this machine, and the revision of its key.
    own: Option<(u32, u64)>,
    /// What this machine noted last, and the revision of its key.
    noted: Option<(Note, u64)>,
    /// Who lived when it was looked last, and when that was.
    living: Living,
    looked: Option<Instant>,
}

/// Who lives.
#[derive(Debug, Default)]
struct Living {
    /// Their numbers.
    numbers: Vec<u32>,
    notes: Vec<Note>,
}

impl NatsPlaces {
    /// Those of a campaign, whose bucket is made if there is none.
    pub(super) async fn open(context: &Context, campaign: &str) -> Result<Self, String> {
        let name = bucket_name(campaign);
        // The client's own way to make a bucket asks for what servers before 2.10 do not tell; to those, too, a bucket is this stream.
        let config = Config {
            name: format!("KV_{name}"),
            description: Some("machines of bellwether that live".to_owned()),
            subjects: vec![format!("$KV.{name}.>")],
            max_messages_per_subject: 1,
            max_age: DEAD,
            max_message_size: 2 * MAX_BYTES as i32,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            allow_direct: true,
            ..Config::default()
        };
        context.get_or_create_stream(config).await.map_err(|error| error.to_string())?;
        Self::visit(context, campaign).await
    }

    /// Those of a campaign whose bucket is there.
    pub(super) async fn visit(context: &Context, campaign: &str) -> Result<Self, String> {
        let bucket = context.get_key_value(bucket_name(campaign)).await.map_err(|error| error.to_string())?;
        Ok(Self { bucket, own: None, noted: None, living: Living::default(), looked: None })
    }

    pub(super) fn interval(&self) -> Duration {
        INTERVAL
    }

    /// Says that a machine lives and fuzzes this set of contracts, and takes a number if it has none any more.
    pub(super) async fn claim(&mut self, machine: &Machine, set: Option<&str>) -> Result<Place, String> {
        let kept = match self.own {
            Some((number, revision)) => {
                match self.bucket.update(number.to_string(), machine.to_text().into(), revision).await {
                    Ok(revision) => Some((number, revision)),
                    // It was believed dead, and its number may be another's.
                    Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => None,
                    Err(error) => return Err(error.to_string()),
                }
            }
            None => None,
        };
        let (number, revision) = match kept {
            Some(own) => own,
            None => self.take(machine).await?,
        };
        self.own = Some((number, revision));
        self.note(set.map(|set| Note { number, set: set.to_owned() })).await?;
        let pause = (LOOK_PER_MACHINE * self.machines() as u32).max(INTERVAL);
        if self.looked.is_none_or(|looked| looked.elapsed() >= pause) {
            (self.living, self.looked) = (self.living().await?, Some(Instant::now()));
        }
        Ok(Place::among(number, &self.living.numbers, &self.living.notes, set))
    }

    /// Notes what this machine fuzzes, and takes back what it noted before.
    async fn note(&mut self, note: Option<Note>) -> Result<(), String> {
        if self.noted.as_ref().map(|(noted, _)| noted) != note.as_ref() {
            self.take_note_back().await;
            // Others may be peers now.
            self.looked = None;
        }
        if let Some(note) = note {
            let written = self.bucket.put(note.name(), Vec::new().into()).await;
            self.noted = Some((note, written.map_err(|error| error.to_string())?));
        }
        Ok(())
    }

    async fn take_note_back(&mut self) {
        if let Some((_, revision)) = self.noted.take() {
            // Otherwise it goes when it was not written for a while.
            let _ = self.bucket.stream.delete_message(revision).await;
        }
    }

    /// How many machines lived when it was looked last.
    pub(super) fn machines(&self) -> usize {
        self.living.numbers.len()
    }

    /// Takes a number that nobody has.
    async fn take(&self, machine: &Machine) -> Result<(u32, u64), String> {
        let living = self.living().await?;
        for number in numbers_to_try(&living.numbers, &machine.id) {
            match self.bucket.create(number.to_string(), machine.to_text().into()).await {
                Ok(revision) => return Ok((number, revision)),
                Err(error) if error.kind() == CreateErrorKind::AlreadyExists => {}
                Err(error) => return Err(error.to_string()),
            }
        }
        Err(ALL_TAKEN.to_owned())
    }

    /// Gives the number back.
    pub(super) async fn release(&mut self) {
        self.take_note_back().await;
        if let Some((_, revision)) = self.own.take() {
            // Otherwise it is given back when nothing was heard for a while.
            let _ = self.bucket.stream.delete_message(revision).await;
            // Those who meet here next begin a new bill.
            if self.living().await.is_ok_and(|living| living.numbers.is_empty()) {
                let _ = self.bucket.delete(BILL).await;
            }
        }
    }

    /// Adds what machines cost to what is known, and returns both together. What two machines write at the same time is together again
    /// when they write the next time.
    pub(super) async fn settle(&self, mut bill: Bill) -> Result<Bill, String> {
        bill.merge(&self.bill().await?.unwrap_or_default());
        self.bucket.put(BILL, bill.to_text().into()).await.map_err(|error| error.to_string())?;
        Ok(bill)
    }

    /// What machines have cost, if any of them has a limit.
    pub(super) async fn bill(&self) -> Result<Option<Bill>, String> {
        let said = self.bucket.get(BILL).await.map_err(|error| error.to_string())?;
        Ok(said.and_then(|said| Bill::read(&said)))
    }

    /// What the machines that live say, by their numbers.
    pub(super) async fn said(&self) -> Result<Vec<(u32, Machine)>, String> {
        let mut machines = Vec::new();
        for number in self.living().await?.numbers {
            let said = self.bucket.get(number.to_string()).await.map_err(|error| error.to_string())?;
            machines.extend(said.and_then(|said| Machine::read(&said)).map(|machine| (number, machine)));
        }
        Ok(machines)
    }

    /// Those that live.
    async fn living(&self) -> Result<Living, String> {
        // For the client's own list of keys, a reader would be made, and would go, each time.
        let subjects = subjects(&self.bucket.stream, format!("{}>", self.bucket.prefix)).await?;
        let mut living = Living::default();
        for key in subjects.iter().filter_map(|subject| subject.strip_prefix(&self.bucket.prefix)) {
            living.numbers.extend(key.parse::<u32>().ok());
            living.notes.extend(Note::named(key));
        }
        living.numbers.sort_unstable();
        Ok(living)
    }
}

fn bucket_name(campaign: &str) -> String {
    format!("bellwether-{campaign}-machines")
}
