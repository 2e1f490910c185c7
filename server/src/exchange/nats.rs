//! NATS: records as messages of a JetStream stream, which keeps them and knows by their ids what it was sent before. The subject of a record
//! is `bellwether.CAMPAIGN.FORM.CONTRACT.KIND.ID`, so that those in a form of another version are told from the others without being read.

use super::{
    machine::{Machine, Place},
    nats_places::NatsPlaces,
    record_name::{OtherForms, RecordName},
    sent::{Sent, Stored},
    subjects::subjects,
    unusable::Unusable,
};
use async_nats::{
    Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr,
    connection::State,
    jetstream::{
        self, Context,
        consumer::{self, AckPolicy, Consumer, DeliverPolicy, pull},
        context::GetStreamErrorKind,
        message::PublishMessage,
        stream::{Config, DiscardPolicy, LastRawMessageErrorKind, Stream},
    },
};
use bellwether::corpus::{
    exchange::{MAX_RECORD, Mailbox, Record, Topic},
    store::{FORM, Kind},
};
use futures_util::{StreamExt, stream};
use std::{
    collections::BTreeSet,
    error::Error as _,
    future, io, iter,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// How often it is asked for new records, and, where there are many machines, how long to wait for each of them: all together then ask a
/// thousand times a second. Chosen by hand.
const INTERVAL: Duration = Duration::from_millis(100);
const INTERVAL_PER_MACHINE: Duration = Duration::from_millis(1);
/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Messages that are fetched at once, and published before the first of them is acknowledged; chosen by hand.
const BATCH: usize = 256;
const AT_ONCE: usize = 64;
/// What a stream keeps at most, the latest: chosen by hand, a year of a large campaign.
const MAX_MESSAGES: i64 = 1_000_000;
const MAX_BYTES: i64 = 1 << 30;
/// Bytes of headers beside a record.
const HEADERS: usize = 1 << 10;
/// How long the server knows by its id what it was sent before. Later, whoever is sent it again knows it, and whoever copies asks before.
const KNOWN_FOR: Duration = Duration::from_secs(60 * 60);
/// A reader that nobody asks any more is removed after this time.
const ABANDONED: Duration = Duration::from_secs(60);
/// After so many questions without an answer in a row a new reader is made: the server may have lost the old one. Chosen by hand: ten
/// seconds.
const EMPTY: u32 = 100;
/// The code of an error that says that there is no such stream.
const NOT_FOUND: usize = 404;

/// A stream on a NATS server.
#[derive(Debug)]
pub(super) struct Nats {
    client: Client,
    context: Context,
    stream: Stream,
    subject: String,
    pub(super) places: NatsPlaces,
    objection: Objection,
    reader: Option<Consumer<pull::Config>>,
    /// The subscription from whose beginning the stream is read.
    subscription: u64,
    /// The number of the next message.
    next: u64,
    /// Questions without an answer, in a row.
    empty: u32,
    other_forms: OtherForms,
}

impl Nats {
    /// Connects, and makes the stream of a campaign if there is none.
    pub(super) async fn connect(server: &str, campaign: &str) -> Result<Self, Unusable> {
        let (client, context, objection) = reach(server).await?;
        let config = Config {
            name: stream_name(campaign),
            description: Some("sequences and findings of bellwether".to_owned()),
            subjects: vec![format!("{}.>", subject(campaign))],
            max_messages: MAX_MESSAGES,
            max_bytes: MAX_BYTES,
            max_message_size: (MAX_RECORD + HEADERS) as i32,
            duplicate_window: KNOWN_FOR,
            discard: DiscardPolicy::Old,
            ..Config::default()
        };
        let stream = context.get_or_create_stream(config).await.map_err(|error| Unusable {
            what: objection.because(format!("no stream can be made: {error}")),
            remedy: "start the server with JetStream (`nats-server -js`), and with room for 1 GiB",
        })?;
        let places = NatsPlaces::open(&context, campaign).await.map_err(|error| Unusable {
            what: objection.because(format!("no bucket can be made: {error}")),
            remedy: "allow key-value buckets, or leave the option out",
        })?;
        Ok(Self::of((client, context, objection), campaign, stream, places))
    }

    /// Connects to the stream of a campaign that is there.
    pub(super) async fn visit(server: &str, campaign: &str) -> Result<Self, Unusable> {
        let (client, context, objection) = reach(server).await?;
        let stream = context.get_stream(stream_name(campaign)).await.map_err(|error| match error.kind() {
            GetStreamErrorKind::JetStream(error) if error.code() == NOT_FOUND => Unusable::unused(),
            _ => Unusable {
                what: objection.because(format!("the stream cannot be read: {error}")),
                remedy: "start the server with JetStream (`nats-server -js`), and allow to read",
            },
        })?;
        let places = NatsPlaces::visit(&context, campaign).await.map_err(|error| Unusable {
            what: objection.because(format!("the bucket of machines cannot be read: {error}")),
            remedy: "allow to read it, or try again",
        })?;
        Ok(Self::of((client, context, objection), campaign, stream, places))
    }

    /// The stream of a campaign, of which nothing is read yet.
    fn of(
        (client, context, objection): (Client, Context, Objection),
        campaign: &str,
        stream: Stream,
        places: NatsPlaces,
    ) -> Self {
        let (subject, other_forms) = (subject(campaign), OtherForms::default());
        let (reader, subscription, next, empty) = (None, 0, 1, 0);
        Self { client, context, stream, subject, places, objection, reader, subscription, next, empty, other_forms }
    }

    /// The first records in another form that were met, if they were not told yet.
    pub(super) fn take_other_form(&mut self) -> Option<Unusable> {
        self.other_forms.take()
    }

    /// The subject of a record.
    fn subject_of(&self, name: &RecordName) -> String {
        format!("{}.{FORM}.{}", self.subject, name.parts().join("."))
    }

    /// The record of a subject. Those in another form are noted.
    fn named(&mut self, subject: &str) -> Option<RecordName> {
        let [_, _, form, topic, folder, id] = subject.split('.').collect::<Vec<_>>().try_into().ok()?;
        self.other_forms.see(form);
        RecordName::read(topic, folder, id).filter(|_| form == FORM)
    }

    /// How long to wait until it is asked again.
    pub(super) fn interval(&self) -> Duration {
        (INTERVAL_PER_MACHINE * self.places.machines() as u32).max(INTERVAL)
    }

    /// Publishes records. Returns those that were not acknowledged, and the first reason.
    pub(super) async fn send(&self, records: Vec<Record>) -> Sent {
        let publish = |record: Record| async move {
            let message = PublishMessage::build().payload(record.text.clone().into()).message_id(&record.id);
            let subject = self.subject_of(&RecordName::of(&record));
            let acknowledged = match self.context.send_publish(subject, message).await {
                Ok(acknowledgement) => acknowledgement.await,
                Err(error) => Err(error),
            };
            (record, acknowledged)
        };
        let mut sent = Sent::default();
        if let Err(why) = self.check() {
            records.into_iter().for_each(|record| sent.fail(record, why.clone()));
            return sent;
        }
        let mut published = stream::iter(records.into_iter().map(publish)).buffered(AT_ONCE);
        while let Some((record, acknowledged)) = published.next().await {
            match acknowledged {
                Ok(acknowledgement) => sent.count(acknowledgement.duplicate),
                Err(error) => sent.fail(record, self.objection.because(error.to_string())),
            }
        }
        sent
    }

    /// Says that a machine lives and fuzzes this set of contracts, and takes a number for it if it has none any more.
    pub(super) async fn claim(&mut self, machine: &Machine, set: Option<&str>) -> Result<Place, String> {
        self.places.claim(machine, set).await.map_err(|what| self.objection.because(what))
    }

    /// Fetches what was published since the last time; all of it, where more was asked for since.
    pub(super) async fn receive(&mut self, mailbox: &Mailbox) -> Result<(), String> {
        self.check()?;
        let (_, subscription) = mailbox.subscriptions();
        if subscription != self.subscription {
            (self.reader, self.subscription, self.next) = (None, subscription, 1);
        }
        let fetched = self.fetch(mailbox).await;
        if fetched.is_err() || self.empty > EMPTY {
            (self.reader, self.empty) = (None, 0);
        }
        fetched
    }

    async fn fetch(&mut self, mailbox: &Mailbox) -> Result<(), String> {
        let reader = match self.reader.take() {
            Some(reader) => reader,
            None => self.begin().await?,
        };
        loop {
            let pending = tokio::time::timeout(PATIENCE, self.batch(&reader, mailbox)).await;
            if pending.unwrap_or_else(|_| Err("no answer".to_owned()))? == 0 {
                self.reader = Some(reader);
                return Ok(());
            }
        }
    }

    /// Fetches what there is, up to a bound, and returns how much is left.
    async fn batch(&mut self, reader: &Consumer<pull::Config>, mailbox: &Mailbox) -> Result<u64, String> {
        let batch = reader.fetch().max_messages(BATCH).messages().await;
        let mut batch = batch.map_err(|error| error.to_string())?;
        let mut pending = 0;
        self.empty += 1;
        while let Some(message) = batch.next().await {
            let message = message.map_err(|error| error.to_string())?;
            let info = message.info().map_err(|error| error.to_string())?;
            (self.next, pending, self.empty) = (info.stream_sequence + 1, info.pending, 0);
            if let Some(RecordName { topic, kind, id }) = self.named(&message.subject)
                && mailbox.wants(&topic, &id)
            {
                match Record::received(&topic, kind, &id, message.payload.to_vec()) {
                    Ok(record) => mailbox.accept(record),
                    Err(why) => mailbox.refuse_content(&topic, &id, &why),
                }
            }
        }
        Ok(pending)
    }

    /// The contracts on which there is anything.
    pub(super) async fn topics(&mut self) -> Result<Vec<Topic>, String> {
        let names = self.names(format!("{}.>", self.subject)).await?;
        let topics: BTreeSet<Topic> = names.into_iter().map(|name| name.topic).collect();
        Ok(topics.into_iter().collect())
    }

    /// The ids of the records on a contract.
    pub(super) async fn ids(&mut self, topic: &Topic) -> Result<BTreeSet<String>, String> {
        let names = self.names(format!("{}.{FORM}.{}.>", self.subject, topic.name())).await?;
        Ok(names.into_iter().map(|name| name.id).collect())
    }

    /// The records that there are, as far as their subjects match a filter.
    async fn names(&mut self, filter: String) -> Result<Vec<RecordName>, String> {
        let subjects = subjects(&self.stream, filter).await?;
        Ok(subjects.iter().filter_map(|subject| self.named(subject)).collect())
    }

    /// The content of a record, if it is there and is one.
    pub(super) async fn read(&self, name: &RecordName) -> Result<Option<Record>, String> {
        match self.stream.get_last_raw_message_by_subject(&self.subject_of(name)).await {
            Ok(message) => Ok(Record::received(&name.topic, name.kind, &name.id, message.payload.to_vec()).ok()),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Removes a record, if it is there.
    pub(super) async fn remove(&self, name: &RecordName) -> Result<(), String> {
        let removed = self.stream.purge().filter(self.subject_of(name)).await;
        removed.map(drop).map_err(|error| self.objection.because(error.to_string()))
    }

    /// Forgets what was received.
    pub(super) fn begin_again(&mut self) {
        (self.reader, self.subscription, self.next) = (None, 0, 1);
    }

    /// The sequences and findings that there are.
    pub(super) async fn stored(&mut self) -> Result<Stored, String> {
        let all = self.stream.get_info().await.map_err(|error| error.to_string())?.state.messages;
        if self.count(format!("{}.{FORM}.>", self.subject)).await? < all {
            // What else there is shows only in the subjects. There may be a million, so otherwise they are not asked for.
            self.names(format!("{}.>", self.subject)).await?;
        }
        let of = |kind: Kind| format!("{}.{FORM}.*.{}.*", self.subject, kind.folder());
        let entries = self.count(of(Kind::Entry)).await?;
        let findings = self.names(of(Kind::Finding)).await?;
        Ok(Stored { entries, findings })
    }

    /// The number of messages whose subjects match a filter.
    async fn count(&self, filter: String) -> Result<u64, String> {
        let config = pull::Config { filter_subject: filter, ..reading() };
        let counter = self.stream.create_consumer(config).await.map_err(|error| error.to_string())?;
        let consumer::Info { num_pending, name, .. } = counter.cached_info();
        self.stream.delete_consumer(name).await.map_err(|error| error.to_string())?;
        Ok(*num_pending)
    }

    /// A reader that goes on where the last one ended.
    async fn begin(&mut self) -> Result<Consumer<pull::Config>, String> {
        let last = self.stream.get_info().await.map_err(|error| error.to_string())?.state.last_sequence;
        if last + 1 < self.next {
            // The stream is another one: the server lost the old one.
            self.next = 1;
        }
        let config = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.next },
            filter_subject: format!("{}.>", self.subject),
            ..reading()
        };
        self.stream.create_consumer(config).await.map_err(|error| error.to_string())
    }

    /// Whether the server is connected; the client connects again by itself.
    fn check(&self) -> Result<(), String> {
        match self.client.connection_state() {
            State::Connected => Ok(()),
            State::Pending | State::Disconnected => Err("the connection is lost".to_owned()),
        }
    }
}

/// How a stream is read: the server keeps nothing of it on disk, and forgets readers that are gone.
fn reading() -> pull::Config {
    pull::Config {
        ack_policy: AckPolicy::None,
        inactive_threshold: ABANDONED,
        memory_storage: true,
        ..pull::Config::default()
    }
}

/// Why nobody could connect.
fn unusable(error: &ConnectError) -> Unusable {
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => Unusable {
            what: "the server does not let this machine in".to_owned(),
            remedy: "give nats://USER:PASSWORD@HOST or nats://TOKEN@HOST, or name a credentials file in NATS_CREDS",
        },
        _ => match certificates(error) {
            Some(why) => Unusable {
                what: why.to_string(),
                remedy: "check the certificates; NATS_CA names a file with those to trust, NATS_CERT and NATS_KEY one's own",
            },
            None => {
                Unusable { what: error.to_string(), remedy: "start it with `nats-server -js`, or check the address" }
            }
        },
    }
}

