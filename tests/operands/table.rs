//! The tables: which conditions, where they stand, and what runs of them must record.

/// Types whose values are compared with each other in all orders, and values at their edges. Every pair of them is an input.
pub const TYPES: [(&str, &[&str]); 13] = [
    ("uint256", &["0", "1", "77", "MAX"]),
    ("uint128", &["0", "9", "340282366920938463463374607431768211455"]),
    ("uint8", &["0", "1", "200", "255"]),
    ("int256", &["MIN", "-1", "0", "5", "HIGH"]),
    ("int128", &["-170141183460469231731687303715884105728", "-3", "170141183460469231731687303715884105727"]),
    ("int8", &["-128", "-1", "0", "5", "127"]),
    ("address", &["0x0", "0x1234", "0xffffffffffffffffffffffffffffffffffffffff"]),
    ("bytes32", &["0x00", "0x61", "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"]),
    ("bytes4", &["0x00", "0x0000ab01", "0xffffffff"]),
    ("bytes1", &["0x00", "0x80", "0xff"]),
    ("Color", &["0", "1", "2"]),
    ("Table", &["0x0", "0x77", "0xffffffffffffffffffffffffffffffffffffffff"]),
    ("bool", &["false", "true"]),
];

/// A condition or statements, and runs: arguments, and the comparisons that are made with them.
pub struct Row {
    pub parameters: &'static str,
    pub code: &'static str,
    pub runs: &'static [(&'static str, &'static [&'static str])],
}

const fn row(
    parameters: &'static str,
    code: &'static str,
    runs: &'static [(&'static str, &'static [&'static str])],
) -> Row {
    Row { parameters, code, runs }
}

/// Where a condition may stand: `{C}` is the condition, `{A}` are the arguments; what begins with `bool {F}` is a function
/// beside it.
pub const PLACES: [(&str, &str); 16] = [
    ("if", "if ({C}) { return 1; } return 2;"),
    ("else", "if (!({C})) { return 1; } else { return 2; }"),
    ("require", "require({C}); return 1;"),
    ("assert", "assert({C}); return 1;"),
    ("while", "while ({C}) { return 1; } return 2;"),
    ("for", "for (total = 5; {C}; total++) { return 1; } return 2;"),
    ("do", "uint256 n = 0; do { n += 7; if (n > 20) { break; } } while ({C}); return n;"),
    ("ternary", "return ({C}) ? 1 : 2;"),
    ("stored in a local variable", "bool x = {C}; total = 7; if (x) { return 1; } return 2;"),
    ("stored as its opposite", "bool x = !({C}); total = 7; require(!x); return 1;"),
    ("returned by a function", "if (test{N}({A})) { return 1; } total = 3; require(test{N}({A})); return 2;"),
    ("passed to a function that requires it", "demand({C}); return 1;"),
    ("passed through a function", "require(opposite(opposite({C}))); return 1;"),
    ("returned among others", "uint256 n; bool x; (n, x) = pair({C}, 4); require(x); return n;"),
    ("passed to a modifier", "guarded({C}); return 1;"),
    ("before a call", "bool x = {C}; this.nothing(); require(x); return 1;"),
];

