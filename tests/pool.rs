//! Several campaigns in one pool: threads and memory are shared fairly, and what becomes of one is none of the others' business.

mod support;

use bellwether::{
    compile::Build,
    fuzz::{Campaign, Event, Focus, Options, Pool},
    project::Config,
};
use std::{
    path::PathBuf,
    sync::{Arc, mpsc},
};
use support::{running::until_quiet, sandbox::Sandbox};

const SLOTS: &str = "contract Slots {
    mapping(uint256 => uint256) public slots;
    function set(uint256 at, uint256 to) external { slots[at % 1000] = to; }
}";

/// A campaign in a pool, and what it tells.
struct Member {
    campaign: Campaign,
    events: mpsc::Receiver<Event>,
    build: Arc<Build>,
    _sandbox: Sandbox,
}

impl Member {
    /// It rests until it is told to run.
    fn join(pool: &Pool, source: &str, options: Options) -> Self {
        let mut sandbox = Sandbox::single(source);
        let (send, events) = mpsc::channel();
        let listener = Arc::new(move |event| drop(send.send(event)));
        let campaign = Campaign::start_in(pool, Options { seed: 1, ..options }, listener).unwrap();
        campaign.set_paused(true);
        let build = sandbox.build();
        campaign.rebase(&build, &Config::default(), 1);
        Self { campaign, events, build, _sandbox: sandbox }
    }

    fn of_one_worker(pool: &Pool, source: &str) -> Self {
        Self::join(pool, source, Options { workers: 1, ..Options::default() })
    }

    fn executions(&self) -> u64 {
        self.campaign.progress().iter().map(|progress| progress.executions).sum()
    }

    fn file(&self) -> Option<PathBuf> {
        Some(self.build.sources[0].path.clone())
    }
}

/// Lets all of them run at once, until the last one has spent its budget of so many transactions; how many the others had by then.
fn race(pool: &Pool, others: &[Member], budget: u64) -> Vec<u64> {
    let options = Options { workers: 1, executions: Some(budget), ..Options::default() };
    let last = Member::join(pool, SLOTS, options);
    // The pool has one thread, which cannot take anything before it is asked for with a lock that all of this holds in turn: so the
    // first one to run has a slice or two more.
    others.iter().for_each(|member| member.campaign.set_paused(false));
    last.campaign.set_paused(false);
    let start: Vec<u64> = others.iter().map(Member::executions).collect();
    while !matches!(last.events.recv().unwrap(), Event::Quiet { .. }) {}
    let had = others.iter().zip(start).map(|(member, start)| member.executions() - start).collect();
    last.campaign.stop();
    others.iter().for_each(|member| member.campaign.pause_and_wait());
    had
}

#[test]
fn campaigns_that_have_something_to_do_get_the_same_share() {
    let pool = Pool::new(false);
    let two_contracts = format!("{SLOTS} contract Other {{ uint256 public n; function up() external {{ n++; }} }}");
    let others = [Member::of_one_worker(&pool, SLOTS), Member::of_one_worker(&pool, &two_contracts)];
    assert_eq!(pool.workers(), 1);
    // Whoever joins later has as much from then on, not what the others had before.
    for _ in 0..2 {
        let had = race(&pool, &others, 60_000);
        assert!(had.iter().all(|had| (50_000..75_000).contains(had)), "{had:?}");
    }
    // Who is paused takes nothing.
    let before = others[0].executions();
    let had = race(&pool, &others[1..], 60_000);
    assert!((50_000..75_000).contains(&had[0]), "{had:?}");
    assert_eq!(others[0].executions(), before);
}

#[test]
fn the_project_that_somebody_looks_at_goes_first() {
    let pool = Pool::new(false);
    let (one, two) = (Member::of_one_worker(&pool, SLOTS), Member::of_one_worker(&pool, SLOTS));
    let focus = Focus { looked: one.file(), changed: None };
    [&one, &two].iter().for_each(|member| member.campaign.focus(focus.clone()));
    // Of eight slices seven are for the file that is looked at, and half of one for each of the two others.
    let had = race(&pool, &[one, two], 5_000);
    assert!((50_000..100_000).contains(&had[0]) && (3_500..7_500).contains(&had[1]), "{had:?}");
}

#[test]
fn the_campaign_that_asks_for_most_decides_how_many_threads_there_are() {
    let pool = Pool::new(false);
    let asks = |workers| Member::join(&pool, SLOTS, Options { workers, ..Options::default() });
    let (one, three) = (asks(1), asks(3));
    assert_eq!(pool.workers(), 3);
    one.campaign.set_workers(2).unwrap();
    assert_eq!(pool.workers(), 3);
    three.campaign.stop();
    assert_eq!(pool.workers(), 2);
    drop(one);
    assert_eq!(pool.workers(), 0);
}

#[test]
fn a_campaign_that_falls_or_ends_leaves_the_others_alone() {
    let pool = Pool::new(false);
    let mut sandbox = Sandbox::single("contract Falls { function f(uint8 x) external pure { assert(x != 3); } }");
    // Who listens runs on the thread that fuzzes, and falls there.
    let falls = |event: Event| assert!(!matches!(event, Event::Found { .. }), "on purpose");
    let options = Options { workers: 1, seed: 1, ..Options::default() };
    let fallen = Campaign::start_in(&pool, options, Arc::new(falls)).unwrap();
    fallen.rebase(&sandbox.build(), &Config::default(), 1);
    let counter =
        "contract Counter { uint256 count; function add(uint256 by) external { require(by <= 10); count += by; }
        function check() external view { assert(count != 20); } }";
    let member = Member::join(&pool, counter, until_quiet(1));
    member.campaign.set_paused(false);
    let mut told = Vec::new();
    while !matches!(told.last(), Some(Event::Quiet { .. })) {
        told.push(member.events.recv().unwrap());
    }
    assert!(matches!(&told[..], [Event::Found { .. }, Event::Shrunk { .. }, Event::Quiet { .. }]), "{told:?}");
    fallen.stop();
    assert_eq!(pool.workers(), 1);
    member.campaign.stop();
}

/// Every call makes a state with a thousand slots more of its own.
const HOARD: &str = "contract Hoard {
    mapping(uint => uint) slots; uint public filled;
    function fill(uint8 many) external { for (uint i; i < 100 + many; i++) slots[filled++] = gasleft(); }
    function check(uint8 x) external view { assert(filled < 1000 || x != 42); }
}";

#[test]
fn one_bound_of_memory_is_for_all() {
    let pool = Pool::new(false);
    let bound = |megabytes| Config { memory: Some(megabytes), ..Config::default() };
    let spend = |member: &Member| {
        member.campaign.set_paused(false);
        while !matches!(member.events.recv().unwrap(), Event::Quiet { .. }) {}
        member.campaign.pause_and_wait();
    };
    let memory = |member: &Member| member.campaign.progress()[0].memory;
    let hoards = || Member::join(&pool, HOARD, Options { workers: 1, executions: Some(20_000), ..Options::default() });
    let one = hoards();
    one.campaign.configure(&bound(4));
    spend(&one);
    assert!((2 << 20..=4 << 20).contains(&memory(&one)), "{}", memory(&one));
    // Another one comes, and asks for less: the most that is asked for counts, and each may have half of it. The first one has
    // nothing to do any more, and lets go all the same.
    let two = hoards();
    two.campaign.configure(&bound(1));
    assert!(memory(&one) <= 2 << 20, "{}", memory(&one));
    spend(&two);
    assert!((1 << 20..=2 << 20).contains(&memory(&two)), "{}", memory(&two));
}
