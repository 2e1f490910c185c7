//! The values of `--target`.

use anyhow::{Result, anyhow};
use std::{ops::RangeInclusive, str::FromStr};

/// The value of one `--target`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Lines of a file, from 1.
    Lines { file: String, lines: RangeInclusive<usize> },
    /// What differs from git HEAD.
    Changed,
}

impl FromStr for Wanted {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "changed" {
            return Ok(Self::Changed);
        }
        let read = || {
            let (file, lines) = text.rsplit_once(':')?;
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
            (!file.is_empty() && 1 <= first && first <= last)
                .then(|| Self::Lines { file: file.to_owned(), lines: first..=last })
        };
        read().ok_or_else(|| {
            anyhow!(
                "--target {text}: not a line; write FILE:LINE or FILE:LINE-LINE, such as src/Vault.sol:40, or changed"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_lines_or_what_changed() {
        let lines = |file: &str, lines| Wanted::Lines { file: file.to_owned(), lines };
        assert_eq!("src/A.sol:7".parse::<Wanted>().unwrap(), lines("src/A.sol", 7..=7));
        assert_eq!("C:\\a\\A.sol:7-19".parse::<Wanted>().unwrap(), lines("C:\\a\\A.sol", 7..=19));
        assert_eq!("changed".parse::<Wanted>().unwrap(), Wanted::Changed);
        for bad in ["", "A.sol", "A.sol:", ":3", "A.sol:0", "A.sol:9-3", "A.sol:x", "A.sol:1-2-3"] {
            assert!(bad.parse::<Wanted>().unwrap_err().to_string().contains("write FILE:LINE"), "{bad}");
        }
    }
}
