//! The numbers of machines that meet in a folder or a bucket: an object for each, made by whoever comes first, and written again and
//! again. Whose object was not written for a while is dead. The clock is that of the store.

use super::{
    bill::{self, Bill},
    machine::{ALL_TAKEN, MAX_BYTES, MAX_MACHINES, Machine, Note, Place, numbers_to_try},
    words::words,
};
use futures_util::TryStreamExt;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, path::Path};
use std::{
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
    number: Option<u32>,
    /// The time of the store when this machine was last heard of.
    heard: Option<i64>,
}

/// What is there of machines.
#[derive(Debug, Default)]
struct Listed {
    /// Their news, by their numbers.
    machines: Vec<(u32, ObjectMeta)>,
    notes: Vec<Note>,
}

impl ObjectPlaces {
    /// Those of a store, where machines are heard of in this interval.
    pub(super) fn new(store: Arc<dyn ObjectStore>, interval: Duration) -> Self {
        Self { store, interval, number: None, heard: None }
    }

    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// Says that a machine lives and fuzzes this set of contracts, and takes a number if it has none any more.
    pub(super) async fn claim(&mut self, machine: &Machine, set: Option<&str>) -> Result<Place, String> {
        self.try_to_claim(machine, set).await.map_err(|error| words(&error))
    }

    async fn try_to_claim(&mut self, machine: &Machine, set: Option<&str>) -> Result<Place, Error> {
        let number = match self.number {
            // Somebody who believed this machine dead may have given its number to another.
            Some(number) if self.read(number).await?.is_some_and(|there| there.id == machine.id) => {
                self.write(number, machine, PutMode::Overwrite).await?;
                number
            }
            _ => self.take(machine).await?,
        };
        self.number = Some(number);
        let Listed { machines, notes } = self.listed().await?;
        self.heard = machines.iter().find(|(it, _)| *it == number).map(|(_, meta)| time(meta));
        let (living, dead) = self.told_apart(machines, self.heard);
        for number in dead {
            self.delete(&location(number)).await?;
        }
        let own = set.map(|set| Note { number, set: set.to_owned() });
        let is_of_living = |note: &&Note| match note.number == number {
            true => Some(*note) == own.as_ref(),
            false => living.contains(&note.number),
        };
        for note in notes.iter().filter(|note| !is_of_living(note)) {
            self.delete(&note_location(note)).await?;
        }
        if let Some(own) = own.as_ref().filter(|own| !notes.contains(own)) {
            self.store.put(&note_location(own), Vec::new().into()).await?;
        }
        Ok(Place::among(number, &living, &notes, set))
    }

