//! Names of EVM versions as configuration files spell them. What a version means is the compiler's and the EVM's business.

use foundry_compilers::artifacts::EvmVersion;

/// Every name, the newest last.
const NAMES: [&str; 14] = [
    "homestead",
    "tangerineWhistle",
    "spuriousDragon",
    "byzantium",
    "constantinople",
    "petersburg",
    "istanbul",
    "berlin",
    "london",
    "paris",
    "shanghai",
    "cancun",
    "prague",
    "osaka",
];

/// The version of that name, in any case.
///
/// # Errors
/// A description of the mistake, in words that follow the key's name.
pub(super) fn parse_evm_version(name: &str) -> Result<EvmVersion, String> {
    let lower = name.trim().to_ascii_lowercase();
    lower.parse().map_err(|_| {
        let near = super::nearest::suggestion(&lower, NAMES);
        format!("must be the name of an EVM version such as `cancun`, not {name:?}{near}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_any_case() {
        for name in NAMES {
            assert!(parse_evm_version(name).is_ok(), "{name}");
            assert!(parse_evm_version(&name.to_uppercase()).is_ok(), "{name}");
        }
        assert_eq!(parse_evm_version("Paris"), Ok(EvmVersion::Paris));
    }

    #[test]
    fn a_slip_is_told() {
        let reason = parse_evm_version("shangai").unwrap_err();
        assert!(reason.ends_with("did you mean `shanghai`?"), "{reason}");
    }
}
