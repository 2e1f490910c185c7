//! A visit: who meets at an address, and how much was shared there, without taking part.

use super::{address::Address, link::Link, machine::Machine, sent::Unusable};
use anyhow::{Context, Result, anyhow};
use std::time::Duration;

/// How long a visit may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Who meets somewhere.
#[derive(Debug)]
pub(crate) struct Fleet {
    /// The machines that live, by their numbers.
    pub(crate) machines: Vec<(u32, Machine)>,
    /// The sequences that were shared.
    pub(crate) entries: u64,
    /// The findings that were shared, each as often as it was told anew.
    pub(crate) findings: u64,
    /// What its machines have cost, those that have ended included, if they have a limit.
    pub(crate) cost: Option<f64>,
}

/// Looks who meets at an address.
///
/// # Errors
///
/// If the address leads nowhere, with what to do.
pub(crate) fn visit(address: &Address) -> Result<Fleet> {
    address.check_is_there()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot use the network")?;
    let unusable = |what: String| Unusable { what, remedy: "try again" };
    let look = async {
        let link = Link::visit(address).await?;
        if !link.is_used().await.map_err(unusable)? {
            return Err(Unusable::unused());
        }
        let machines = link.machines().await.map_err(unusable)?;
        let (entries, findings) = link.stored().await.map_err(unusable)?;
        let cost = link.bill().await.map_err(unusable)?.map(|bill| bill.amount());
        Ok(Fleet { machines, entries, findings, cost })
    };
    let seen = runtime.block_on(async { tokio::time::timeout(PATIENCE, look).await });
    runtime.shutdown_background();
    let seen = seen.unwrap_or_else(|_| Err(unusable("no answer".to_owned())));
    seen.map_err(|Unusable { what, remedy }| anyhow!("{address}: {what}; {remedy}"))
}
