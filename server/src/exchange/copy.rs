//! Copying records from one place to another: a campaign that ran becomes a corpus that lasts, and the other way round.

use super::{address::Address, link::Link, record_name::RecordName, unusable::Unusable};
use anyhow::{Context, Result, anyhow};
use bellwether::corpus::exchange::{Exchange, Mailbox, Topic};
use std::{path::PathBuf, time::Duration};

/// Contracts whose records are held at the same time; chosen by hand.
const AT_ONCE: usize = 64;

/// What was copied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Copied {
    /// The records that there were, of each contract the latest thousand.
    pub(crate) read: u64,
    /// Those that were not in the other place yet.
    pub(crate) new: u64,
    /// What could not be a record.
    pub(crate) refused: u64,
    /// What was left out since another version wrote it, and what to do.
    pub(crate) of_other_version: Option<String>,
}

/// Copies the records that are in one place into another.
///
/// # Errors
///
/// If one of them cannot be used, with what to do.
pub(crate) fn copy(from: &Address, into: &Address) -> Result<Copied> {
    from.check_is_there()?;
    block_on(async {
        let mut source = Link::visit(from).await.map_err(|why| unusable(from, &why))?;
        let mut target = Link::open(into).await.map_err(|why| unusable(into, &why))?;
        copy_all((from, &mut source), (into, &mut target)).await
    })
}

/// Copies both ways, so that each place has what either of them had. Returns what was copied into the other one, and what into this one.
///
/// # Errors
///
/// If one of them cannot be used, with what to do.
pub(crate) fn sync(one: &Address, other: &Address) -> Result<(Copied, Copied)> {
    one.check_is_there()?;
    block_on(async {
        let mut here = Link::open(one).await.map_err(|why| unusable(one, &why))?;
        let mut there = Link::open(other).await.map_err(|why| unusable(other, &why))?;
        let sent = copy_all((one, &mut here), (other, &mut there)).await?;
        let fetched = copy_all((other, &mut there), (one, &mut here)).await?;
        Ok((sent, fetched))
    })
}

/// Removes records, each by the path of its file below a corpus folder. Those that are not there are no error.
///
/// # Errors
///
/// If the place cannot be written, with what to do.
pub(crate) fn remove(from: &Address, files: &[PathBuf]) -> Result<()> {
    block_on(async {
        let link = Link::visit(from).await.map_err(|why| unusable(from, &why))?;
        for name in files.iter().filter_map(|file| name_of(file)) {
            link.remove(&name).await.map_err(|why| anyhow!("{from}: {why}; allow to delete there, or try again"))?;
        }
        Ok(())
    })
}

/// The record of a file below a corpus folder, by its path: `FORM/CONTRACT/KIND/ID.json`.
fn name_of(file: &std::path::Path) -> Option<RecordName> {
    let parts: Vec<&str> = file.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let [_, topic, folder, name] = parts.try_into().ok()?;
    RecordName::read(topic, folder, name.strip_suffix(".json")?)
}

/// Does it on this thread.
fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot use the network")?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    done
}

/// Copies the records on all contracts.
async fn copy_all((from, source): (&Address, &mut Link), (into, target): (&Address, &mut Link)) -> Result<Copied> {
    let topics = source.topics().await.map_err(|why| failed(from, &why))?;
    let mut copied = Copied::default();
    for topics in topics.chunks(AT_ONCE) {
        let mailbox = Mailbox::new(Duration::ZERO);
        mailbox.subscribe(topics);
        source.receive(&mailbox).await.map_err(|why| failed(from, &why))?;
        copied.refused += mailbox.counts().refused;
        for topic in topics {
            copy_one(&mailbox, topic, target, &mut copied).await.map_err(|why| failed(into, &why))?;
        }
        source.begin_again();
    }
    copied.of_other_version = source.take_other_form().map(|Unusable { what, remedy }| format!("{what}; {remedy}"));
    Ok(copied)
}

/// Copies the records on one contract.
async fn copy_one(mailbox: &Mailbox, topic: &Topic, target: &mut Link, copied: &mut Copied) -> Result<(), String> {
    let there = target.taken_again(topic).await?;
    let mut since = 0;
    loop {
        let (records, next) = mailbox.poll(topic, since);
        if records.is_empty() {
            return Ok(());
        }
        since = next;
        copied.read += records.len() as u64;
        let missing = records.iter().filter(|record| !there.contains(&record.id));
        let sent = target.send(missing.map(|record| (**record).clone()).collect()).await;
        copied.new += sent.count - sent.known_there;
        if let Some(why) = sent.why {
            return Err(why);
        }
    }
}

fn unusable(address: &Address, why: &Unusable) -> anyhow::Error {
    anyhow!("{address}: {}; {}", why.what, why.remedy)
}

fn failed(address: &Address, why: &str) -> anyhow::Error {
    anyhow!("{address}: {why}; try again: records that arrived are not copied again")
}
