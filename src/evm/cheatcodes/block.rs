//! Cheatcodes that change the block and the transaction, as far as code can read them.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported, unsupported},
    error::{CheatError, ensure},
    returns,
};
use crate::evm::{cheats::MAX_NAMED, hooks::Machine};
use alloy_primitives::{B256, U256};
use revm::{
    context_interface::transaction::TransactionType,
    primitives::{
        eip4844::{BLOB_BASE_FEE_UPDATE_FRACTION_CANCUN, BLOB_BASE_FEE_UPDATE_FRACTION_PRAGUE},
        hardfork::SpecId,
    },
};
use std::sync::Arc;

/// The power of e that is the highest fee of blobs: about 10^17 wei for each unit.
const MAX_FEE_POWER: u64 = 40;
/// Hashes of blobs that a transaction has at most.
const MAX_BLOBS: usize = 64;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Block and transaction",
    about: "Changes stay in later transactions.",
    cheatcodes: &[
        supported("warp(uint256)", "", warp, "Sets `block.timestamp`."),
        supported("roll(uint256)", "", roll, "Sets `block.number`."),
        supported("fee(uint256)", "", fee, "Sets `block.basefee`."),
        supported("prevrandao(bytes32)", "", prevrandao, "Sets `block.prevrandao`."),
        supported("prevrandao(uint256)", "", prevrandao, ""),
        supported("difficulty(uint256)", "", difficulty, "Sets `block.difficulty`, before Paris."),
        supported("coinbase(address)", "", coinbase, "Sets `block.coinbase`."),
        supported("chainId(uint256)", "", chain_id, "Sets `block.chainid`."),
        supported("txGasPrice(uint256)", "", gas_price, "Sets `tx.gasprice`."),
        supported(
            "blobBaseFee(uint256)",
            "",
            blob_base_fee,
            "Sets the excess blob gas that `block.blobbasefee` is computed from, from Cancun on.",
        ),
        supported("blobhashes(bytes32[])", "", blob_hashes, "Sets what `blobhash` returns, from Cancun on."),
        supported("setBlockhash(uint256,bytes32)", "", block_hash, "Sets what `blockhash` returns for a block."),
        supported(
            "getBlockTimestamp()",
            "uint256",
            get_timestamp,
            "`block.timestamp`, whatever the optimizer assumes about it.",
        ),
        supported(
            "getBlockNumber()",
            "uint256",
            get_number,
            "`block.number`, whatever the optimizer assumes about it.",
        ),
        supported("getChainId()", "uint256", get_chain_id, "`block.chainid`, whatever the optimizer assumes about it."),
        supported("getBlobBaseFee()", "uint256", get_blob_base_fee, "The excess blob gas."),
        supported("getBlobhashes()", "bytes32[]", get_blob_hashes, "What `blobhash` returns."),
        unsupported("getRawBlockHeader(uint256)", "bytes", "there is no chain behind the state"),
        unsupported("getEvmVersion()", "string", EVM_VERSION),
        unsupported("setEvmVersion(string)", "", EVM_VERSION),
    ],
};

const EVM_VERSION: &str = "code runs by the rules of the EVM version that it was compiled for";

fn ensure_from(machine: &Machine, spec: SpecId, message: &'static str) -> Result<(), CheatError> {
    ensure(machine.cfg.spec.is_enabled_in(spec), message)
}

fn warp(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.machine.block.timestamp = arguments.word(0)?;
    Ok(returns::nothing())
}

fn roll(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.machine.block.number = arguments.word(0)?;
    Ok(returns::nothing())
}

/// A number below 2^64.
fn small(arguments: Arguments<'_>, message: &'static str) -> Result<u64, CheatError> {
    u64::try_from(arguments.word(0)?).map_err(|_| CheatError::new(message))
}

fn fee(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.machine.block.basefee = small(arguments, "base fee must be less than 2^64")?;
    Ok(returns::nothing())
}

fn prevrandao(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    const BEFORE: &str = "`prevrandao` is not supported before the Paris hard fork, use `difficulty` instead";
    ensure_from(call.machine, SpecId::MERGE, BEFORE)?;
    call.machine.block.prevrandao = Some(arguments.b256(0)?);
    Ok(returns::nothing())
}

