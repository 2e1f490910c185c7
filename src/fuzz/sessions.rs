//! The sessions of a campaign, by the file and the name of their contract.

use super::session::Session;
use crate::{
    compile::{Build, ContractId},
    harness::{HarnessKind, Key},
    project::{Config, Products},
};
use std::{collections::BTreeMap, sync::Arc};

/// Sessions by the key of their harness.
pub(super) type Sessions = BTreeMap<Key, Arc<Session>>;

/// Whether a contract is a product: neither a test contract, nor a mock, an example or the like.
pub(super) fn is_product(build: &Build, products: &Products, id: ContractId) -> bool {
    let (file, name) = build.qualified_name(id);
    HarnessKind::of(build, id) == HarnessKind::Contract && products.support(file, name).is_none()
}

/// Marks the sessions on support code: tests, mocks, examples. In a project that has nothing else, none are marked.
pub(super) fn rank_support(sessions: &Sessions, config: &Config) {
    let products = config.products();
    let is_support = |key: &Key, session: &Session| {
        session.harness.kind() == HarnessKind::Contract && products.support(&key.file, &key.name).is_some()
    };
    let has_product = sessions.iter().any(|(key, session)| session.has_anything_to_run() && !is_support(key, session));
    for (key, session) in sessions {
        session.set_support(has_product && is_support(key, session));
    }
}
