//! The suite: contracts of the fixtures with planted defects, and how long each is searched. A line more is a contract more.

/// A contract, and the transactions after which a search for what is planted in it is given up.
#[derive(Clone, Copy)]
pub struct Case {
    /// The folder in `fixtures/`.
    pub fixture: &'static str,
    pub contract: &'static str,
    pub cap: u64,
}

const fn case(fixture: &'static str, contract: &'static str, cap: u64) -> Case {
    Case { fixture, contract, cap }
}

pub const CASES: [Case; 31] = [
    case("arithmetic", "Invoice", 300_000),
    case("arithmetic", "Exchange", 300_000),
    case("arithmetic", "Catalogue", 1_000_000),
    case("arithmetic", "Clearing", 300_000),
    case("arithmetic", "Manifest", 300_000),
    case("arithmetic", "Lease", 300_000),
    case("arithmetic", "Perpetual", 1_000_000),
    case("arithmetic", "Savings", 300_000),
    case("arithmetic", "Payroll", 1_000_000),
    case("arithmetic", "Tickets", 300_000),
    case("arithmetic", "Curve", 300_000),
    case("arithmetic", "Locker", 300_000),
    case("arithmetic", "Pool", 1_000_000),
    case("arithmetic", "Campaign", 300_000),
    case("stateful", "Commission", 300_000),
    case("stateful", "Courier", 300_000),
    case("stateful", "Office", 300_000),
    case("stateful", "Allowance", 300_000),
    case("stateful", "Stake", 300_000),
    case("vault", "Vault", 300_000),
    case("auction", "Auction", 300_000),
    case("vesting", "Vesting", 300_000),
    case("token", "Token", 300_000),
    case("channel", "Channel", 300_000),
    case("narrow", "Tariff", 300_000),
    case("narrow", "Relay", 300_000),
    case("narrow", "Riddle", 300_000),
    case("narrow", "Roots", 300_000),
    case("wallet", "BonusWallet", 300_000),
    case("wallet", "Cabinet", 300_000),
    case("wallet", "Preferences", 300_000),
];

/// One of [`CASES`] that stands for an example in a paper.
pub struct Example {
    pub contract: &'static str,
    /// The example.
    pub of: &'static str,
    /// What the paper reports.
    pub reported: &'static str,
    /// What we aim for.
    pub wanted: &'static str,
}

pub const EXAMPLES: [Example; 5] = [
    Example {
        contract: "Tariff",
        of: "HARVEY, fig. 1",
        reported: "372 inputs, 0.27 s",
        wanted: "≤ 200 inputs, < 20 ms",
    },
    Example { contract: "Relay", of: "HARVEY, fig. 2", reported: "about 18 s", wanted: "< 100 ms" },
    Example { contract: "BonusWallet", of: "HARVEY, fig. 3", reported: "a few seconds", wanted: "< 500 ms" },
    Example { contract: "Riddle", of: "sFuzz, fig. 1", reported: "140 generations", wanted: "< 1 s" },
    Example { contract: "Roots", of: "sFuzz, fig. 2", reported: "both branches", wanted: "both, < 1 s" },
];
