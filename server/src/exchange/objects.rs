//! Objects: records as files of a folder, or as objects of a bucket, in the layout of a corpus folder. Nothing tells of a new one, so
//! that they are listed again and again.

use super::{
    bucket::Bucket,
    object_places::ObjectPlaces,
    sent::{Sent, Unusable},
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
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// How often a folder, and a bucket, is listed. A listing of a bucket is a request that is paid for: chosen by hand.
const FOLDER_INTERVAL: Duration = Duration::from_millis(500);
const BUCKET_INTERVAL: Duration = Duration::from_secs(5);
/// How often machines say in a folder, and in a bucket, that they live.
const FOLDER_NEWS: Duration = Duration::from_secs(5);
const BUCKET_NEWS: Duration = Duration::from_secs(15);
/// Objects that are looked at, and fetched of one contract; chosen by hand, as many as a corpus folder keeps. The latest count.
const MAX_LISTED: usize = 200_000;
const MAX_FETCHED: usize = 1024;
/// Requests that run at the same time; chosen by hand.
const AT_ONCE: usize = 16;

/// A folder or a bucket.
#[derive(Debug)]
pub(super) struct Objects {
    store: Arc<dyn ObjectStore>,
    interval: Duration,
    pub(super) places: ObjectPlaces,
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
        Ok(Self::new(Arc::new(store), FOLDER_INTERVAL, FOLDER_NEWS))
    }

    /// Opens a folder that is there, to look into it.
    pub(super) fn visit_folder(folder: &std::path::Path) -> Result<Self, Unusable> {
        let store = LocalFileSystem::new_with_prefix(folder)
            .map_err(|error| Unusable { what: error.to_string(), remedy: "give a folder that can be read" })?;
        Ok(Self::new(Arc::new(store), FOLDER_INTERVAL, FOLDER_NEWS))
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
        Self { places: ObjectPlaces::new(store.clone(), news), store, interval }
    }

    /// How long to wait until it is looked at again.
    pub(super) fn interval(&self) -> Duration {
        self.interval
    }

    /// Writes records that are not there yet. Returns those that were not written, and the first reason.
    pub(super) async fn send(&self, records: Vec<Record>) -> Sent {
        let write = |record: Record| async move {
            let written = self.create(&location(&record), record.text.clone().into_bytes()).await;
            (record, written)
        };
        let mut sent = Sent::default();
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
    pub(super) async fn receive(&self, mailbox: &Mailbox) -> Result<(), String> {
        let wanted = self.wanted(mailbox).await.map_err(|error| words(&error))?;
        let fetch = |(topic, kind, id, meta): Wanted| async move {
            if meta.size > MAX_RECORD as u64 {
                return Ok((topic, id, Some(Err(Refusal::TooLarge(meta.size)))));
            }
            let content = match self.store.get(&meta.location).await {
                Ok(object) => object.bytes().await,
                Err(error) => Err(error),
            };
            match content {
                Ok(content) => {
                    let record = Record::received(&topic, kind, &id, content.to_vec());
                    Ok((topic, id, Some(record)))
                }
                // It was removed meanwhile.
                Err(Error::NotFound { .. }) => Ok((topic, id, None)),
                Err(error) => Err(words(&error)),
            }
        };
        let mut fetched = stream::iter(wanted.into_iter().map(fetch)).buffered(AT_ONCE);
        while let Some((topic, id, record)) = fetched.try_next().await? {
            match record {
                Some(Ok(record)) => mailbox.accept(record),
                Some(Err(why)) => mailbox.refuse_content(&topic, &id, &why),
                None => {}
            }
        }
        Ok(())
    }

    /// The contracts on which there is anything.
    pub(super) async fn topics(&self) -> Result<Vec<Topic>, String> {
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

    /// How many sequences and findings there are.
    pub(super) async fn stored(&self) -> Result<(u64, u64), String> {
        let mut listed = self.store.list(Some(&Path::from(FORM))).take(MAX_LISTED);
        let (mut entries, mut findings) = (0, 0);
        while let Some(meta) = listed.try_next().await.map_err(|error| words(&error))? {
            match named(&meta.location) {
                Some((_, Kind::Entry, _)) => entries += 1,
                Some((_, Kind::Finding, _)) => findings += 1,
                None => {}
            }
        }
        Ok((entries, findings))
    }

    /// The objects to be fetched, of each contract the oldest first: what was found first is the easiest to build on.
    async fn wanted(&self, mailbox: &Mailbox) -> Result<Vec<Wanted>, Error> {
        let mut listed = self.store.list(Some(&Path::from(FORM))).take(MAX_LISTED);
        let mut wanted: BTreeMap<Topic, Vec<Wanted>> = BTreeMap::new();
        while let Some(meta) = listed.try_next().await? {
            if let Some((topic, kind, id)) = named(&meta.location)
                && mailbox.wants(&topic, &id)
            {
                wanted.entry(topic.clone()).or_default().push((topic, kind, id, meta));
            }
        }
        let latest = |mut of_one: Vec<Wanted>| {
            of_one.sort_by_key(|(.., meta)| meta.last_modified);
            let surplus = of_one.len().saturating_sub(MAX_FETCHED);
            of_one.split_off(surplus)
        };
        Ok(wanted.into_values().flat_map(latest).collect())
    }
}

/// An object that was asked for.
type Wanted = (Topic, Kind, String, ObjectMeta);

/// Where a record is.
fn location(record: &Record) -> Path {
    let Record { topic, kind, id, .. } = record;
    Path::from_iter([FORM, topic.name(), kind.folder(), &format!("{id}.json")])
}

/// The record at a location, by its name; none if it is something else.
fn named(location: &Path) -> Option<(Topic, Kind, String)> {
    let parts: Vec<String> = location.parts().map(|part| part.as_ref().to_owned()).collect();
    let [_, topic, folder, file] = parts.try_into().ok()?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.folder() == folder)?;
    let id = file.strip_suffix(".json").filter(|id| Record::is_id(id))?;
    Some((Topic::named(&topic)?, kind, id.to_owned()))
}