    /// Deletes an object, if it is there.
    async fn delete(&self, location: &Path) -> Result<(), Error> {
        match self.store.delete(location).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Takes a number that nobody has.
    async fn take(&self, machine: &Machine) -> Result<u32, Error> {
        let taken: Vec<u32> = self.listed().await?.machines.into_iter().map(|(number, _)| number).collect();
        for number in numbers_to_try(&taken, &machine.id) {
            match self.write(number, machine, PutMode::Create).await {
                Ok(()) => return Ok(number),
                Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::Generic { store: "machines", source: ALL_TAKEN.into() })
    }

    /// Gives the number back.
    pub(super) async fn release(&mut self, machine: &Machine) {
        if let Some(number) = self.number.take()
            && let Ok(Some(there)) = self.read(number).await
            && there.id == machine.id
        {
            // Otherwise it is given back when nothing was heard for a while.
            let _ = self.store.delete(&location(number)).await;
            let Ok(listed) = self.listed().await else { return };
            for note in listed.notes.iter().filter(|note| note.number == number) {
                let _ = self.store.delete(&note_location(note)).await;
            }
            // Those who meet here next begin a new bill.
            if listed.machines.is_empty() {
                let _ = self.store.delete(&bill_location()).await;
            }
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
        let listed = self.listed().await.map_err(|error| words(&error))?.machines;
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        // Who may only read does not know the time of the store: then the latest news are new.
        let (living, _) = self.told_apart(listed, self.now().await.ok());
        let mut machines = Vec::new();
        for number in living {
            let machine = self.read(number).await.map_err(|error| words(&error))?;
            machines.extend(machine.map(|machine| (number, machine)));
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
            let number = name.strip_suffix(".json").and_then(|name| name.parse().ok());
            if let Some(number) = number.filter(|number| *number < MAX_MACHINES) {
                listed.machines.push((number, meta));
            }
        }
        listed.machines.sort_by_key(|(number, _)| *number);
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

    /// Who lives and who is dead at a time.
    fn told_apart(&self, listed: Vec<(u32, ObjectMeta)>, now: Option<i64>) -> (Vec<u32>, Vec<u32>) {
        let latest = listed.iter().map(|(_, meta)| time(meta)).max();
        let Some(now) = now.or(latest) else { return (Vec::new(), Vec::new()) };
        let (living, dead): (Vec<_>, Vec<_>) = listed.into_iter().partition(|(_, meta)| self.is_heard(meta, now));
        let numbers = |of: Vec<(u32, ObjectMeta)>| of.into_iter().map(|(number, _)| number).collect();
        (numbers(living), numbers(dead))
    }

    /// Whether whoever wrote an object is still heard of at a time.
    fn is_heard(&self, meta: &ObjectMeta, now: i64) -> bool {
        now.saturating_sub(time(meta)) <= (self.interval * MISSED).as_secs() as i64
    }

    async fn read(&self, number: u32) -> Result<Option<Machine>, Error> {
        match self.store.get(&location(number)).await {
            Ok(object) if object.meta.size <= MAX_BYTES as u64 => Ok(Machine::read(&object.bytes().await?)),
            Ok(_) | Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn write(&self, number: u32, machine: &Machine, mode: PutMode) -> Result<(), Error> {
        let options = PutOptions { mode, ..PutOptions::default() };
        self.store.put_opts(&location(number), machine.to_text().into(), options).await.map(drop)
    }
}

/// When an object was written, in seconds.
fn time(meta: &ObjectMeta) -> i64 {
    meta.last_modified.timestamp()
}

fn bill_location() -> Path {
    Path::from_iter([FOLDER, "bill.json"])
}

fn location(number: u32) -> Path {
    Path::from_iter([FOLDER, &format!("{number}.json")])
}

fn note_location(note: &Note) -> Path {
    Path::from_iter([FOLDER, &note.name()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use object_store::memory::InMemory;

    const HOUR: i64 = 3600;
    const ONE: &str = "00000000000000aa";
    const OTHER: &str = "00000000000000bb";

    fn places(store: &Arc<dyn ObjectStore>) -> ObjectPlaces {
        ObjectPlaces::new(store.clone(), Duration::from_secs(5))
    }

    fn store() -> Arc<dyn ObjectStore> {
        Arc::new(InMemory::new())
    }

    fn machine(id: &str) -> Machine {
        Machine { id: id.to_owned(), ..Machine::default() }
    }

    async fn names(store: &Arc<dyn ObjectStore>) -> Vec<String> {
        let listed: Vec<ObjectMeta> = store.list(None).try_collect().await.unwrap();
        listed.iter().map(|meta| meta.location.to_string()).collect()
    }

    /// News that were written at these times of the store.
    fn written(times: &[i64]) -> Vec<(u32, ObjectMeta)> {
        let meta = |number, seconds: i64| ObjectMeta {
            location: location(number),
            last_modified: (SystemTime::UNIX_EPOCH + Duration::from_secs(seconds as u64)).into(),
            size: 0,
            e_tag: None,
            version: None,
        };
        (0..).zip(times).map(|(number, seconds)| (number, meta(number, *seconds))).collect()
    }

    #[test]
    fn who_lives_is_told_by_the_clock_of_the_store() {
        let places = places(&store());
        // The store's clock may differ from that of each machine: only its own times are compared.
        for now in [HOUR, 24 * HOUR, 1_000_000 * HOUR] {
            let times = [now, now - 29, now - 30, now - 31, now - HOUR];
            assert_eq!(places.told_apart(written(&times), Some(now)), (vec![0, 1, 2], vec![3, 4]), "{now}");
            assert_eq!(
                places.told_apart(written(&times), None),
                (vec![0, 1, 2], vec![3, 4]),
                "the latest news are new"
            );
        }
        // Where several file servers write the times, a machine on one that is ahead lives, and so do those beside it.
        let ahead = [2 * HOUR + 40, 2 * HOUR, 2 * HOUR - 31];
        assert_eq!(places.told_apart(written(&ahead), Some(2 * HOUR)), (vec![0, 1], vec![2]));
        assert_eq!(places.told_apart(Vec::new(), None), (vec![], vec![]));
    }

    #[tokio::test]
    async fn machines_that_fuzz_the_same_contracts_are_counted_together() {
        let store = store();
        let [mut a, mut b, mut c] = [(); 3].map(|()| places(&store));
        let counted = |place: Place| (place.number, place.position, place.peers, place.machines);
        assert_eq!(counted(a.claim(&machine("a"), None).await.unwrap()), (0, 0, 1, 1));
        a.claim(&machine("a"), Some(ONE)).await.unwrap();
        assert_eq!(counted(b.claim(&machine("b"), Some(ONE)).await.unwrap()), (1, 1, 2, 2));
        assert_eq!(counted(c.claim(&machine("c"), Some(OTHER)).await.unwrap()), (2, 0, 1, 3));
        assert_eq!(counted(a.claim(&machine("a"), Some(ONE)).await.unwrap()), (0, 0, 2, 3));
        // Another project's turn.
        assert_eq!(counted(b.claim(&machine("b"), Some(OTHER)).await.unwrap()), (1, 0, 2, 3));
        assert_eq!(counted(a.claim(&machine("a"), Some(ONE)).await.unwrap()), (0, 0, 1, 3));
        b.release(&machine("b")).await;
        c.release(&machine("c")).await;
        assert_eq!(names(&store).await, ["machines/0.00000000000000aa", "machines/0.json"]);
        // What one left that was killed.
        store.put(&note_location(&Note { number: 7, set: ONE.to_owned() }), Vec::new().into()).await.unwrap();
        assert_eq!(counted(a.claim(&machine("a"), Some(ONE)).await.unwrap()), (0, 0, 1, 1));
        a.release(&machine("a")).await;
        assert_eq!(names(&store).await, [] as [String; 0]);
    }

    #[tokio::test]
    async fn who_only_looks_leaves_nothing() {
        let store = store();
        let visitor = places(&store);
        assert_eq!((visitor.said().await, visitor.bill().await), (Ok(Vec::new()), Ok(None)));
        assert!(!visitor.is_used().await.unwrap());
        let mut a = places(&store);
        a.claim(&machine("a"), Some(ONE)).await.unwrap();
        a.settle(Bill::default()).await.unwrap();
        let before = names(&store).await;
        assert_eq!(visitor.said().await.unwrap().len(), 1);
        assert!(visitor.bill().await.unwrap().is_some() && visitor.is_used().await.unwrap());
        assert_eq!(names(&store).await, before);
    }
}
