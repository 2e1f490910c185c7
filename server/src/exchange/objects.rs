//! Objects: records as files of a folder, or as objects of a bucket, in the layout of a corpus folder. Nothing tells of a new one, so
//! that they are listed again and again.

use super::{
    bucket::Bucket,
    machine::{Machine, Place},
    object_places::ObjectPlaces,
    record_name::{OtherForms, RecordName},
    sent::{Sent, Stored},
    unusable::Unusable,
    words::words,
};
use bellwether::corpus::{
    exchange::{MAX_RECORD, Mailbox, Record, Refusal, Topic},
    store::{CorpusStore, FORM, Kind},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{
    Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, local::LocalFileSystem, path::Path,
};
use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

/// How often a folder, and a bucket, is listed. A listing of a bucket is a request that is paid for: chosen by hand.
const FOLDER_INTERVAL: Duration = Duration::from_millis(500);
const BUCKET_INTERVAL: Duration = Duration::from_secs(5);
/// How often machines say in a folder, and in a bucket, that they live.
const FOLDER_NEWS: Duration = Duration::from_secs(5);
const BUCKET_NEWS: Duration = Duration::from_secs(15);
/// Objects that are looked at, and fetched of one contract; chosen by hand, as many as a corpus folder keeps. The latest count.
const MAX_LISTED: usize = 200_000;
const MAX_FETCHED: usize = 1024;
/// How often it is looked for records in other forms, which is a request more; chosen by hand.
const FORMS_INTERVAL: Duration = Duration::from_secs(60);
/// Requests that run at the same time; chosen by hand.
const AT_ONCE: usize = 16;

/// A folder or a bucket.
#[derive(Debug)]
pub(super) struct Objects {
    store: Arc<dyn ObjectStore>,
    interval: Duration,
    pub(super) places: ObjectPlaces,
    /// The folder, if it is one.
    folder: Option<PathBuf>,
    other_forms: OtherForms,
    /// When it was looked for other forms.
    looked: Option<Instant>,
}

impl Objects {
    /// Opens a folder, which is made if it is not there.
    pub(super) fn folder(folder: &std::path::Path) -> Result<Self, Unusable> {
        CorpusStore::check_folder(folder).map_err(|error| Unusable {
            what: error.to_string(),
            remedy: "give a folder that can be written or created",
        })?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| Unusable {
            what: error.to_string(),
            remedy: "give a folder that can be written or created",
        })?;
        Ok(Self::of_folder(store, folder))
    }

    /// Opens a folder that is there, to look into it.
    pub(super) fn visit_folder(folder: &std::path::Path) -> Result<Self, Unusable> {
        if !folder.is_dir() {
            return Err(Unusable { what: "no such folder".to_owned(), remedy: "give one in which machines share" });
        }
        let store = LocalFileSystem::new_with_prefix(folder)
            .map_err(|error| Unusable { what: error.to_string(), remedy: "give a folder that can be read" })?;
        Ok(Self::of_folder(store, folder))
    }

    fn of_folder(store: LocalFileSystem, folder: &std::path::Path) -> Self {
        let folder = Some(folder.to_owned());
        Self { folder, ..Self::new(Arc::new(store), FOLDER_INTERVAL, FOLDER_NEWS) }
    }

    /// Opens a bucket, and looks whether it answers.
    pub(super) async fn bucket(bucket: &Bucket) -> Result<Self, Unusable> {
        let unusable = |error: Error| Unusable { what: words(&error), remedy: bucket.provider.remedy() };
        let store = bucket.open().map_err(unusable)?;
        if let Some(first) = store.list(Some(&Path::from(FORM))).next().await {
            first.map_err(unusable)?;
        }
        Ok(Self::new(store, BUCKET_INTERVAL, BUCKET_NEWS))
    }

    fn new(store: Arc<dyn ObjectStore>, interval: Duration, news: Duration) -> Self {
        let (places, other_forms) = (ObjectPlaces::new(store.clone(), news), OtherForms::default());
        Self { store, interval, places, folder: None, other_forms, looked: None }
    }

    /// Whether the folder is still there: what is written would otherwise make another one, which those who lost this one do not see.
    fn check(&self) -> Result<(), String> {
        match &self.folder {
            Some(folder) if !folder.is_dir() => Err("the folder is not there any more".to_owned()),
            _ => Ok(()),
        }
    }

    /// Says that a machine lives and fuzzes this set of contracts, and takes a number for it if it has none any more.
    pub(super) async fn claim(&mut self, machine: &Machine, set: Option<&str>) -> Result<Place, String> {
        self.check()?;
        self.places.claim(machine, set).await
    }

    /// The first records in another form that were met, if they were not told yet.
    pub(super) fn take_other_form(&mut self) -> Option<Unusable> {
        self.other_forms.take()
    }

    /// Looks for records in other forms.
    async fn look_for_other_forms(&mut self) -> Result<(), Error> {
        let listed = self.store.list_with_delimiter(None).await?;
        self.looked = Some(Instant::now());
        listed.common_prefixes.iter().filter_map(|path| path.filename()).for_each(|name| self.other_forms.see(name));
        Ok(())
    }

    /// How long to wait until it is looked at again.
    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// Writes records that are not there yet. Returns those that were not written, and the first reason.
    pub(super) async fn send(&self, records: Vec<Record>) -> Sent {
        let write = |record: Record| async move {
            let location = location(&RecordName::of(&record));
            let written = self.create(&location, record.text.clone().into_bytes()).await;
            (record, written)
        };
        let mut sent = Sent::default();
        if let Err(why) = self.check() {
            records.into_iter().for_each(|record| sent.fail(record, why.clone()));
            return sent;
        }
        let mut written = stream::iter(records.into_iter().map(write)).buffered(AT_ONCE);
        while let Some((record, written)) = written.next().await {
            match written {
                Ok(is_new) => sent.count(!is_new),
                Err(error) => sent.fail(record, words(&error)),
            }
        }
        sent
    }

    /// Writes an object; false if it is there already.
    async fn create(&self, location: &Path, content: Vec<u8>) -> Result<bool, Error> {
        let options = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
        match self.store.put_opts(location, content.into(), options).await {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Fetches what was asked for and is not known.
    pub(super) async fn receive(&mut self, mailbox: &Mailbox) -> Result<(), String> {
        self.check()?;
        if self.looked.is_none_or(|looked| looked.elapsed() >= FORMS_INTERVAL) {
            self.look_for_other_forms().await.map_err(|error| words(&error))?;
        }
        let wanted = self.wanted(mailbox).await.map_err(|error| words(&error))?;
        let objects = &*self;
        let fetch = |(name, meta): Wanted| async move {
            let content = objects.fetch(&name, &meta.location, meta.size).await;
            content.map(|record| (name, record))
        };
        let mut fetched = stream::iter(wanted.into_iter().map(fetch)).buffered(AT_ONCE);
        while let Some((name, record)) = fetched.try_next().await? {
            match record {
                Some(Ok(record)) => mailbox.accept(record),
                Some(Err(why)) => mailbox.refuse_content(&name.topic, &name.id, &why),
                None => {}
            }
        }
        Ok(())
    }

    /// Fetches a record. None if it was removed meanwhile.
    async fn fetch(
        &self,
        RecordName { topic, kind, id }: &RecordName,
        location: &Path,
        size: u64,
    ) -> Result<Option<Result<Record, Refusal>>, String> {
        if size > MAX_RECORD as u64 {
            return Ok(Some(Err(Refusal::TooLarge(size))));
        }
        let content = match self.store.get(location).await {
            Ok(object) => object.bytes().await,
            Err(error) => Err(error),
        };
        match content {
            Ok(content) => Ok(Some(Record::received(topic, *kind, id, content.to_vec()))),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(words(&error)),
        }
    }

    /// The content of a record, if it is there and is one.
    pub(super) async fn read(&self, name: &RecordName) -> Result<Option<Record>, String> {
        let location = location(name);
        let size = match self.store.head(&location).await {
            Ok(meta) => meta.size,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(words(&error)),
        };
        Ok(self.fetch(name, &location, size).await?.and_then(Result::ok))
    }

    /// Removes a record, if it is there.
    pub(super) async fn remove(&self, name: &RecordName) -> Result<(), String> {
        match self.store.delete(&location(name)).await {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(words(&error)),
        }
    }

    /// The contracts on which there is anything.
    pub(super) async fn topics(&mut self) -> Result<Vec<Topic>, String> {
        self.look_for_other_forms().await.map_err(|error| words(&error))?;
        let listed = self.store.list_with_delimiter(Some(&Path::from(FORM))).await.map_err(|error| words(&error))?;
        Ok(listed.common_prefixes.iter().filter_map(|path| Topic::named(path.filename()?)).collect())
    }

    /// Whether anything is there of machines that shared.
    pub(super) async fn is_used(&self) -> Result<bool, String> {
        let used = async {
            let mut records = self.store.list(Some(&Path::from(FORM)));
            Ok(records.try_next().await?.is_some() || self.places.is_used().await?)
        };
        used.await.map_err(|error: Error| words(&error))
    }

    /// The sequences and findings that there are.
    pub(super) async fn stored(&mut self) -> Result<Stored, String> {
        self.look_for_other_forms().await.map_err(|error| words(&error))?;
        let mut listed = self.store.list(Some(&Path::from(FORM))).take(MAX_LISTED);
        let mut stored = Stored::default();
        while let Some(meta) = listed.try_next().await.map_err(|error| words(&error))? {
            match named(&meta.location) {
                Some(name) if name.kind == Kind::Finding => stored.findings.push(name),
                Some(_) => stored.entries += 1,
                None => {}
            }
        }
        Ok(stored)
    }

    /// The objects to be fetched, of each contract the oldest first: what was found first is the easiest to build on.
    async fn wanted(&self, mailbox: &Mailbox) -> Result<Vec<Wanted>, Error> {
        let mut listed = self.store.list(Some(&Path::from(FORM))).take(MAX_LISTED);
        let mut wanted: BTreeMap<Topic, Vec<Wanted>> = BTreeMap::new();
        while let Some(meta) = listed.try_next().await? {
            if let Some(name) = named(&meta.location).filter(|name| mailbox.wants(&name.topic, &name.id)) {
                wanted.entry(name.topic.clone()).or_default().push((name, meta));
            }
        }
        let latest = |mut of_one: Vec<Wanted>| {
            of_one.sort_by_key(|(_, meta)| meta.last_modified);
            let surplus = of_one.len().saturating_sub(MAX_FETCHED);
            of_one.split_off(surplus)
        };
        Ok(wanted.into_values().flat_map(latest).collect())
    }
}

/// An object that was asked for.
type Wanted = (RecordName, ObjectMeta);

/// Where a record is.
fn location(name: &RecordName) -> Path {
    let [topic, folder, id] = name.parts();
    Path::from_iter([FORM, topic, folder, &format!("{id}.json")])
}

/// The record at a location, by its name; none if it is something else.
fn named(location: &Path) -> Option<RecordName> {
    let parts: Vec<String> = location.parts().map(|part| part.as_ref().to_owned()).collect();
    let [_, topic, folder, file] = parts.try_into().ok()?;
    RecordName::read(&topic, &folder, file.strip_suffix(".json")?)
}