/// Conditions that stand in every place.
pub const CONDITIONS: [Row; 18] = [
    row(
        "uint256 a, uint256 b",
        "a < b",
        &[("1, 2", &["1 < 2"]), ("2, 2", &["2 < 2"]), ("MAX, 0", &["MAX < 0"]), ("0, MAX", &["0 < MAX"])],
    ),
    row("uint256 a, uint256 b", "a >= b", &[("1, 2", &["1 >= 2"]), ("2, 2", &["2 >= 2"]), ("MAX, 0", &["MAX >= 0"])]),
    row("uint256 a, uint256 b", "a == b", &[("1, 2", &["1 == 2"]), ("2, 2", &["2 == 2"]), ("MAX, 0", &["MAX == 0"])]),
    row("uint256 a, uint256 b", "a != b", &[("1, 2", &["1 != 2"]), ("2, 2", &["2 != 2"]), ("MAX, 0", &["MAX != 0"])]),
    row(
        "int256 a, int256 b",
        "a <= b",
        &[
            ("-1, 2", &["-1 <= 2"]),
            ("2, -1", &["2 <= -1"]),
            ("MIN, HIGH", &["MIN <= HIGH"]),
            ("HIGH, MIN", &["HIGH <= MIN"]),
        ],
    ),
    row("int8 a, int8 b", "a > b", &[("-1, 2", &["-1 > 2"]), ("2, -1", &["2 > -1"]), ("-128, -128", &["-128 > -128"])]),
    row("address a, address b", "a == b", &[("0x5, 0x5", &["0x5 == 0x5"]), ("0x5, 0x7", &["0x5 == 0x7"])]),
    row(
        "uint256 a, uint256 b, uint256 c, uint256 d",
        "a < b && c < d",
        &[
            ("1, 20, 3, 40", &["1 < 20", "3 < 40"]),
            ("1, 20, 40, 3", &["1 < 20", "40 < 3"]),
            ("20, 1, 3, 40", &["20 < 1"]),
        ],
    ),
    row(
        "uint256 a, uint256 b, uint256 c, uint256 d",
        "a < b || c == d",
        &[
            ("1, 20, 3, 40", &["1 < 20"]),
            ("20, 1, 40, 3", &["20 < 1", "40 == 3"]),
            ("20, 1, 3, 3", &["20 < 1", "3 == 3"]),
        ],
    ),
    row(
        "int256 a, int256 b, int256 c",
        "a < b && b != c && c >= a",
        &[
            ("-10, 2, 30", &["-10 < 2", "2 != 30", "30 >= -10"]),
            ("-10, 2, -30", &["-10 < 2", "2 != -30", "-30 >= -10"]),
            ("-10, 2, 2", &["-10 < 2", "2 != 2"]),
            ("2, -10, 30", &["2 < -10"]),
        ],
    ),
    row(
        "uint256 a, uint256 b, uint256 c",
        "(a < b && b < c) || !(a <= 90 || c <= 90)",
        &[
            ("1, 5, 20", &["1 < 5", "5 < 20"]),
            ("1, 50, 20", &["1 < 50", "50 < 20", "1 <= 90"]),
            ("91, 50, 20", &["91 < 50", "91 <= 90", "20 <= 90"]),
            ("95, 50, 92", &["95 < 50", "95 <= 90", "92 <= 90"]),
        ],
    ),
    row(
        "uint256 a, uint256 b, uint256 c, uint256 d",
        "a == b ? c < d : c > d",
        &[
            ("5, 5, 10, 30", &["5 == 5", "10 < 30"]),
            ("5, 5, 30, 10", &["5 == 5", "30 < 10"]),
            ("5, 6, 10, 30", &["5 == 6", "10 > 30"]),
            ("5, 6, 30, 10", &["5 == 6", "30 > 10"]),
        ],
    ),
    row(
        "uint256 a, bool p",
        "p && a < 1000",
        &[("5, true", &["5 < 1000"]), ("5000, true", &["5000 < 1000"]), ("5, false", &[])],
    ),
    row(
        "uint256 a, bool p",
        "!p || a > 1000",
        &[("5, true", &["5 > 1000"]), ("5000, true", &["5000 > 1000"]), ("5, false", &[])],
    ),
    row(
        "uint256 a, uint256 b",
        "a < b && b < 1000 || a == 3000",
        &[
            ("1, 20", &["1 < 20", "20 < 1000"]),
            ("1, 2000", &["1 < 2000", "2000 < 1000", "1 == 3000"]),
            ("3000, 1", &["3000 < 1", "3000 == 3000"]),
        ],
    ),
    row(
        "bool p, bool q",
        "p == q",
        &[("true, true", &["1 == 1"]), ("true, false", &["1 == 0"]), ("false, false", &["0 == 0"])],
    ),
    row("uint8 a, uint8 b", "!!(a <= b)", &[("1, 255", &["1 <= 255"]), ("255, 0", &["255 <= 0"])]),
    row("bytes4 a, bytes4 b", "a != b", &[("0x01, 0x02", &["0x01 != 0x02"]), ("0x01, 0x01", &["0x01 != 0x01"])]),
];

