//! How records travel between machines: by a folder, by a bucket of an object store, or by a NATS server. The engine knows none of them:
//! it has the [mailbox](bellwether::corpus::exchange::Mailbox) that is emptied and filled here.

mod account;
mod address;
mod bill;
mod blocks;
mod bucket;
mod carrier;
mod copy;
#[cfg(test)]
pub(crate) mod documented;
mod follower;
mod joined;
mod link;
mod machine;
mod nats;
mod nats_places;
mod object_places;
mod objects;
mod price;
mod record_name;
mod sent;
mod shared_finding;
mod subjects;
mod unusable;
mod visit;
mod words;

pub(crate) use account::Account;
pub(crate) use address::Address;
pub(crate) use blocks::Blocks;
pub(crate) use carrier::News;
pub(crate) use copy::{Copied, copy, remove, sync};
pub(crate) use follower::Follower;
pub(crate) use joined::Joined;
pub(crate) use machine::{Growth, GrowthPoint, Machine, MachineContract};
pub(crate) use price::Price;
pub(crate) use shared_finding::SharedFinding;
pub(crate) use visit::{Fleet, Visitor};
