//! What the codes of `Panic(uint256)` mean, in words.

/// The codes that compilers give, with what is wrong.
const PANICS: [(u64, &str); 10] = [
    (0x00, "a check of the compiler failed"),
    (0x01, "assertion failed"),
    (0x11, "arithmetic overflow"),
    (0x12, "division by zero"),
    (0x21, "value out of the enum's range"),
    (0x22, "storage bytes are not encoded as bytes"),
    (0x31, "pop on an empty array"),
    (0x32, "index out of bounds"),
    (0x41, "too much memory asked for"),
    (0x51, "call of an uninitialised function pointer"),
];

/// What is wrong, if a compiler gives this code.
pub(super) fn words(code: u64) -> Option<&'static str> {
    PANICS.iter().find(|(known, _)| *known == code).map(|(_, words)| *words)
}
