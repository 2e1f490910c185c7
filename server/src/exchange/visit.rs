//! A [`Visitor`] looks who meets at an address, and what was shared there, without taking part.

use super::{
    address::Address, link::Link, machine::Machine, record_name::RecordName, shared_finding::SharedFinding,
    unusable::Unusable,
};
use anyhow::{Context, Result, anyhow};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

/// How long a visit may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Records of findings that are read at one visit, and at the same time; chosen by hand.
const MAX_READ: usize = 1024;
const AT_ONCE: usize = 16;

/// Who meets somewhere.
#[derive(Debug)]
pub(crate) struct Fleet {
    /// The machines that live, by their numbers.
    pub(crate) machines: Vec<(u32, Machine)>,
    /// The sequences that were shared.
    pub(crate) entries: u64,
    /// The records of findings, each finding as often as it was told anew.
    pub(crate) findings: u64,
    /// The findings that were shared, as far as their records were read.
    pub(crate) found: BTreeSet<SharedFinding>,
    /// What its machines have cost, those that have ended included, if they have a limit.
    pub(crate) cost: Option<f64>,
    /// What cannot be read since another version wrote it, and what to do.
    pub(crate) of_other_version: Option<String>,
}

/// Who looks at an address, once or again and again.
#[derive(Debug)]
pub(crate) struct Visitor<'a> {
    address: &'a Address,
    /// Records of findings that were read before: what they say never changes.
    read: BTreeMap<RecordName, Option<SharedFinding>>,
}

impl<'a> Visitor<'a> {
    /// One that looks at an address.
    pub(crate) fn new(address: &'a Address) -> Self {
        Self { address, read: BTreeMap::new() }
    }

    /// Looks who meets there.
    ///
    /// # Errors
    ///
    /// If the address leads nowhere, with what to do.
    pub(crate) fn look(&mut self) -> Result<Fleet> {
        let address = self.address;
        address.check_is_there()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("cannot use the network")?;
        let look = self.look_around();
        let seen = runtime.block_on(async { tokio::time::timeout(PATIENCE, look).await });
        runtime.shutdown_background();
        let seen = seen.unwrap_or_else(|_| Err(unusable("no answer".to_owned())));
        seen.map_err(|Unusable { what, remedy }| anyhow!("{address}: {what}; {remedy}"))
    }

    async fn look_around(&mut self) -> Result<Fleet, Unusable> {
        let mut link = Link::visit(self.address).await?;
        let is_used = link.is_used().await.map_err(unusable)?;
        let stored = link.stored().await.map_err(unusable)?;
        let of_other_version = link.take_other_form();
        if !is_used {
            return Err(of_other_version.unwrap_or_else(Unusable::unused));
        }
        let machines = link.machines().await.map_err(unusable)?;
        let cost = link.bill().await.map_err(unusable)?.map(|bill| bill.amount());
        let unread: Vec<&RecordName> = stored.findings.iter().filter(|name| !self.read.contains_key(name)).collect();
        let link = &link;
        let read = |name: RecordName| async move {
            let record = link.read(&name).await?;
            Ok((name, record.as_ref().and_then(SharedFinding::read)))
        };
        let read: Vec<_> = stream::iter(unread.into_iter().take(MAX_READ).cloned().map(read))
            .buffered(AT_ONCE)
            .try_collect()
            .await
            .map_err(unusable)?;
        self.read.extend(read);
        let found = stored.findings.iter().filter_map(|name| self.read.get(name)?.clone()).collect();
        let of_other_version = of_other_version.map(|Unusable { what, remedy }| format!("{what}; {remedy}"));
        let (entries, findings) = (stored.entries, stored.findings.len() as u64);
        Ok(Fleet { machines, entries, findings, found, cost, of_other_version })
    }
}

fn unusable(what: String) -> Unusable {
    Unusable { what, remedy: "try again" }
}
