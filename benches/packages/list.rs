//! The packages, at fixed versions, and their central contracts. Each was checked to be in the published sources.

/// An npm package that is fuzzed as a project of its own.
pub struct Package {
    /// Its name and version, as npm takes them.
    pub pin: &'static str,
    /// Packages that its sources import and that npm does not install with it.
    pub beside: &'static [&'static str],
    /// The contracts that are also measured each on its own. No two of one package's own contracts have the same of these names.
    pub central: &'static [&'static str],
}

impl Package {
    /// The name without the version.
    pub fn name(&self) -> &'static str {
        self.pin.rsplit_once('@').map_or(self.pin, |(name, _)| name)
    }

    /// Whether this is its name, with or without the version.
    pub fn is_called(&self, name: &str) -> bool {
        [self.pin, self.name()].contains(&name)
    }
}

const fn package(pin: &'static str, central: &'static [&'static str]) -> Package {
    Package { pin, beside: &[], central }
}

/// All of them. The folder that they are kept in is named after [`EDITION`]: change it with what a pin installs.
pub static PACKAGES: [Package; 17] = [
    package("@openzeppelin/contracts@5.7.0", &["TimelockController", "AccessManager"]),
    package("@openzeppelin/contracts@4.9.6", &["ERC20PresetMinterPauser", "PaymentSplitter"]),
    package("openzeppelin-solidity@1.12.0", &["TokenVesting"]),
    package("openzeppelin-solidity@2.5.1", &["TokenVesting"]),
    package("@uniswap/v2-core@1.0.1", &["UniswapV2Pair", "UniswapV2Factory"]),
    package("@uniswap/v2-periphery@1.1.0-beta.0", &["UniswapV2Router02"]),
    // It is published without its contracts: there are only libraries and interfaces.
    package("@uniswap/v3-core@1.0.1", &[]),
    // A fork that is published with them.
    package("@bnb-party/v3-core@1.0.4", &["UniswapV3Pool", "UniswapV3Factory"]),
    package("solmate@6.8.0", &["RolesAuthority"]),
    package("solady@0.1.26", &["Timelock"]),
    // The last version with the auction of names.
    package("@ensdomains/ens@0.4.5", &["HashRegistrar"]),
    package("@ensdomains/ens@0.6.2", &["ENSRegistry"]),
    Package {
        pin: "@gnosis.pm/safe-contracts@1.3.0",
        beside: &["@openzeppelin/contracts@3.4.2", "@gnosis.pm/mock-contract@4.0.0"],
        central: &["GnosisSafe"],
    },
    Package {
        pin: "synthetix@2.102.1",
        beside: &[
            "openzeppelin-solidity-2.3.0@npm:openzeppelin-solidity@2.3.0",
            "@chainlink/contracts-0.0.10@npm:@chainlink/contracts@0.0.10",
            "@eth-optimism/contracts@0.3.5",
        ],
        central: &["Synthetix", "StakingRewards"],
    },
    package("@aave/core-v3@1.19.3", &["Pool", "AToken"]),
    package("@account-abstraction/contracts@0.8.0", &["EntryPoint", "SimpleAccount"]),
    package("erc721a@4.3.0", &["ERC721A"]),
];

/// The name of the folder that they are kept in.
pub const EDITION: &str = "packages-1";
