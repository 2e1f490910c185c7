//! Cheatcodes on texts: values as text, text as values, and parts of texts.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported, unsupported},
    error::{CheatError, ensure},
    returns,
};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{B256, U256, hex, keccak256};

/// Bytes that a text can grow to; chosen by hand.
const MAX_TEXT: usize = 1 << 20;
/// Gas of a label of a name: two hashes.
const LABEL_GAS: u64 = 84;
/// Parts that a text is split into at most; chosen by hand.
const MAX_PARTS: usize = 1 << 14;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Texts",
    about: "",
    cheatcodes: &[
        supported("toString(address)", "string", of_address, "A value as text."),
        supported("toString(bytes)", "string", of_bytes, ""),
        supported("toString(bytes32)", "string", of_b256, ""),
        supported("toString(bool)", "string", of_bool, ""),
        supported("toString(uint256)", "string", of_uint, ""),
        supported("toString(int256)", "string", of_int, ""),
        supported("parseBytes(string)", "bytes", parse_bytes, "The value that a text denotes."),
        supported("parseAddress(string)", "address", parse_address, ""),
        supported("parseUint(string)", "uint256", parse_uint, ""),
        supported("parseInt(string)", "int256", parse_int, ""),
        supported("parseBytes32(string)", "bytes32", parse_b256, ""),
        supported("parseBool(string)", "bool", parse_bool, ""),
        supported("toLowercase(string)", "string", lower, "The text in lower case."),
        supported("toUppercase(string)", "string", upper, "The text in upper case."),
        supported("trim(string)", "string", trim, "The text without white space around it."),
        supported(
            "replace(string,string,string)",
            "string",
            replace,
            "The text with one part replaced wherever it occurs.",
        ),
        supported("split(string,string)", "string[]", split, "The parts of a text between delimiters."),
        supported(
            "indexOf(string,string)",
            "uint256",
            index_of,
            "The index where a part begins, or the largest number if the text does not have it.",
        ),
        supported("contains(string,string)", "bool", contains, "Whether a text has a part."),
        supported("toBase64(bytes)", "string", base64, "Bytes in base 64."),
        supported("toBase64(string)", "string", base64, ""),
        supported("toBase64URL(bytes)", "string", base64_url, "The same with letters that a URL may have."),
        supported("toBase64URL(string)", "string", base64_url, ""),
        supported("ensNamehash(string)", "bytes32", namehash, "The node of an ENS name."),
        unsupported("eip712HashType(string)", "bytes32", EIP712),
        unsupported("eip712HashType(string,string)", "bytes32", EIP712),
        unsupported("eip712HashStruct(string,bytes)", "bytes32", EIP712),
        unsupported("eip712HashStruct(string,string,bytes)", "bytes32", EIP712),
        unsupported("eip712HashTypedData(string)", "bytes32", EIP712),
        unsupported("toRlp(bytes[])", "bytes", "RLP is not written"),
        unsupported("fromRlp(bytes)", "bytes[]", "RLP is not read"),
    ],
};

const EIP712: &str = "types of EIP-712 are not read";

fn of_address(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&arguments.address(0)?.to_string()))
}

fn of_bytes(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&hex::encode_prefixed(arguments.bytes(0)?)))
}

fn of_b256(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&arguments.b256(0)?.to_string()))
}

fn of_bool(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(if arguments.boolean(0)? { "true" } else { "false" }))
}

fn of_uint(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&arguments.word(0)?.to_string()))
}

fn of_int(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&arguments.int(0)?.to_string()))
}

/// The value of this type that a text stands for.
pub(super) fn parse(text: &str, kind: &DynSolType) -> Result<DynSolValue, CheatError> {
    // Hex digits need no prefix in Foundry.
    let is_hex = matches!(kind, DynSolType::Bytes | DynSolType::FixedBytes(_) | DynSolType::Address);
    let prefixed = is_hex && !text.starts_with("0x") && text.chars().all(|digit| digit.is_ascii_hexdigit());
    let parsed = if prefixed { kind.coerce_str(&format!("0x{text}")) } else { kind.coerce_str(text) };
    parsed.map_err(|error| CheatError::new(format!("failed parsing {text:?} as type `{kind}`: {error}")))
}

fn parsed(arguments: Arguments<'_>, kind: &DynSolType) -> Answer {
    parse(&arguments.text(0)?, kind).map(|value| value.abi_encode().into())
}

fn parse_bytes(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    parsed(arguments, &DynSolType::Bytes)
}

fn parse_address(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    parsed(arguments, &DynSolType::Address)
}

fn parse_uint(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    parsed(arguments, &DynSolType::Uint(256))
}

fn parse_int(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    parsed(arguments, &DynSolType::Int(256))
}

fn parse_b256(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    parsed(arguments, &DynSolType::FixedBytes(32))
}

fn parse_bool(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    parsed(arguments, &DynSolType::Bool)
}

fn lower(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&arguments.text(0)?.to_lowercase()))
}

fn upper(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&arguments.text(0)?.to_uppercase()))
}

fn trim(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(arguments.text(0)?.trim()))
}

fn replace(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (text, from, to) = (arguments.text(0)?, arguments.text(1)?, arguments.text(2)?);
    let count = text.matches(from.as_ref()).count();
    ensure(
        text.len().saturating_add(count.saturating_mul(to.len())) <= MAX_TEXT,
        "the text would be longer than 1 MiB",
    )?;
    Ok(returns::text(&text.replace(from.as_ref(), &to)))
}

fn split(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (text, delimiter) = (arguments.text(0)?, arguments.text(1)?);
    let parts: Vec<&[u8]> = text.split(delimiter.as_ref()).take(MAX_PARTS + 1).map(str::as_bytes).collect();
    ensure(parts.len() <= MAX_PARTS, "the text has too many parts")?;
    Ok(returns::many(parts))
}

fn index_of(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let (text, part) = (arguments.text(0)?, arguments.text(1)?);
    Ok(returns::word(text.find(part.as_ref()).map_or(U256::MAX, U256::from)))
}

fn contains(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::boolean(arguments.text(0)?.contains(arguments.text(1)?.as_ref())))
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes in base 64 (RFC 4648), with these letters for 62 and 63.
fn encode64(bytes: &[u8], last: [u8; 2]) -> String {
    let letter = |index: u32| match (index & 63) as usize {
        at @ (62 | 63) => last[at - 62],
        at => BASE64[at],
    };
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let is_filled = at <= three.len();
            text.push(char::from(if is_filled { letter(word >> (18 - 6 * at)) } else { b'=' }));
        }
    }
    text
}

fn base64(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&encode64(arguments.bytes(0)?, *b"+/")))
}

fn base64_url(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::text(&encode64(arguments.bytes(0)?, *b"-_")))
}

fn namehash(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let name = arguments.text(0)?;
    call.charge(LABEL_GAS * name.split('.').count() as u64)?;
    let labels = name.rsplit('.').filter(|_| !name.is_empty());
    let node = labels.fold(B256::ZERO, |node, label| keccak256([node, keccak256(label)].concat()));
    Ok(returns::b256(node))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_that_of_the_rfc() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("\u{3ff}", "z78=")];
        for (text, encoded) in cases {
            assert_eq!(encode64(text.as_bytes(), *b"+/"), encoded);
        }
        assert_eq!(encode64(&[0xfb, 0xff], *b"-_"), "-_8=");
    }
}