fn difficulty(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let is_before = !call.machine.cfg.spec.is_enabled_in(SpecId::MERGE);
    ensure(is_before, "`difficulty` is not supported after the Paris hard fork, use `prevrandao` instead")?;
    call.machine.block.difficulty = arguments.word(0)?;
    Ok(returns::nothing())
}

fn coinbase(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    call.machine.block.beneficiary = arguments.address(0)?;
    Ok(returns::nothing())
}

fn chain_id(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let id = small(arguments, "chain ID must be less than 2^64")?;
    call.machine.cfg.chain_id = id;
    call.cheats.state_mut().chain_id = Some(id);
    Ok(returns::nothing())
}

fn gas_price(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let price = small(arguments, "gas price must be less than 2^64")?;
    call.machine.tx.gas_price = price.into();
    call.cheats.state_mut().gas_price = Some(price);
    Ok(returns::nothing())
}

fn blob_base_fee(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    ensure_from(call.machine, SpecId::CANCUN, "`blobBaseFee` is not supported before the Cancun hard fork")?;
    let excess = small(arguments, "blob base fee must be less than 2^64")?;
    set_excess_blob_gas(call.machine, excess);
    call.cheats.state_mut().excess_blob_gas = Some(excess);
    Ok(returns::nothing())
}

/// Has BLOBBASEFEE give the fee of this excess of blob gas.
pub(super) fn set_excess_blob_gas(machine: &mut Machine, excess: u64) {
    let is_prague = machine.cfg.spec.is_enabled_in(SpecId::PRAGUE);
    let fraction = if is_prague { BLOB_BASE_FEE_UPDATE_FRACTION_PRAGUE } else { BLOB_BASE_FEE_UPDATE_FRACTION_CANCUN };
    // The fee is e to the power of their quotient, and is computed without a bound.
    let excess = excess.min(fraction * MAX_FEE_POWER);
    machine.block.set_blob_excess_gas_and_price(excess, fraction);
}

fn blob_hashes(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    ensure_from(call.machine, SpecId::CANCUN, "`blobhashes` is not supported before the Cancun hard fork")?;
    let hashes = arguments.words(0)?;
    ensure(hashes.len() <= MAX_BLOBS, "there are more than 64 hashes")?;
    let hashes: Vec<_> = hashes.into_iter().map(Into::into).collect();
    set_blob_hashes(call.machine, &hashes);
    call.cheats.state_mut().blob_hashes = hashes;
    Ok(returns::nothing())
}

/// Has BLOBHASH give these, which only a transaction with blobs has.
pub(super) fn set_blob_hashes(machine: &mut Machine, hashes: &[B256]) {
    machine.tx.blob_hashes = hashes.to_vec();
    machine.tx.tx_type = TransactionType::Eip4844.into();
}

fn block_hash(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (number, hash) = (arguments.word(0)?, arguments.b256(1)?);
    let number = u64::try_from(number).map_err(|_| CheatError::new("blockNumber must be less than 2^64"))?;
    let is_past = U256::from(number) <= call.machine.block.number;
    ensure(is_past, "block number must be less than or equal to the current block number")?;
    let hashes = &mut call.cheats.state_mut().block_hashes;
    ensure(hashes.len() < MAX_NAMED || hashes.contains_key(&number), "too many block hashes are set")?;
    Arc::make_mut(hashes).insert(number, hash);
    Ok(returns::nothing())
}

fn get_timestamp(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::word(call.machine.block.timestamp))
}

fn get_number(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::word(call.machine.block.number))
}

fn get_chain_id(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::word(U256::from(call.machine.cfg.chain_id)))
}

fn get_blob_base_fee(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    let price = &call.machine.block.blob_excess_gas_and_price;
    Ok(returns::word(U256::from(price.as_ref().map_or(0, |price| price.excess_blob_gas))))
}

fn get_blob_hashes(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::list(call.machine.tx.blob_hashes.iter().map(|hash| (*hash).into())))
}
