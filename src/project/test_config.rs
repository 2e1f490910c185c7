//! A [`TestConfig`] says how forge runs tests, as far as it changes what they find: `[invariant]` of a `foundry.toml`, one key of its
//! profiles, and comments `forge-config:` in the tests. The number and the length of runs do not: fuzzing goes on.

use super::document::{DocumentNode, Value};

/// How tests are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TestConfig {
    /// Whether a call that reverts breaks every invariant.
    pub fail_on_revert: bool,
    /// The seconds that may pass before a call.
    pub max_time_delay: u64,
    /// The blocks that may pass before a call.
    pub max_block_delay: u64,
    /// Whether a revert that is expected may be one of the test itself.
    pub allow_internal_expect_revert: bool,
}

impl TestConfig {
    /// The same with the keys of a table.
    pub(super) fn with_table(mut self, table: &DocumentNode) -> Self {
        for (key, node) in table.entries() {
            let value = match &node.value {
                Value::Text(text) => text.clone(),
                _ => node
                    .boolean()
                    .map(|it| it.to_string())
                    .or(node.integer().map(|it| it.to_string()))
                    .unwrap_or_default(),
            };
            self.set(key, &value);
        }
        self
    }

    /// The same with what the comments in front of a function say: lines such as
    /// `forge-config: default.invariant.fail-on-revert = true`.
    #[must_use]
    pub fn with_comments(mut self, comments: &str) -> Self {
        for line in comments.lines() {
            let said = line.split_once("forge-config:").and_then(|(_, said)| said.split_once('='));
            if let Some((key, value)) = said {
                match key.split_once(".invariant.") {
                    Some((_, key)) => self.set(key, value),
                    None => self.set_of_profile(key, value),
                }
            }
        }
        self
    }

    /// A key of a profile itself: `default.allow_internal_expect_revert`.
    fn set_of_profile(&mut self, key: &str, value: &str) {
        let key = key.trim().rsplit('.').next().unwrap_or_default().replace('-', "_");
        if key == "allow_internal_expect_revert" {
            self.allow_internal_expect_revert = value.trim() == "true";
        }
    }

    fn set(&mut self, key: &str, value: &str) {
        let value = value.trim();
        match key.trim().replace('-', "_").as_str() {
            "fail_on_revert" => self.fail_on_revert = value == "true",
            "max_time_delay" => self.max_time_delay = value.parse().unwrap_or(self.max_time_delay),
            "max_block_delay" => self.max_block_delay = value.parse().unwrap_or(self.max_block_delay),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_read_over_the_table() {
        let toml = "fail_on_revert = true\nmax_time_delay = 5\ndepth = 7\n";
        let configured = TestConfig::default().with_table(&DocumentNode::from_toml(toml).unwrap());
        assert_eq!(configured, TestConfig { fail_on_revert: true, max_time_delay: 5, ..TestConfig::default() });
        let comments = "/// forge-config: default.invariant.fail-on-revert = false\n/// forge-config: default.invariant.max-block-delay=9\n/// forge-config: default.allow_internal_expect_revert = true";
        let expected = TestConfig {
            fail_on_revert: false,
            max_time_delay: 5,
            max_block_delay: 9,
            allow_internal_expect_revert: true,
        };
        assert_eq!(configured.with_comments(comments), expected);
    }
}