/// Comparisons with constants, which compilers rewrite.
pub const CONSTANTS: [Row; 24] = [
    row("uint256 a", "a < 10", &[("9", &["9 < 10"]), ("10", &["10 < 10"]), ("0", &["0 < 10"]), ("MAX", &["MAX < 10"])]),
    row(
        "uint256 a",
        "a <= 10",
        &[("9", &["9 <= 10"]), ("11", &["11 <= 10"]), ("0", &["0 <= 10"]), ("MAX", &["MAX <= 10"])],
    ),
    row(
        "uint256 a",
        "a > 10",
        &[("11", &["11 > 10"]), ("10", &["10 > 10"]), ("0", &["0 > 10"]), ("MAX", &["MAX > 10"])],
    ),
    row(
        "uint256 a",
        "a >= 10",
        &[("10", &["10 >= 10"]), ("9", &["9 >= 10"]), ("0", &["0 >= 10"]), ("MAX", &["MAX >= 10"])],
    ),
    row(
        "uint256 a",
        "a == 10",
        &[("10", &["10 == 10"]), ("9", &["9 == 10"]), ("0", &["0 == 10"]), ("MAX", &["MAX == 10"])],
    ),
    row(
        "uint256 a",
        "a != 10",
        &[("10", &["10 != 10"]), ("9", &["9 != 10"]), ("0", &["0 != 10"]), ("MAX", &["MAX != 10"])],
    ),
    row("uint256 a", "10 > a", &[("9", &["10 > 9"]), ("10", &["10 > 10"]), ("MAX", &["10 > MAX"])]),
    row("uint256 a", "a == 0", &[("0", &["0 == 0"]), ("7", &["7 == 0"]), ("MAX", &["MAX == 0"])]),
    row("uint256 a", "a != 0", &[("0", &["0 != 0"]), ("7", &["7 != 0"]), ("MAX", &["MAX != 0"])]),
    row("uint256 a", "a > 0", &[("0", &["0 > 0"]), ("7", &["7 > 0"]), ("MAX", &["MAX > 0"])]),
    row("uint256 a", "a < 1", &[("0", &["0 < 1"]), ("7", &["7 < 1"]), ("MAX", &["MAX < 1"])]),
    row("uint256 a", "a >= 1", &[("0", &["0 >= 1"]), ("7", &["7 >= 1"]), ("MAX", &["MAX >= 1"])]),
    row("uint256 a", "a == 1", &[("0", &["0 == 1"]), ("1", &["1 == 1"]), ("MAX", &["MAX == 1"])]),
    row("uint8 a", "a > 254", &[("255", &["255 > 254"]), ("254", &["254 > 254"]), ("0", &["0 > 254"])]),
    row("int256 a", "a < 0", &[("0", &["0 < 0"]), ("-1", &["-1 < 0"]), ("MIN", &["MIN < 0"]), ("HIGH", &["HIGH < 0"])]),
    row(
        "int256 a",
        "a >= 0",
        &[("0", &["0 >= 0"]), ("-1", &["-1 >= 0"]), ("MIN", &["MIN >= 0"]), ("HIGH", &["HIGH >= 0"])],
    ),
    row(
        "int256 a",
        "a > -1",
        &[("0", &["0 > -1"]), ("-1", &["-1 > -1"]), ("MIN", &["MIN > -1"]), ("HIGH", &["HIGH > -1"])],
    ),
    row("int256 a", "a <= -7", &[("0", &["0 <= -7"]), ("-7", &["-7 <= -7"]), ("MIN", &["MIN <= -7"])]),
    row("int256 a", "a == -7", &[("0", &["0 == -7"]), ("-7", &["-7 == -7"]), ("MIN", &["MIN == -7"])]),
    row("int8 a", "a < 100", &[("100", &["100 < 100"]), ("-128", &["-128 < 100"]), ("127", &["127 < 100"])]),
    row("address a", "a == address(0)", &[("0x0", &["0x0 == 0x0"]), ("0x77", &["0x77 == 0x0"])]),
    row("address a", "a != address(0x1234)", &[("0x1234", &["0x1234 != 0x1234"]), ("0x0", &["0x0 != 0x1234"])]),
    row("Color a", "a == Color.Blue", &[("2", &["2 == 2"]), ("0", &["0 == 2"])]),
    row("bool a", "a == false", &[("true", &["1 == 0"]), ("false", &["0 == 0"])]),
];

/// Where conditions with constants stand.
pub const PLACES_OF_CONSTANTS: [&str; 5] =
    ["if", "require", "stored in a local variable", "returned by a function", "for"];

