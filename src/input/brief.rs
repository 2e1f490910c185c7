//! The short form of what is long, for people: `1e18`, `2^256 − 1`, `0x1234…abcd`. It is not read back, and nothing that has to be exact
//! is written in it.

use alloy_primitives::U512;

/// Digits of a number up to which it is written out. Chosen by hand: all of 18 decimals and some millions.
const MAX_DIGITS: usize = 24;
/// Zeros at the end of a number from which on they are counted. Chosen by hand.
const MANY_ZEROS: usize = 9;
/// Digits in front of such zeros at most. Chosen by hand.
const MAX_FRONT: usize = 4;
/// Letters of a hexadecimal word up to which it is written out: those of eight bytes.
const MAX_HEX: usize = 18;
/// The address that nobody has.
const NOBODY: &str = "0x0000000000000000000000000000000000000000";
/// Letters from which on the bytes of a word are taken for text. Chosen by hand: three bytes are seldom letters by chance.
const MIN_TEXT: usize = 3;
/// Bits of a distance up to which a number is near a power of two. Chosen by hand.
const NEAR: usize = 40;

/// The short form of a printed number or hexadecimal word, which a unit may follow; other text is as it was.
#[must_use]
pub fn short(text: &str) -> String {
    if text == NOBODY {
        return "address(0)".to_owned();
    }
    let (word, unit) = text.split_at(text.find(' ').unwrap_or(text.len()));
    if let Some(hex) = word.strip_prefix("0x") {
        let is_long = word.len() > MAX_HEX && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        return match is_long {
            true => padded_text(hex).unwrap_or_else(|| format!("{}…{}{unit}", &word[..6], &word[word.len() - 4..])),
            false => text.to_owned(),
        };
    }
    let (sign, digits) = word.strip_prefix('-').map_or(("", word), |digits| ("-", digits));
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match is_number.then(|| short_number(sign, digits)).flatten() {
        Some(number) => format!("{number}{unit}"),
        None => text.to_owned(),
    }
}

/// The text that a word holds from its first byte on, if it is some letters of ASCII, and zeros behind them: `"PriceFeed"`.
fn padded_text(hex: &str) -> Option<String> {
    let bytes = alloy_primitives::hex::decode(hex).ok().filter(|bytes| bytes.len() == 32)?;
    let text = std::str::from_utf8(&bytes).ok()?.trim_end_matches('\0');
    (text.len() >= MIN_TEXT && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))).then(|| format!("{text:?}"))
}

/// The short form of a number that has one.
fn short_number(sign: &str, digits: &str) -> Option<String> {
    let front = digits.trim_end_matches('0');
    if digits.len() - front.len() >= MANY_ZEROS && (1..=MAX_FRONT).contains(&front.len()) {
        return Some(format!("{sign}{}", scientific(front, digits.len())));
    }
    if digits.len() <= MAX_DIGITS {
        return None;
    }
    let magnitude = U512::from_str_radix(digits, 10).ok()?;
    let about = || format!("≈{sign}{}", scientific(&digits[..MAX_FRONT], digits.len()));
    Some(near_power(sign, magnitude).unwrap_or_else(about))
}

/// A number of this many digits that begins with these: `1.5e18`.
fn scientific(front: &str, digits: usize) -> String {
    let (first, rest) = front.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{first}{point}{rest}e{}", digits - 1)
}

/// A number by the power of two that it is near to, if there is one: `2^255`, `2^256 − 1`, `-2^255 + 3`.
fn near_power(sign: &str, magnitude: U512) -> Option<String> {
    let bits = magnitude.bit_len();
    let [lower, upper] = [bits - 1, bits].map(|bits| U512::from(1).checked_shl(bits).unwrap_or(U512::MAX));
    let (above, below) = (magnitude - lower, upper - magnitude);
    let (more, less) = if sign.is_empty() { ('+', '−') } else { ('−', '+') };
    match (above.bit_len() <= NEAR, below.bit_len() <= NEAR) {
        (true, _) if above.is_zero() => Some(format!("{sign}2^{}", bits - 1)),
        (true, _) => Some(format!("{sign}2^{} {more} {above}", bits - 1)),
        (false, true) => Some(format!("{sign}2^{bits} {less} {below}")),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::U256;

    #[test]
    fn what_is_long_has_a_short_form() {
        let half: U256 = U256::from(1) << 255;
        for (whole, expected) in [
            ("0".to_owned(), "0"),
            ("1700000000".to_owned(), "1700000000"),
            ("1000000000000000000".to_owned(), "1e18"),
            ("-1500000000000000000".to_owned(), "-1.5e18"),
            ("1234500000000000000".to_owned(), "1234500000000000000"),
            (U256::MAX.to_string(), "2^256 − 1"),
            (half.to_string(), "2^255"),
            (format!("-{half}"), "-2^255"),
            ((half - U256::from(1)).to_string(), "2^255 − 1"),
            ((half + U256::from(7)).to_string(), "2^255 + 7"),
            (format!("-{}", half - U256::from(1)), "-2^255 + 1"),
            ("123456789012345678901234567890".to_owned(), "≈1.234e29"),
            (U256::from_be_bytes([0x5a; 32]).to_string(), "≈4.086e76"),
            (NOBODY.to_owned(), "address(0)"),
            (format!("0x{}", "12ab".repeat(16)), "0x12ab…12ab"),
            ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".to_owned(), "0x5aAe…eAed"),
            (format!("0x50726963654665{}", "0".repeat(50)), "\"PriceFe\""),
            (format!("0x5072{}", "0".repeat(60)), "0x5072…0000"),
            ("0x0123456789abcdef".to_owned(), "0x0123456789abcdef"),
            ("79228162514264337593543950335 wei".to_owned(), "2^96 − 1 wei"),
            ("1.5 ether".to_owned(), "1.5 ether"),
            ("alice".to_owned(), "alice"),
            ("true".to_owned(), "true"),
            ("\"0x1234567890123456789\"".to_owned(), "\"0x1234567890123456789\""),
            ("length 3".to_owned(), "length 3"),
            (String::new(), ""),
        ] {
            assert_eq!(short(&whole), expected, "{whole}");
        }
    }
}
