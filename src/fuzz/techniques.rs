//! [`Techniques`] are the switches of the fuzzer's techniques, so that benchmarks can measure the effect of each by leaving it
//! out.

use super::schedule::Configuration;
use crate::search::Switches;

/// The techniques that are switched on: all of them by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Techniques {
    /// Predicts words from how differences changed (HARVEY §IV).
    pub prediction: bool,
    /// Tries whether another state would let a transaction go further (HARVEY §V).
    pub aggressive: bool,
    /// Extends sequences for functions that need other states according to aggressive runs (HARVEY §V).
    pub demand_driven: bool,
    /// The schedule's use of the lookahead analysis while there are targets (Wüstholz and Christakis).
    pub lookahead: Configuration,
    /// Gives energy for rare split points beside rare lookahead ids.
    pub rare_split_points: bool,
    /// Searches from the inputs that missed a branch by the least (sFuzz §3.2).
    pub just_missed: bool,
    /// Uses words that the code mentions, and words seen at run time.
    pub dictionary: bool,
    /// Replaces an operand that appears in the input by the other operand; hashes likewise.
    pub input_to_state: bool,
}

impl Default for Techniques {
    fn default() -> Self {
        Self {
            prediction: true,
            aggressive: true,
            demand_driven: true,
            lookahead: Configuration::default(),
            rare_split_points: true,
            just_missed: true,
            dictionary: true,
            input_to_state: true,
        }
    }
}

impl Techniques {
    /// The names by which the command line switches techniques off.
    pub const NAMES: [&str; 8] = [
        "prediction",
        "aggressive",
        "demand-driven",
        "lookahead",
        "rare-split-points",
        "just-missed",
        "dictionary",
        "input-to-state",
    ];

    /// The switches of the search.
    pub(super) fn search(self) -> Switches {
        let Self { prediction, aggressive, demand_driven, input_to_state, .. } = self;
        Switches { prediction, aggressive, demand_driven, input_to_state }
    }

    /// Switches a technique off; `false` if there is none of this name.
    pub fn switch_off(&mut self, name: &str) -> bool {
        let switch = match name {
            "prediction" => &mut self.prediction,
            "aggressive" => &mut self.aggressive,
            "demand-driven" => &mut self.demand_driven,
            "lookahead" => {
                self.lookahead = Configuration::A;
                return true;
            }
            "rare-split-points" => &mut self.rare_split_points,
            "just-missed" => &mut self.just_missed,
            "dictionary" => &mut self.dictionary,
            "input-to-state" => &mut self.input_to_state,
            _ => return false,
        };
        *switch = false;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_switches_something_else_off() {
        let mut seen = vec![Techniques::default()];
        for name in Techniques::NAMES {
            let mut techniques = Techniques::default();
            assert!(techniques.switch_off(name) && !seen.contains(&techniques), "{name}");
            seen.push(techniques);
        }
        assert!(!Techniques::default().switch_off("magic"));
    }
}
