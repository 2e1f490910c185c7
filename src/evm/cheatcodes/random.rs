//! Cheatcodes that draw. What they draw follows from the seed and the number of draws before: the same sequence always draws the same.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported},
    error::{CheatError, ensure},
    returns,
};
use alloy_primitives::{Address, U256, keccak256};

/// Bytes that are drawn at once, at most; chosen by hand.
const MAX_BYTES: usize = 1 << 20;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Random values",
    about: "They follow from the seed and the earlier draws, so that a sequence draws the same whenever it is run.",
    cheatcodes: &[
        supported("randomUint()", "uint256", uint, "Any number."),
        supported(
            "randomUint(uint256,uint256)",
            "uint256",
            uint_between,
            "A number between two others, both included.",
        ),
        supported("randomUint(uint256)", "uint256", uint_of_bits, "A number of this many bits."),
        supported("randomInt()", "int256", int, "Any signed number."),
        supported("randomInt(uint256)", "int256", int_of_bits, "A signed number of this many bits."),
        supported("randomAddress()", "address", address, "Any account."),
        supported("randomBool()", "bool", boolean, "True or false."),
        supported("randomBytes(uint256)", "bytes", bytes, "This many bytes."),
        supported("randomBytes4()", "bytes4", bytes4, "Four bytes."),
        supported("randomBytes8()", "bytes8", bytes8, "Eight bytes."),
        supported("setSeed(uint256)", "", set_seed, "Restarts the draws from a seed."),
        supported("shuffle(uint256[])", "uint256[]", shuffle, "The numbers in any order."),
        supported("sort(uint256[])", "uint256[]", sort, "The numbers in order, the smallest first."),
        supported(
            "bound(uint256,uint256,uint256)",
            "uint256",
            bound,
            "Another number between the last two, near the first.",
        ),
        supported("bound(int256,int256,int256)", "int256", bound_int, ""),
    ],
};

/// Gas of a word that is drawn: it is a hash.
const DRAW_GAS: u64 = 36;

/// The next word.
fn draw(call: &mut CheatCall<'_>) -> U256 {
    let state = call.cheats.state_mut();
    state.drawn += 1;
    keccak256([state.seed.to_be_bytes::<32>(), U256::from(state.drawn).to_be_bytes()].concat()).into()
}

/// A word from 0 to `most`.
fn draw_below(call: &mut CheatCall<'_>, most: U256) -> U256 {
    // The remainder favours small numbers by less than one part in 2^256 divided by the range, which no test can tell.
    let word = draw(call);
    most.checked_add(U256::ONE).map_or(word, |count| word % count)
}

fn uint(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::word(draw(call)))
}

fn between(call: &mut CheatCall<'_>, least: U256, most: U256) -> Answer {
    ensure(least <= most, "min must be less than or equal to max")?;
    Ok(returns::word(least + draw_below(call, most - least)))
}

fn uint_between(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    between(call, arguments.word(0)?, arguments.word(1)?)
}

fn bits(arguments: Arguments<'_>) -> Result<usize, CheatError> {
    let bits = arguments.word(0)?;
    let bits = usize::try_from(bits).ok().filter(|bits| *bits <= 256);
    bits.ok_or(CheatError::new("number of bits cannot exceed 256"))
}

fn uint_of_bits(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let bits = bits(arguments)?;
    let word = draw(call);
    Ok(returns::word(if bits == 0 { U256::ZERO } else { word >> (256 - bits) }))
}

fn int(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::word(draw(call)))
}

fn int_of_bits(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let bits = bits(arguments)?;
    let word = draw(call);
    Ok(returns::word(if bits == 0 { U256::ZERO } else { word.arithmetic_shr(256 - bits) }))
}

fn address(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::address(Address::from_word(draw(call).into())))
}

fn boolean(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::boolean(draw(call).bit(0)))
}

fn bytes(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let length = usize::try_from(arguments.word(0)?).ok().filter(|length| *length <= MAX_BYTES);
    let length = length.ok_or(CheatError::new("more than 1 MiB is asked for"))?;
    call.charge(DRAW_GAS * (length as u64).div_ceil(32))?;
    let mut bytes: Vec<u8> = Vec::with_capacity(length + 32);
    while bytes.len() < length {
        bytes.extend(draw(call).to_be_bytes::<32>());
    }
    bytes.truncate(length);
    Ok(returns::bytes(&bytes))
}

fn bytes4(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::word(draw(call) << 224))
}

fn bytes8(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::word(draw(call) << 192))
}

fn set_seed(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let seed = arguments.word(0)?;
    let state = call.cheats.state_mut();
    (state.seed, state.drawn) = (seed, 0);
    Ok(returns::nothing())
}

fn shuffle(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let mut words = arguments.words(0)?;
    call.charge(DRAW_GAS * words.len() as u64)?;
    for at in (1..words.len()).rev() {
        let other = draw_below(call, U256::from(at));
        words.swap(at, other.saturating_to());
    }
    Ok(returns::list(words.into_iter()))
}

fn sort(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let mut words = arguments.words(0)?;
    words.sort_unstable();
    Ok(returns::list(words.into_iter()))
}

fn bound(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let [current, least, most] = [arguments.word(0)?, arguments.word(1)?, arguments.word(2)?];
    if least >= most || current < least || current > most {
        return Err(CheatError::new(format!("cannot bound {current} in [{least}, {most}] range")));
    }
    between(call, least, most)
}

fn bound_int(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let [current, least, most] = [arguments.int(0)?, arguments.int(1)?, arguments.int(2)?];
    if least >= most || current < least || current > most {
        return Err(CheatError::new(format!("cannot bound {current} in [{least}, {most}] range")));
    }
    let range = most.into_raw().wrapping_sub(least.into_raw());
    Ok(returns::word(least.into_raw().wrapping_add(draw_below(call, range))))
}
