//! How long a record takes from one machine to all others through a NATS server: `cargo bench -p bellwether-server --bench exchange`. The
//! server, its connections and all that carries records is real. The machines are threads of this process, and publish what a test wrote.
//!
//! ```text
//! cargo bench -p bellwether-server --bench exchange
//! cargo bench -p bellwether-server --bench exchange -- 10 100
//! ```

#[path = "../src/exchange/mod.rs"]
#[allow(dead_code, unused_imports, reason = "nobody visits, and no editor follows")]
mod exchange;
#[path = "latency/process.rs"]
#[allow(dead_code, reason = "compilers are not asked for")]
mod process;
#[path = "../../benches/support/report.rs"]
#[allow(dead_code, unreachable_pub, reason = "only lines are reported, and other benches use it too")]
mod report;
#[path = "../tests/servers/mod.rs"]
mod servers;

use bellwether::corpus::{
    exchange::{Exchange, Record, Topic},
    store::Kind,
};
use exchange::{Address, Joined, Machine, News};
use process::{Memory, processor_time};
use report::line;
use serde_json::json;
use servers::Server;
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

/// Numbers of machines, which all join at the same time.
const MACHINES: [usize; 3] = [10, 100, 1000];
/// Records of each fleet, and how many all its machines together publish in a second; chosen by hand: a fleet that has fuzzed for minutes
/// publishes fewer.
const RECORDS: usize = 300;
const PER_SECOND: u64 = 10;
/// Bytes of a record beside its frame: as many as the median of this repository's fixtures.
const BYTES: usize = 600;
/// How often it is looked whether a record has arrived.
const LOOK: Duration = Duration::from_millis(2);
/// How long to wait for the last ones.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let named: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if named.is_empty() { &MACHINES[..] } else { &named };
    line(&format!(
        "{RECORDS} records of {BYTES} bytes, {PER_SECOND} in a second, from all machines in turn to all others.\n"
    ));
    line(
        "| machines | s until all joined | ms until a record arrived: median | 99 % | all | lost | one core for the server | memory of the server |",
    );
    line("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for &machines in sizes {
        let store = tempfile::tempdir().unwrap();
        let server = servers::nats(store.path());
        line(&measure(machines, &server));
    }
}

/// A row of the table.
fn measure(machines: usize, server: &Server) -> String {
    let started = Instant::now();
    let topic = Topic::named("Vault-0123456789abcdef").unwrap();
    let port = server.port();
    let joined: Vec<Joined> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..machines).map(|number| scope.spawn(move || join(port, number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mailboxes: Vec<Arc<dyn Exchange>> = joined.iter().map(Joined::begin_project).collect();
    std::thread::scope(|scope| {
        for mailbox in &mailboxes {
            scope.spawn(|| mailbox.subscribe(std::slice::from_ref(&topic)));
        }
    });
    let joining = started.elapsed();

    let (started, busy) = (Instant::now(), processor_time(server.process()));
    let mut published: HashMap<String, Instant> = HashMap::new();
    let mut positions = vec![0; machines];
    let mut times: Vec<Duration> = Vec::new();
    let due = |published: usize| Duration::from_secs(1) * published as u32 / PER_SECOND as u32;
    let expected = RECORDS * (machines - 1);
    while times.len() < expected && started.elapsed() < due(RECORDS) + PATIENCE {
        if published.len() < RECORDS && started.elapsed() >= due(published.len()) {
            let record = record(&topic, published.len());
            published.insert(record.id.clone(), Instant::now());
            mailboxes[published.len() % machines].publish(record);
        }
        for (mailbox, position) in mailboxes.iter().zip(&mut positions) {
            let (records, next) = mailbox.poll(&topic, *position);
            *position = next;
            times.extend(records.iter().filter_map(|record| Some(published.get(&record.id)?.elapsed())));
        }
        std::thread::sleep(LOOK);
    }
    let elapsed = started.elapsed();
    let busy = (processor_time(server.process()) - busy).as_secs_f64() / elapsed.as_secs_f64();
    let memory = Memory::of(server.process()).most;
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).or(times.last());
    let milliseconds =
        |time: Option<&Duration>| time.map_or_else(|| "-".to_owned(), |time| time.as_millis().to_string());
    format!(
        "| {machines} | {:.1} | {} | {} | {} | {} | {:.0} % | {memory:.0} MB |",
        joining.as_secs_f64(),
        milliseconds(at(0.5)),
        milliseconds(at(0.99)),
        milliseconds(times.last()),
        expected - times.len(),
        100.0 * busy,
    )
}

fn join(port: u16, number: usize) -> Joined {
    let address: Address = format!("nats://127.0.0.1:{port}/night").parse().unwrap();
    let machine = Machine { id: format!("{number:012x}"), ..Machine::default() };
    let tell = Box::new(|news: &News| {
        if let News::Trouble(words) = news {
            line(words);
        }
    });
    Joined::join(&address, PATIENCE, machine, None, tell).unwrap()
}

fn record(topic: &Topic, number: usize) -> Record {
    let text = json!({ "number": number, "filled": "x".repeat(BYTES) }).to_string();
    Record::new(topic.clone(), Kind::Entry, text).unwrap()
}