/// Statements.
pub const BODIES: [Row; 16] = [
    // Which of two results is tested is known only at run time, and both comparisons have run.
    row(
        "uint256 a, uint256 b, bool p",
        "bool x = a < b; bool y = a < 100; total = 3; if (p ? x : y) { return 1; } return 2;",
        &[
            ("10, 20, true", &["10 < 20"]),
            ("10, 20, false", &["10 < 100"]),
            ("20, 10, true", &["20 < 10"]),
            ("500, 10, false", &["500 < 100"]),
        ],
    ),
    // The latest of several turns of a loop counts.
    row(
        "uint256 a",
        "bool found = false; for (uint256 i = 0; i < 3 && !found; i++) { found = a == i * 7; } require(found); return 1;",
        &[("7", &["0 < 3", "7 == 0", "1 < 3", "7 == 7"]), ("8", &["8 == 14", "3 < 3"]), ("0", &["0 == 0"])],
    ),
    row(
        "uint256 a, uint256 b",
        "uint256 least = a < b ? a : b; if (least > 10) { return 1; } return 2;",
        &[("3, 7", &["3 < 7", "3 > 10"]), ("70, 30", &["70 < 30", "30 > 10"])],
    ),
    row(
        "uint256 a, uint256 b, uint256 c",
        "bool x = a < b; x = x && b < c; total = 3; require(x); return 1;",
        &[
            ("1, 20, 300", &["1 < 20", "20 < 300"]),
            ("20, 1, 300", &["20 < 1"]),
            ("1, 300, 20", &["1 < 300", "300 < 20"]),
        ],
    ),
    row(
        "uint256 a, uint256 b",
        "bool x; if (total == 0) { x = a > b; } else { x = a == b; } total = 3; require(x); return 1;",
        &[("1, 20", &["0 == 0", "1 > 20"]), ("20, 1", &["20 > 1"])],
    ),
    row(
        "uint256 a, uint256 b",
        "require(deep(a, b, 3)); return 1;",
        &[("1, 20", &["1 < 20", "3 == 0", "0 == 0"]), ("20, 1", &["20 < 1"])],
    ),
    row(
        "uint256 a, uint256 b",
        "function (uint256, uint256) internal returns (bool) test = a > 50 ? less : same; require(test(a, b)); return 1;",
        &[
            ("5, 20", &["5 > 50", "5 == 20"]),
            ("5, 5", &["5 == 5"]),
            ("60, 20", &["60 > 50", "60 < 20"]),
            ("60, 80", &["60 < 80"]),
        ],
    ),
    row(
        "uint256 a, uint256 b",
        "total = a; if (total < b) { return 1; } return 2;",
        &[("1, 20", &["1 < 20"]), ("20, 1", &["20 < 1"])],
    ),
    row(
        "uint8 a, uint256 b",
        "if (uint256(a) * 3 < b) { return 1; } return 2;",
        &[("255, 20", &["765 < 20"]), ("2, 9", &["6 < 9"])],
    ),
    row("uint256 a", "if (uint8(a) == 5) { return 1; } return 2;", &[("261", &["5 == 5"]), ("MAX", &["255 == 5"])]),
    row(
        "uint256 a, uint256 b",
        "bool x = a < b; require(x == (b < 50)); return 1;",
        &[("1, 20", &["1 == 1"]), ("20, 1", &["0 == 1"])],
    ),
    // Put together without a jump: the one that decides is recorded.
    row(
        "uint256 a, uint256 b, uint256 c, uint256 d",
        "bool x; assembly { x := and(lt(a, b), gt(c, d)) } if (x) { return 1; } return 2;",
        &[
            ("1, 20, 50, 10", &["1 < 20"]),
            ("1, 20, 12, 10", &["12 > 10"]),
            ("20, 1, 50, 10", &["20 < 1"]),
            ("1, 20, 10, 50", &["10 > 50"]),
            ("20, 19, 10, 50", &["10 > 50"]),
        ],
    ),
    row(
        "uint256 a, uint256 b, uint256 c, uint256 d",
        "bool x; assembly { x := or(eq(a, b), slt(c, d)) } require(x); return 1;",
        &[
            ("7, 7, 50, 10", &["7 == 7"]),
            ("7, 9, 10, 50", &["10 s< 50"]),
            ("7, 9, 50, 10", &["7 == 9"]),
            ("7, 90, 11, 10", &["11 s< 10"]),
        ],
    ),
    row(
        "uint256 a, uint256 b",
        "bool x; assembly { x := iszero(sub(a, b)) } require(x); return 1;",
        &[("1, 20", &["1 == 20"]), ("20, 20", &["20 == 20"])],
    ),
    row(
        "uint256 a, uint256 b",
        "bool x; assembly { x := iszero(mul(lt(a, b), a)) } require(x); return 1;",
        &[("1, 20", &["1 < 20"]), ("20, 1", &["20 < 1"])],
    ),
    row(
        "uint256 a, uint256 b",
        "uint256 n = a; while (n < b) { n += 10; if (n == 25) { break; } } return n;",
        &[("5, 20", &["5 < 20", "15 == 25", "15 < 20", "25 == 25"]), ("9, 2", &["9 < 2"])],
    ),
];

/// Statements in which a test meets a literal. In the IR pipeline the two may come from different blocks; there the word
/// itself is recorded.
pub const LITERALS: [Row; 3] = [
    row(
        "uint256 a, uint256 b, uint256 c",
        "bool x; assembly { x := iszero(or(iszero(lt(a, b)), and(gt(b, c), 1))) } require(x); return 1;",
        &[("1, 20, 300", &["1 < 20"]), ("20, 1, 300", &["20 < 1"]), ("1, 300, 20", &["300 > 20"])],
    ),
    row(
        "uint256 a, uint256 b",
        "bool x; assembly { x := eq(lt(a, b), 0) } require(x); return 1;",
        &[("1, 20", &["1 < 20"]), ("20, 1", &["20 < 1"])],
    ),
    row(
        "uint256 a, uint256 b",
        "bool x; assembly { x := xor(gt(a, b), 1) } require(x); return 1;",
        &[("1, 20", &["1 > 20"]), ("20, 1", &["20 > 1"])],
    ),
];
