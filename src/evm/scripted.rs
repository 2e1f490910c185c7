//! A [`Scripted`] account is that of a person who is a contract during one transaction.

use super::account_code::AccountCode;
use alloy_primitives::{Address, U256};

/// The account of a person that is a contract, with its script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scripted {
    /// The account.
    pub account: Address,
    /// Its code.
    pub code: AccountCode,
    /// Its storage, which holds the script.
    pub storage: Vec<(U256, U256)>,
}
