//! A [`Layout`] says where a contract keeps each of its variables: in its own storage, and in its namespaces (ERC-7201). It is read from
//! what the compiler says, and from the declarations in the sources, which have the namespaces, the annotations and the members of
//! enums. Two layouts are compared as one that is upgraded to the other. Nothing is run here, and nothing is known of words that are
//! stored.

mod compare;
mod leaves;
mod locate;
mod model;
mod read;
mod types;

pub use compare::{Change, ChangeKind};
pub use leaves::{Clash, GetterArgument, Leaf};
pub use locate::{Derivation, DerivationStep, MAX_STEPS, Part};
pub(super) use model::Field;
pub use model::Layout;
pub(super) use read::Lineage;
pub use types::Type;
