//! How records travel between machines: by a folder, by a bucket of an object store, or by a NATS server. The engine knows none of them:
//! it has the [mailbox](bellwether::corpus::exchange::Mailbox) that is emptied and filled here.

mod account;
mod address;
mod bill;
mod bucket;
mod carrier;
mod copy;
mod follower;
mod joined;
mod link;
mod machine;
mod nats;
mod nats_places;
mod object_places;
mod objects;
mod price;
mod sent;
mod subjects;
mod visit;
mod words;

pub(crate) use account::Account;
pub(crate) use address::Address;
pub(crate) use carrier::News;
pub(crate) use copy::{Copied, copy, sync};
pub(crate) use follower::Follower;
pub(crate) use joined::Joined;
#[cfg(test)]
pub(crate) use machine::Growth;
pub(crate) use machine::{GrowthPoint, Machine, MachineContract};
pub(crate) use price::Price;
pub(crate) use visit::{Fleet, visit};
