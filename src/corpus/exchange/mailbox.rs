//! A [`Mailbox`] is the part of an exchange within a process: what was published and is to be carried away, and what arrived and is to
//! be polled. All of it has bounds, and no side waits for the other.

use super::{
    interface::{Exchange, GoalPart},
    record::{Record, Refusal, Topic},
};
use crate::corpus::store::{
    FORM, Kind,
    folder::{MAX_ENTRIES, MAX_ENTRY_BYTES, name_of},
};
use alloy_primitives::map::HashSet;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Records that wait to be carried away; chosen by hand, as many as wait for a disk. Beyond that, sequences are dropped, the oldest
/// first: it took the least work.
const MAX_OUTGOING: usize = 4096;
/// Records that are polled at once; chosen by hand, so that reading them does not make a slice much longer.
const BATCH: usize = 64;
/// Ids that are known to have been shared; chosen by hand. Beyond that all are forgotten: what is sent twice then is known to the server.
const MAX_KNOWN: usize = 1 << 18;
/// Bytes that wait to be polled, of all contracts together; chosen by hand.
const MAX_BYTES: u64 = 64 << 20;
/// Hex digits that name a set of contracts; chosen by hand.
const SET_NAME: usize = 16;

/// How many records went which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Records that were carried away.
    pub sent: u64,
    /// Of those, records that another machine had shared before.
    pub sent_twice: u64,
    /// Records that arrived.
    pub received: u64,
    /// Records that arrived and could not be used.
    pub refused: u64,
    /// Records that were dropped since nobody carried them away in time.
    pub dropped: u64,
}

/// What leaves and what arrives.
#[derive(Debug)]
pub struct Mailbox {
    state: Mutex<State>,
    changed: Condvar,
    /// How long a subscription waits for what was shared before.
    patience: Duration,
}

#[derive(Debug, Default)]
struct State {
    inboxes: BTreeMap<Topic, Inbox>,
    /// The contracts that are fuzzed here, which machines that fuzz the same ones divide among them.
    fuzzed: BTreeSet<Topic>,
    bytes: u64,
    known: HashSet<u128>,
    outgoing: VecDeque<Record>,
    /// The number of subscriptions, and of those the ones whose earlier records have arrived.
    subscriptions: u64,
    complete: u64,
    /// Whether the other machines cannot be reached now.
    alone: bool,
    /// Whether nothing leaves.
    keeps_to_itself: bool,
    /// The position of this machine among those that live and fuzz the same contracts, and how many these are.
    place: (usize, usize),
    counts: Counts,
    refusal: Option<String>,
}

/// Records on one contract.
#[derive(Debug, Default)]
struct Inbox {
    records: VecDeque<Arc<Record>>,
    /// The position of the first of them.
    first: u64,
    bytes: u64,
}

