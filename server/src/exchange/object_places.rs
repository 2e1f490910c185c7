//! The numbers of machines that meet in a folder or a bucket. To take a number is to make an object that nobody else made before:
//!
//! ```text
//! machines/
//!   3-0.json                  number 3, taken for the first time: what its machine says of itself, written again and again
//!   4-2.json                  number 4, taken for the third time; without content it is free
//!   3.29a30643673cf355        what the machine with number 3 fuzzes
//! ```
//!
//! All stores can make an object that is not there yet, and refuse it to all but one. Whose object was not written for a while is dead, and
//! whoever makes the next one of its number has the number, if no other of that number is heard of afterwards. The last object of a number
//! is never deleted: a name that comes again would be taken for a new machine's by one that lists slowly. The clock is that of the store.

use super::{
    bill::{self, Bill},
    machine::{ALL_TAKEN, MAX_BYTES, MAX_MACHINES, Machine, Note, Place, numbers_to_try},
    words::words,
};
use futures_util::TryStreamExt;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, path::Path};
use std::{
    collections::BTreeMap,
    process,
    sync::Arc,
    time::{Duration, SystemTime},
};

const FOLDER: &str = "machines";
/// A machine is dead after so many intervals without news; chosen by hand.
const MISSED: u32 = 6;

/// The numbers of machines.
#[derive(Debug)]
pub(super) struct ObjectPlaces {
    store: Arc<dyn ObjectStore>,
    interval: Duration,
    own: Option<Claim>,
    /// The time of the store when this machine was last heard of.
    heard: Option<i64>,
}

/// That a number was taken, after it had been taken so many times before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    number: u32,
    before: u64,
}

/// What is there of machines.
#[derive(Debug, Default)]
struct Listed {
    claims: BTreeMap<Claim, ObjectMeta>,
    notes: Vec<Note>,
}

impl Claim {
    /// The claim of an object's name, if it is one.
    fn named(name: &str) -> Option<Self> {
        let (number, before) = name.strip_suffix(".json")?.split_once('-')?;
        let claim = Self { number: number.parse().ok()?, before: before.parse().ok()? };
        // No two names are one claim.
        (claim.number < MAX_MACHINES && claim.name() == name).then_some(claim)
    }

    fn name(self) -> String {
        format!("{}-{}.json", self.number, self.before)
    }

    fn location(self) -> Path {
        Path::from_iter([FOLDER, &self.name()])
    }
}

impl Listed {
    /// The last claim of each number, with its object: no other claim of that number counts.
    fn last(&self) -> impl Iterator<Item = (Claim, &ObjectMeta)> {
        let following = self.claims.keys().skip(1).map(|claim| Some(claim.number)).chain([None]);
        let with_following = self.claims.iter().zip(following);
        let last = with_following.filter(|((claim, _), following)| *following != Some(claim.number));
        last.map(|((claim, meta), _)| (*claim, meta))
    }

    /// The claims of a number.
    fn of_number(&self, number: u32) -> impl DoubleEndedIterator<Item = (Claim, &ObjectMeta)> {
        let claims = self.claims.range(Claim { number, before: 0 }..=Claim { number, before: u64::MAX });
        claims.map(|(claim, meta)| (*claim, meta))
    }

    /// How a number is taken next; not at all if somebody made the last name that there is.
    fn next(&self, number: u32) -> Option<Claim> {
        let before = self.of_number(number).next_back().map_or(Some(0), |(last, _)| last.before.checked_add(1))?;
        Some(Claim { number, before })
    }
}

impl ObjectPlaces {
    /// Those of a store, where machines are heard of in this interval.
    pub(super) fn new(store: Arc<dyn ObjectStore>, interval: Duration) -> Self {
        Self { store, interval, own: None, heard: None }
    }

    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// Says that a machine lives and fuzzes this set of contracts, and takes a number if it has none any more.
    pub(super) async fn claim(&mut self, machine: &Machine, set: Option<&str>) -> Result<Place, String> {
        self.try_to_claim(machine, set).await.map_err(|error| words(&error))
    }

