//! [`Tuning`] are the numbers that steer the search: each with its unit and where it comes from. They were chosen by hand on seeds 1 to 24
//! of the bench `ablation`, where no other origin is given; `cargo bench --bench ablation -- sweep NAME VALUES` measures others, and reports
//! are made on seeds 101 to 124. Bounds of memory are not among them: those stand where they bound something.

/// Declares the numbers, their defaults, and access by name.
macro_rules! tuning {
    ($( $(#[$doc:meta])* $name:ident: $type:ty = $value:expr; )*) => {
        /// The numbers that steer the search.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Tuning {
            $( $(#[$doc])* pub $name: $type, )*
        }

        impl Default for Tuning {
            fn default() -> Self {
                Self { $( $name: $value, )* }
            }
        }

        impl Tuning {
            /// The names of all numbers.
            pub const NAMES: &[&str] = &[$( stringify!($name), )*];

            /// Sets a number by its name; `false` if there is none of this name, or it cannot be this large.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $( stringify!($name) => <$type>::try_from(value).map(|value| self.$name = value).is_ok(), )*
                    _ => false,
                }
            }
        }
    };
}

tuning! {
    // The stages of the loop.

    /// Steps of 100 in which the last transaction of an entry is mutated.
    mutate_last_weight: u32 = 35;
    /// Steps of 100 in which an earlier transaction of an entry is changed.
    mutate_sequence_weight: u32 = 15;
    /// Steps of 100 in which one call is made from a kept state.
    call_from_state_weight: u32 = 20;
    /// Steps of 100 in which several calls are made, each from where the last one led.
    walk_weight: u32 = 30;
    /// Mutations of the last transaction of an entry when it is picked.
    mutations_per_entry: u32 = 16;
    /// Steps, on average, between two in which a user withdraws what they stored, once users were paid.
    withdraw_interval: u32 = 16;
    /// Most calls of one walk that change state.
    max_walk: u32 = 6;
    /// Most calls that lead to a state from which another is made.
    max_depth: usize = 24;
    /// Calls back from which arguments are reused.
    related_calls: usize = 4;
    /// Latest states that are preferred to start from.
    latest_states: usize = 24;
    /// Steps, on average, between two tries of another deployment.
    redeploy_interval: u32 = 512;
    /// Deployments with other arguments that are fuzzed side by side.
    roots: usize = 8;
    /// Sides behind another choice that are noted of one run, where no run took them.
    max_contexts_per_run: usize = 32;
    /// Words that a contract stores below this are not added to the dictionary: they are everywhere anyway.
    least_learned_word: u64 = 256;

    /// Transactions that show no new code, after which a contract waits one round more for its next turn among others.
    idle_after: u64 = 256;
    /// Rounds after which it is a contract's turn at the latest.
    most_rounds: u64 = 64;
    /// A contract that falls to another machine waits this many times the rounds for its next turn. Chosen by hand.
    elsewhere_rounds: u64 = 8;

    // The share of the search.

    /// Most transactions of a thousand that the search may have.
    most_search_share: u64 = 700;
    /// Transactions of a thousand that the search may have at first.
    first_search_share: u64 = 400;
    /// Transactions of a thousand that the search may always have.
    least_search_share: u64 = 150;
    /// Thousandths by which the share grows after an objective was reached.
    search_share_gain: u64 = 40;
    /// The share shrinks by one in this many of itself after an attempt in vain.
    search_share_loss: u64 = 40;
    /// Transactions over which the share is counted: those before count half.
    search_share_window: u64 = 20_000;
    /// While new code is reached at least once in this many transactions, nothing is searched for.
    stale_after: u64 = 12;

    // Attempts of the search.

    /// Rounds of one attempt, each from an input that came closer.
    attempt_rounds: usize = 3;
    /// Transactions that a later attempt may cost, with all that it asks for and computes.
    attempt_budget: u64 = 640;
    /// Transactions that a first attempt may cost.
    first_attempt_budget: u64 = 160;
    /// Attempts of an objective that fit polynomials, which are the same from every input.
    fitting_attempts: u32 = 4;
    /// Attempts of an objective that predict; later ones do every second time.
    predicting_attempts: u32 = 4;
    /// Words that are put in place of others in one attempt.
    repeated_words: usize = 6;
    /// How many states deep states may be asked for.
    storage_depth: u32 = 3;
    /// Kept states that are tried before an attempt goes on from one.
    elsewhere_states: usize = 4;
    /// Slots of one run that are looked at.
    looked_slots: usize = 16;
    /// An objective behind more branches than this is not searched for: each would have to be kept.
    max_prefix: usize = 1_024;
    /// Sides before a branch by which the times that a run came to it are told apart.
    edge_context: usize = 3;
    /// Words of a transaction that are probed in one round.
    probed_words: usize = 24;
    /// Attempts that move a word by one; later ones move it farther.
    unit_probes: u32 = 2;
    /// Words of earlier transactions that are probed in one round.
    probed_earlier_words: usize = 12;
    /// Words of a setup that are probed in one attempt.
    probed_setup_words: usize = 16;
    /// Later attempts of an objective that probe words of the setup: each of them runs the setup again.
    setup_attempts: u32 = 2;
    /// Other worlds that are compared before words of the setup are probed.
    compared_roots: usize = 4;
    /// Transactions back whose words are probed.
    probed_earlier_calls: usize = 4;
    /// Solutions of one model that are run.
    solutions: usize = 3;
    /// Steps of the secant method on one word.
    secant_steps: usize = 6;
    /// Words on whose curve an equality is looked for.
    fitted_words: usize = 3;
    /// Transactions, each of another function, that are kept for one slot.
    writers_per_slot: usize = 4;
    /// Calls of a writer that brings a slot closer each time.
    writer_repeats: usize = 16;

    // The queue of objectives.

    /// Closest entries kept for one objective (sFuzz §3.2 keeps one).
    closest_entries: usize = 2;
    /// Latest entries kept for one objective, for other ways there.
    latest_entries: usize = 2;
    /// Transactions that an objective waits after its first attempt in vain; each time a quarter more.
    objective_wait: u64 = 64;
    /// Most transactions that an objective waits.
    max_objective_wait: u64 = 1 << 30;
    /// A failed attempt raises the rank by one per this many transactions.
    costly_attempt: u64 = 128;
    /// Rank of a branch that the compiler made, as if it had been tried so often.
    generated_code_rank: u32 = 3;
    /// Rank of a side behind another choice: sides that no run took come first.
    context_rank: u32 = 2;
    /// Rank of an objective that falls to another machine, as if it had been tried so often.
    elsewhere_rank: u32 = 2;
    /// Objectives within this many CFG blocks of a target count as near it.
    near_target: u32 = 8;

    // The corpus of a fuzzer.

    /// Paths kept of one set of edges, the shortest: loops must not fill the corpus.
    paths_per_edges: usize = 4;
    /// Entries beyond which only those that reach new code are kept.
    max_entries: usize = 4_096;
    /// States that are kept to start from.
    max_states: usize = 512;
    /// New extremes of one slot that make a state worth keeping: a counter would go on for ever.
    max_extremes: u8 = 8;

    // Targets.

    /// After this many entries without energy in a row, the last one is mutated once.
    skipped_entries: usize = 64;
    /// Entries that are looked ahead of as soon as they are picked.
    first_looks: u64 = 128;
    /// Transactions for each further look: one at a path through a large contract takes as long as ten runs of it.
    look_interval: u64 = 512;
    /// Transactions after which the targets of a first build are proved unreachable: most are reached by then.
    late_proofs: u64 = 20_000;
}

impl Tuning {
    /// The same for test contracts, whose handlers are written to be called many times in a row with any numbers: longer walks and
    /// sequences, and fewer mutations of one call. The longest sequence was chosen on seeds 1 to 16 of the bench `invariants`.
    #[must_use]
    pub fn of_tests(&self) -> Self {
        Self { mutations_per_entry: 4, walk_weight: 60, max_walk: 32, max_depth: 48, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_is_set_by_its_name() {
        for name in Tuning::NAMES {
            let mut tuning = Tuning::default();
            assert!(tuning.set(name, 5) && tuning != Tuning::default(), "{name}");
        }
        let mut tuning = Tuning::default();
        assert!(!tuning.set("magic", 1) && !tuning.set("max_extremes", 256));
        assert_eq!(tuning, Tuning::default());
    }
}
