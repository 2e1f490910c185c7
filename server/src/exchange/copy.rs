//! Copying records from one place to another: a campaign that ran becomes a corpus that lasts, and the other way round.

use super::{address::Address, link::Link, sent::Unusable};
use anyhow::{Context, Result, anyhow};
use bellwether::corpus::exchange::{Exchange, Mailbox, Topic};
use std::time::Duration;

/// Contracts whose records are held at the same time; chosen by hand.
const AT_ONCE: usize = 64;

/// What was copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Copied {
    /// The records that there were, of each contract the latest thousand.
    pub(crate) read: u64,
    /// Those that were not in the other place yet.
    pub(crate) new: u64,
    /// What could not be a record.
    pub(crate) refused: u64,
}

/// Copies the records that are in one place into another.
///
/// # Errors
///
/// If one of them cannot be used, with what to do.
pub(crate) fn copy(from: &Address, into: &Address) -> Result<Copied> {
    from.check_is_there()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot use the network")?;
    let copied = runtime.block_on(async {
        let mut source = Link::open(from).await.map_err(|why| unusable(from, &why))?;
        let mut target = Link::open(into).await.map_err(|why| unusable(into, &why))?;
        let topics = source.topics().await.map_err(|why| failed(from, &why))?;
        let mut copied = Copied::default();
        for topics in topics.chunks(AT_ONCE) {
            let mailbox = Mailbox::new(Duration::ZERO);
            mailbox.subscribe(topics);
            source.receive(&mailbox).await.map_err(|why| failed(from, &why))?;
            copied.refused += mailbox.counts().refused;
            for topic in topics {
                copy_one(&mailbox, topic, &mut target, &mut copied).await.map_err(|why| failed(into, &why))?;
            }
            source.begin_again();
        }
        Ok(copied)
    });
    runtime.shutdown_background();
    copied
}

/// Copies the records on one contract.
async fn copy_one(mailbox: &Mailbox, topic: &Topic, target: &mut Link, copied: &mut Copied) -> Result<(), String> {
    let mut since = 0;
    loop {
        let (records, next) = mailbox.poll(topic, since);
        if records.is_empty() {
            return Ok(());
        }
        since = next;
        copied.read += records.len() as u64;
        let sent = target.send(records.iter().map(|record| (**record).clone()).collect()).await;
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