    async fn try_to_claim(&mut self, machine: &Machine, set: Option<&str>) -> Result<Place, Error> {
        let kept = match self.own {
            Some(own) => self.renew(own, machine).await?.map(|listed| (own, listed)),
            None => None,
        };
        let (own, listed) = match kept {
            Some(kept) => kept,
            None => {
                let (listed, now) = (self.listed().await?, self.now().await?);
                self.take(machine, &listed, now).await?
            }
        };
        self.own = Some(own);
        self.heard = listed.claims.get(&own).map(time);
        let number = own.number;
        for (before, _) in listed.of_number(number).filter(|(claim, _)| *claim < own) {
            self.delete(&before.location()).await?;
        }
        let living = self.living(&listed, self.heard);
        let note = set.map(|set| Note { number, set: set.to_owned() });
        let is_of_living = |it: &&Note| match it.number == number {
            true => Some(*it) == note.as_ref(),
            false => living.contains(&it.number),
        };
        for old in listed.notes.iter().filter(|it| !is_of_living(it)) {
            self.delete(&note_location(old)).await?;
        }
        if let Some(note) = note.as_ref().filter(|note| !listed.notes.contains(note)) {
            self.store.put(&note_location(note), Vec::new().into()).await?;
        }
        Ok(Place::among(number, &living, &listed.notes, set))
    }

    /// Says that the machine of a claim lives, and lists who else does. None if somebody who believed it dead took its number.
    async fn renew(&self, own: Claim, machine: &Machine) -> Result<Option<Listed>, Error> {
        self.write(own, machine, PutMode::Overwrite).await?;
        let listed = self.listed().await?;
        if listed.of_number(own.number).all(|(claim, _)| claim <= own) {
            return Ok(Some(listed));
        }
        self.delete(&own.location()).await?;
        Ok(None)
    }

    /// Takes a number that nobody has, where this was listed at this time of the store. Returns what is listed afterwards.
    async fn take(&self, machine: &Machine, listed: &Listed, now: i64) -> Result<(Claim, Listed), Error> {
        let taken = self.living(listed, Some(now));
        for claim in numbers_to_try(&taken, &machine.id).filter_map(|number| listed.next(number)) {
            match self.write(claim, machine, PutMode::Create).await {
                Ok(()) => {}
                Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => continue,
                Err(error) => return Err(error),
            }
            let after = self.listed().await?;
            let now = after.claims.get(&claim).map_or(now, time).max(now);
            let is_heard = |(other, meta): (Claim, &ObjectMeta)| other != claim && self.is_heard(meta, now);
            if !after.of_number(claim.number).any(is_heard) {
                return Ok((claim, after));
            }
            // One that was believed dead lives after all. It loses the number as well, and both take another one.
            self.free(claim).await?;
        }
        Err(Error::Generic { store: "machines", source: ALL_TAKEN.into() })
    }

    /// Gives a number back. The object stays, so that no other machine makes one of that name.
    async fn free(&self, claim: Claim) -> Result<(), Error> {
        self.store.put(&claim.location(), Vec::new().into()).await.map(drop)
    }