/// What is wrong with the certificates, if that is why. The client tells it as an error of the connection.
fn certificates(error: &ConnectError) -> Option<&rustls::Error> {
    let first = error.source();
    let mut sources = iter::successors(first, |error: &&(dyn std::error::Error + 'static)| (*error).source());
    sources.find_map(|error| {
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        inner.and_then(|inner| inner.downcast_ref()).or_else(|| error.downcast_ref())
    })
}

/// What the server objected to last. It tells so beside the requests, to which it gives no answer then.
#[derive(Debug, Default, Clone)]
struct Objection(Arc<Mutex<Option<String>>>);

impl Objection {
    /// Has a client that connects with these options listen for it.
    fn listen(&self, options: ConnectOptions) -> ConnectOptions {
        let last = self.0.clone();
        options.event_callback(move |event| {
            if let Event::ServerError(error) = event {
                *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
            }
            future::ready(())
        })
    }

    /// What went wrong, with what the server objected to meanwhile.
    fn because(&self, what: String) -> String {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(objection) => format!("{what}: {objection}"),
            None => what,
        }
    }
}

/// How to connect: with the credentials and the certificates that the environment names, as NATS's own tools do.
async fn options(server: &str) -> Result<ConnectOptions, Unusable> {
    let address: ServerAddr = server.parse().map_err(|error: std::io::Error| Unusable {
        what: error.to_string(),
        remedy: "give nats://HOST:PORT/CAMPAIGN",
    })?;
    let mut options = ConnectOptions::new().name("bellwether").connection_timeout(PATIENCE);
    options = options.request_timeout(Some(PATIENCE)).reconnect_delay_callback(|attempts| {
        // From a tenth of a second to two seconds.
        Duration::from_millis(100 * (attempts as u64).clamp(1, 20))
    });
    options = match (address.username(), address.password()) {
        (Some(user), Some(password)) => options.user_and_password(user.to_owned(), password.to_owned()),
        (Some(token), None) => options.token(token.to_owned()),
        (None, _) => options,
    };
    if let Some(file) = std::env::var_os("NATS_CREDS") {
        options = options.credentials_file(&file).await.map_err(|error| Unusable {
            what: format!("NATS_CREDS {}: {error}", file.display()),
            remedy: "name a credentials file, or unset NATS_CREDS",
        })?;
    }
    if let Some(file) = readable("NATS_CA", "name a file with certificates, or unset NATS_CA")? {
        options = options.add_root_certificates(file);
    }
    let remedy = "name a certificate and its key, or unset NATS_CERT and NATS_KEY";
    match (readable("NATS_CERT", remedy)?, readable("NATS_KEY", remedy)?) {
        (Some(certificate), Some(key)) => options = options.add_client_certificate(certificate, key),
        (None, None) => {}
        _ => return Err(Unusable { what: "NATS_CERT and NATS_KEY belong together".to_owned(), remedy }),
    }
    Ok(options)
}

/// The file that a variable of the environment names, if it names one.
fn readable(variable: &str, remedy: &'static str) -> Result<Option<PathBuf>, Unusable> {
    let Some(file) = std::env::var_os(variable) else { return Ok(None) };
    std::fs::File::open(&file)
        .map_err(|error| Unusable { what: format!("{variable} {}: {error}", file.display()), remedy })?;
    Ok(Some(file.into()))
}

/// Connects to a server. The last value is what it objects to from then on.
async fn reach(server: &str) -> Result<(Client, Context, Objection), Unusable> {
    let objection = Objection::default();
    let options = objection.listen(options(server).await?);
    let client = options.connect(server).await.map_err(|error| unusable(&error))?;
    Ok((client.clone(), jetstream::new(client), objection))
}

fn stream_name(campaign: &str) -> String {
    format!("bellwether-{campaign}")
}

/// What the subjects of a campaign's records begin with.
fn subject(campaign: &str) -> String {
    format!("bellwether.{campaign}")
}
