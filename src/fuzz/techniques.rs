//! [`Techniques`] are the ideas that the fuzzer is made of, each with a switch: what an idea is worth shows only where it
//! can be left out.

use super::schedule::Configuration;
use crate::search::Switches;

/// Which techniques are on. All of them, unless somebody measures what one is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Techniques {
    /// Predicting words from how differences moved (HARVEY §IV).
    pub prediction: bool,
    /// Trying whether another state would let a transaction go further (HARVEY §V).
    pub aggressive: bool,
    /// Longer sequences for what aggressive runs showed to need them (HARVEY §V).
    pub demand_driven: bool,
    /// How the schedule uses what is ahead of a path, while there are targets (Wüstholz and Christakis).
    pub lookahead: Configuration,
    /// Whether that schedule counts rare split points beside rare lookahead ids.
    pub rare_split_points: bool,
    /// Energy for the inputs that missed a branch by the least (sFuzz §3.2).
    pub just_missed: bool,
    /// Words that the code mentions, and words seen at run time.
    pub dictionary: bool,
    /// An operand that appears in the input is replaced by the other one; hashes likewise.
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
    /// The names by which techniques are switched off, as the command line has them.
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

    /// Those of the search.
    pub(super) fn search(self) -> Switches {
        let Self { prediction, aggressive, demand_driven, input_to_state, .. } = self;
        Switches { prediction, aggressive, demand_driven, input_to_state }
    }

    /// Switches one off; `false` if there is none of this name.
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