    /// Deletes an object, if it is there.
    async fn delete(&self, location: &Path) -> Result<(), Error> {
        match self.store.delete(location).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Gives the number back.
    pub(super) async fn release(&mut self) {
        let Some(own) = self.own.take() else { return };
        let Ok(listed) = self.listed().await else { return };
        // Otherwise it is another's by now.
        if listed.of_number(own.number).all(|(claim, _)| claim <= own) {
            // If this fails, it is free when nothing was heard for a while.
            let _ = self.free(own).await;
            for note in listed.notes.iter().filter(|note| note.number == own.number) {
                let _ = self.store.delete(&note_location(note)).await;
            }
        }
        // Those who meet here next begin a new bill.
        if self.living(&listed, self.heard).iter().all(|number| *number == own.number) {
            let _ = self.store.delete(&bill_location()).await;
        }
    }

    /// Adds what machines cost to what is known, and returns both together. What two machines write at the same time is together again
    /// when they write the next time.
    pub(super) async fn settle(&self, mut bill: Bill) -> Result<Bill, String> {
        let settled = async {
            bill.merge(&self.read_bill(self.heard).await?.unwrap_or_default());
            self.store.put(&bill_location(), bill.to_text().into()).await?;
            Ok(bill)
        };
        settled.await.map_err(|error: Error| words(&error))
    }

    /// What machines have cost, if any of them has a limit.
    pub(super) async fn bill(&self) -> Result<Option<Bill>, String> {
        let bill = async {
            match self.store.head(&bill_location()).await {
                Ok(_) => self.read_bill(self.now().await.ok()).await,
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        };
        bill.await.map_err(|error| words(&error))
    }

    /// The bill, if it is of machines that live at a time.
    async fn read_bill(&self, now: Option<i64>) -> Result<Option<Bill>, Error> {
        match self.store.get(&bill_location()).await {
            Ok(object)
                if object.meta.size <= bill::MAX_BYTES as u64
                    && now.is_none_or(|now| self.is_heard(&object.meta, now)) =>
            {
                Ok(Bill::read(&object.bytes().await?))
            }
            Ok(_) | Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What the machines that live say, by their numbers.
    pub(super) async fn said(&self) -> Result<Vec<(u32, Machine)>, String> {
        let listed = self.listed().await.map_err(|error| words(&error))?;
        if listed.last().all(|(_, meta)| meta.size == 0) {
            return Ok(Vec::new());
        }
        // Who may only read does not know the time of the store: then the latest news are new.
        let living = self.living(&listed, self.now().await.ok());
        let mut machines = Vec::new();
        for (claim, _) in listed.last().filter(|(claim, _)| living.contains(&claim.number)) {
            let machine = self.read(claim).await.map_err(|error| words(&error))?;
            machines.extend(machine.map(|machine| (claim.number, machine)));
        }
        Ok(machines)
    }

    /// Whether anything is there of machines.
    pub(super) async fn is_used(&self) -> Result<bool, Error> {
        let mut objects = self.store.list(Some(&Path::from(FOLDER)));
        Ok(objects.try_next().await?.is_some())
    }

    async fn listed(&self) -> Result<Listed, Error> {
        let mut listed = Listed::default();
        let mut objects = self.store.list(Some(&Path::from(FOLDER)));
        while let Some(meta) = objects.try_next().await? {
            let name = meta.location.filename().unwrap_or_default();
            listed.notes.extend(Note::named(name));
            if let Some(claim) = Claim::named(name) {
                listed.claims.insert(claim, meta);
            }
        }
        Ok(listed)
    }

    /// The time of the store: that of an object that is written now, and removed again.
    async fn now(&self) -> Result<i64, Error> {
        let nanoseconds = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
        let location = Path::from_iter([FOLDER, &format!("now-{}-{nanoseconds}", process::id())]);
        self.store.put(&location, Vec::new().into()).await?;
        let meta = self.store.head(&location).await;
        self.delete(&location).await?;
        Ok(time(&meta?))
    }

    /// The numbers of the machines that live at a time. An object without content is nobody's.
    fn living(&self, listed: &Listed, now: Option<i64>) -> Vec<u32> {
        let Some(now) = now.or_else(|| listed.claims.values().map(time).max()) else { return Vec::new() };
        listed.last().filter(|(_, meta)| self.is_heard(meta, now)).map(|(claim, _)| claim.number).collect()
    }

    /// Whether whoever wrote an object is still heard of at a time.
    fn is_heard(&self, meta: &ObjectMeta, now: i64) -> bool {
        meta.size > 0 && now.saturating_sub(time(meta)) <= (self.interval * MISSED).as_secs() as i64
    }

    async fn read(&self, claim: Claim) -> Result<Option<Machine>, Error> {
        match self.store.get(&claim.location()).await {
            Ok(object) if object.meta.size <= MAX_BYTES as u64 => Ok(Machine::read(&object.bytes().await?)),
            Ok(_) | Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn write(&self, claim: Claim, machine: &Machine, mode: PutMode) -> Result<(), Error> {
        let options = PutOptions { mode, ..PutOptions::default() };
        self.store.put_opts(&claim.location(), machine.to_text().into(), options).await.map(drop)
    }
}

/// When an object was written, in seconds.
fn time(meta: &ObjectMeta) -> i64 {
    meta.last_modified.timestamp()
}

fn bill_location() -> Path {
    Path::from_iter([FOLDER, "bill.json"])
}

fn note_location(note: &Note) -> Path {
    Path::from_iter([FOLDER, &note.name()])
}

#[cfg(test)]
mod tests;