impl Mailbox {
    /// An empty one, in which a subscription waits for at most this long.
    pub fn new(patience: Duration) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), patience }
    }

    /// The contracts that were asked for, and a number that grows with each subscription.
    pub fn subscriptions(&self) -> (Vec<Topic>, u64) {
        let state = self.lock();
        (state.inboxes.keys().cloned().collect(), state.subscriptions)
    }

    /// Whether a subscription waits for what was shared before it.
    pub fn is_asked(&self) -> bool {
        let state = self.lock();
        state.complete < state.subscriptions
    }

    /// Notes that all that was shared before the subscription of this number has arrived.
    pub fn complete(&self, subscription: u64) {
        let mut state = self.lock();
        state.complete = state.complete.max(subscription);
        drop(state);
        self.changed.notify_all();
    }

    /// Notes whether the other machines can be reached. While they cannot, no subscription waits.
    pub fn set_alone(&self, alone: bool) {
        self.lock().alone = alone;
        self.changed.notify_all();
    }

    /// Sets whether anything leaves. What waits to be carried away is dropped where nothing does.
    pub fn set_shares(&self, shares: bool) {
        let mut state = self.lock();
        state.keeps_to_itself = !shares;
        if !shares {
            state.outgoing.clear();
        }
    }

    /// Forgets which contracts were fuzzed here: others follow. Their records stay.
    pub fn begin_project(&self) {
        let mut state = self.lock();
        state.fuzzed.clear();
        state.place = (0, 1);
    }

    /// The name of the set of contracts that are fuzzed here, the same wherever these are and records have this form; none before there
    /// are any.
    pub fn contract_set(&self) -> Option<String> {
        let state = self.lock();
        let names: Vec<&str> = std::iter::once(FORM).chain(state.fuzzed.iter().map(Topic::name)).collect();
        (!state.fuzzed.is_empty()).then(|| name_of(&names.join("\n"))[..SET_NAME].to_owned())
    }

    /// Notes the position of this machine among those that live and fuzz the same set of contracts, and how many these are.
    pub fn set_place(&self, position: usize, machines: usize) {
        self.lock().place = (position, machines);
    }

    /// Whether a record of this id would be of use: somebody asked for its contract, and it is not known.
    pub fn wants(&self, topic: &Topic, id: &str) -> bool {
        let state = self.lock();
        state.inboxes.contains_key(topic) && number(id).is_some_and(|id| !state.known.contains(&id))
    }

    /// Takes in a record that arrived. Does nothing if nobody asked for its contract, or if it is known.
    pub fn accept(&self, record: impl Into<Arc<Record>>) {
        let record = record.into();
        let mut state = self.lock();
        if state.inboxes.contains_key(&record.topic) && state.know(&record.id) {
            state.counts.received += 1;
            state.add(record);
        }
    }

    /// Counts a record that arrived and cannot be one. The first is described, for people.
    pub fn refuse_content(&self, topic: &Topic, id: &str, why: &Refusal) {
        let mut state = self.lock();
        // It is not asked for again.
        if state.know(id) {
            state.refuse(&format!("{}/{id} {why}", topic.name()));
        }
    }

    /// Takes out records to be carried away, at most this many.
    pub fn take_outgoing(&self, most: usize) -> Vec<Record> {
        let mut state = self.lock();
        let count = state.outgoing.len().min(most);
        state.outgoing.drain(..count).collect()
    }

    /// Puts back records that could not be carried away.
    pub fn put_back(&self, records: Vec<Record>) {
        let mut state = self.lock();
        records.into_iter().rev().for_each(|record| state.outgoing.push_front(record));
        state.bound_outgoing();
    }

    /// Counts records that were carried away, and of those the ones that were known there.
    pub fn count_sent(&self, sent: u64, known_there: u64) {
        let counts = &mut self.lock().counts;
        counts.sent += sent;
        counts.sent_twice += known_there;
    }

    /// How many records wait to be carried away.
    pub fn waiting(&self) -> usize {
        self.lock().outgoing.len()
    }

    /// How many records went which way.
    pub fn counts(&self) -> Counts {
        self.lock().counts
    }

    /// The first record that was refused, and why, once.
    pub fn take_refusal(&self) -> Option<String> {
        self.lock().refusal.take()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange for Mailbox {
    fn subscribe(&self, topics: &[Topic]) {
        let mut state = self.lock();
        let before = state.inboxes.len();
        for topic in topics {
            state.inboxes.entry(topic.clone()).or_default();
            state.fuzzed.insert(topic.clone());
        }
        if state.inboxes.len() == before {
            return;
        }
        state.subscriptions += 1;
        let (mine, end) = (state.subscriptions, Instant::now() + self.patience);
        while state.complete < mine && !state.alone {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn publish(&self, record: Record) {
        let mut state = self.lock();
        if !state.keeps_to_itself && state.know(&record.id) {
            state.outgoing.push_back(record);
            state.bound_outgoing();
        }
    }

    fn poll(&self, topic: &Topic, since: u64) -> (Vec<Arc<Record>>, u64) {
        let state = self.lock();
        let Some(inbox) = state.inboxes.get(topic) else { return (Vec::new(), since) };
        let skipped = since.saturating_sub(inbox.first).min(inbox.records.len() as u64);
        let records: Vec<_> = inbox.records.iter().skip(skipped as usize).take(BATCH).cloned().collect();
        let next = inbox.first + skipped + records.len() as u64;
        (records, next)
    }

    fn falls_here(&self, topic: &Topic) -> bool {
        self.lock().falls_here(topic)
    }

    fn goals_here(&self, topic: &Topic) -> GoalPart {
        let state = self.lock();
        let (position, machines) = state.place;
        let teams = state.teams().max(1);
        // The machines of a team are as many positions apart as there are teams.
        let members = machines.saturating_sub(position % teams).div_ceil(teams);
        match state.falls_here(topic) && members > 1 {
            true => GoalPart { index: position / teams, parts: members },
            false => GoalPart::ALL,
        }
    }

    fn refuse(&self, record: &Record, why: &Refusal) {
        self.lock().refuse(&format!("{}/{} {why}", record.topic.name(), record.id));
    }
}

impl State {
    /// How many teams the machines form. Each has contracts of its own; where there are fewer contracts than machines, several machines are
    /// in one team.
    fn teams(&self) -> usize {
        self.place.1.min(self.fuzzed.len())
    }

    /// Whether this machine is in the team that a contract falls to.
    fn falls_here(&self, topic: &Topic) -> bool {
        let nth = self.fuzzed.iter().position(|other| other == topic);
        let teams = self.teams();
        teams < 2 || nth.is_none_or(|nth| nth % teams == self.place.0 % teams)
    }

    /// Notes an id; false if it was known, or is none.
    fn know(&mut self, id: &str) -> bool {
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        number(id).is_some_and(|id| self.known.insert(id))
    }

    fn refuse(&mut self, words: &str) {
        if self.counts.refused == 0 {
            self.refusal = Some(words.to_owned());
        }
        self.counts.refused += 1;
    }

    fn add(&mut self, record: Arc<Record>) {
        let Some(inbox) = self.inboxes.get_mut(&record.topic) else { return };
        let bytes = record.text.len() as u64;
        inbox.records.push_back(record);
        inbox.bytes += bytes;
        self.bytes += bytes;
        while inbox.records.len() > MAX_ENTRIES || inbox.bytes > MAX_ENTRY_BYTES || self.bytes > MAX_BYTES {
            let Some(gone) = inbox.records.pop_front() else { return };
            let bytes = gone.text.len() as u64;
            inbox.first += 1;
            inbox.bytes -= bytes;
            self.bytes -= bytes;
        }
    }

    fn bound_outgoing(&mut self) {
        while self.outgoing.len() > MAX_OUTGOING {
            let at = self.outgoing.iter().position(|record| record.kind == Kind::Entry).unwrap_or(0);
            self.outgoing.remove(at);
            self.counts.dropped += 1;
        }
    }
}

/// An id as a number; none if it is none.
fn number(id: &str) -> Option<u128> {
    Record::is_id(id).then(|| u128::from_str_radix(id, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic() -> Topic {
        Topic::named("Vault-0").unwrap()
    }

    fn record(kind: Kind, text: &str) -> Record {
        Record { topic: topic(), kind, id: name_of(text), text: text.to_owned() }
    }

    #[test]
    fn what_is_known_is_neither_sent_nor_taken_in_again() {
        let mailbox = Mailbox::new(Duration::ZERO);
        mailbox.accept(record(Kind::Entry, "nobody asked"));
        mailbox.subscribe(&[topic()]);
        mailbox.accept(record(Kind::Entry, "a"));
        mailbox.accept(record(Kind::Entry, "a"));
        mailbox.publish(record(Kind::Entry, "a"));
        mailbox.publish(record(Kind::Entry, "b"));
        mailbox.accept(record(Kind::Entry, "b"));
        let (polled, next) = mailbox.poll(&topic(), 0);
        assert_eq!((polled.len(), &*polled[0].text, next), (1, "a", 1));
        assert_eq!(mailbox.poll(&topic(), next).0, []);
        let outgoing = mailbox.take_outgoing(10);
        assert_eq!(outgoing.iter().map(|record| &*record.text).collect::<Vec<_>>(), ["b"]);
        assert_eq!(mailbox.counts().received, 1);
        assert!(mailbox.wants(&topic(), &name_of("c")) && !mailbox.wants(&topic(), &name_of("b")));
    }

    #[test]
    fn nothing_grows_without_end_and_findings_are_dropped_last() {
        let mailbox = Mailbox::new(Duration::ZERO);
        mailbox.subscribe(&[topic()]);
        mailbox.publish(record(Kind::Finding, "found"));
        for number in 0..MAX_OUTGOING + 10 {
            mailbox.publish(record(Kind::Entry, &number.to_string()));
            mailbox.accept(record(Kind::Entry, &format!("from elsewhere {number}")));
        }
        let outgoing = mailbox.take_outgoing(usize::MAX);
        assert_eq!((outgoing.len(), outgoing[0].kind, &*outgoing[1].text), (MAX_OUTGOING, Kind::Finding, "11"));
        assert_eq!(mailbox.counts().dropped, 11);
        mailbox.put_back(outgoing);
        assert_eq!(mailbox.waiting(), MAX_OUTGOING);
        let (mut polled, mut since) = (0, 0);
        loop {
            let (records, next) = mailbox.poll(&topic(), since);
            assert!(records.len() <= BATCH);
            if records.is_empty() {
                break;
            }
            (polled, since) = (polled + records.len(), next);
        }
        assert_eq!((polled, since), (MAX_ENTRIES, MAX_OUTGOING as u64 + 10), "the latest, by their own positions");
    }

    #[test]
    fn nothing_leaves_where_nothing_is_shared() {
        let mailbox = Mailbox::new(Duration::ZERO);
        mailbox.publish(record(Kind::Entry, "a"));
        mailbox.set_shares(false);
        mailbox.publish(record(Kind::Finding, "b"));
        assert_eq!(mailbox.take_outgoing(10), []);
        mailbox.set_shares(true);
        mailbox.publish(record(Kind::Finding, "b"));
        assert_eq!(mailbox.take_outgoing(10).len(), 1);
    }

    #[test]
    fn a_subscription_waits_for_what_was_shared_before_and_not_while_it_is_alone() {
        let mailbox = Arc::new(Mailbox::new(Duration::from_secs(600)));
        let inside = mailbox.clone();
        let thread = std::thread::spawn(move || {
            inside.subscribe(&[topic()]);
            inside.poll(&topic(), 0).0.len()
        });
        let number = loop {
            let (topics, number) = mailbox.subscriptions();
            if !topics.is_empty() {
                break number;
            }
            std::thread::yield_now();
        };
        mailbox.accept(record(Kind::Entry, "a"));
        mailbox.complete(number);
        assert_eq!(thread.join().unwrap(), 1);
        mailbox.set_alone(true);
        mailbox.subscribe(&[Topic::named("Other-0").unwrap()]);
    }

    #[test]
    fn each_contract_falls_to_a_machine_and_each_machine_has_one() {
        let topics = ["A-0", "B-0", "C-0", "D-0", "E-0"].map(|name| Topic::named(name).unwrap());
        let fallen = |position, machines, topics: &[Topic]| {
            let mailbox = Mailbox::new(Duration::ZERO);
            mailbox.subscribe(topics);
            mailbox.set_place(position, machines);
            topics.iter().map(|topic| u8::from(mailbox.falls_here(topic))).collect::<Vec<_>>()
        };
        assert_eq!([0, 1].map(|position| fallen(position, 2, &topics)), [[1, 0, 1, 0, 1], [0, 1, 0, 1, 0]]);
        assert_eq!([0, 1, 2].map(|position| fallen(position, 3, &topics[..2])), [[1, 0], [0, 1], [1, 0]]);
        assert_eq!(fallen(0, 1, &topics), [1; 5]);
        assert_eq!(fallen(3, 8, &topics[..1]), [1]);
    }

    #[test]
    fn work_is_even_among_machines_with_the_same_contracts() {
        let topics: Vec<Topic> = (0..7).map(|nth| Topic::named(&format!("C{nth}-0")).unwrap()).collect();
        for machines in 1..=9 {
            let mut takers = vec![0; topics.len()];
            let mut loads = Vec::new();
            for position in 0..machines {
                let mailbox = Mailbox::new(Duration::ZERO);
                mailbox.subscribe(&topics);
                mailbox.set_place(position, machines);
                let fallen: Vec<bool> = topics.iter().map(|topic| mailbox.falls_here(topic)).collect();
                takers.iter_mut().zip(&fallen).for_each(|(takers, falls)| *takers += usize::from(*falls));
                loads.push(fallen.iter().filter(|falls| **falls).count());
            }
            let [least, most] = [loads.iter().min(), loads.iter().max()].map(|load| *load.unwrap());
            assert!(takers.iter().all(|takers| *takers > 0) && most - least <= 1, "{machines}: {takers:?} {loads:?}");
        }
    }

    #[test]
    fn a_set_of_contracts_has_one_name_and_the_next_project_is_another_set() {
        let [a, b, c] = ["A-0", "B-0", "C-0"].map(|name| Topic::named(name).unwrap());
        let set = |subscriptions: &[Vec<&Topic>]| {
            let mailbox = Mailbox::new(Duration::ZERO);
            for topics in subscriptions {
                mailbox.subscribe(&topics.iter().copied().cloned().collect::<Vec<Topic>>());
            }
            mailbox.contract_set()
        };
        assert_eq!(set(&[]), None);
        assert_eq!(set(&[vec![&a, &b]]), set(&[vec![&b], vec![&a]]));
        assert_ne!(set(&[vec![&a, &b]]), set(&[vec![&a]]));

        let mailbox = Mailbox::new(Duration::ZERO);
        mailbox.subscribe(&[a.clone(), b]);
        mailbox.set_place(1, 2);
        assert!(!mailbox.falls_here(&a));
        mailbox.begin_project();
        assert_eq!(mailbox.contract_set(), None);
        mailbox.subscribe(std::slice::from_ref(&c));
        assert_eq!(mailbox.contract_set(), set(&[vec![&c]]), "what was fuzzed before does not count");
        assert!(mailbox.falls_here(&c), "nobody is known to fuzz it, too");
    }

    #[test]
    fn each_goal_of_a_contract_falls_to_one_of_the_machines_that_have_it() {
        let topics = ["A-0", "B-0", "C-0"].map(|name| Topic::named(name).unwrap());
        for machines in 1..=9 {
            let mailboxes = (0..machines).map(|position| {
                let mailbox = Mailbox::new(Duration::ZERO);
                mailbox.subscribe(&topics);
                mailbox.set_place(position, machines);
                mailbox
            });
            let mailboxes: Vec<_> = mailboxes.collect();
            for topic in &topics {
                let team: Vec<_> = mailboxes.iter().filter(|mailbox| mailbox.falls_here(topic)).collect();
                for goal in 0..20 {
                    let having = team.iter().filter(|mailbox| mailbox.goals_here(topic).has(goal)).count();
                    assert_eq!(having, 1, "{machines} machines, {topic:?}, goal {goal}");
                }
            }
        }
        assert_eq!(Mailbox::new(Duration::ZERO).goals_here(&topics[0]), GoalPart::ALL, "alone");
    }

    #[test]
    fn the_first_refusal_is_told_once() {
        let mailbox = Mailbox::new(Duration::ZERO);
        let why = Refusal::Foreign;
        mailbox.refuse_content(&topic(), &name_of("a"), &why);
        mailbox.refuse_content(&topic(), &name_of("a"), &why);
        mailbox.refuse(&record(Kind::Entry, "b"), &why);
        let words = format!("Vault-0/{} calls no function of the contract", name_of("a"));
        assert_eq!((mailbox.take_refusal(), mailbox.take_refusal()), (Some(words), None));
        assert_eq!(mailbox.counts().refused, 2);
    }
}
