//! An [`AbstractState`] is what is known of a frame at one point: its stack, memory and storage, and facts about words that are
//! not constant (`caller == owner` is 1). The join of two states holds what is true in both.

use super::{
    domain::{Expression, Inputs, Word, Words, is_commutative},
    memory::Memory,
    slots::AbstractStorage,
};
use alloy_primitives::{U256, map::HashMap};
use revm::bytecode::opcode;

/// Facts that are kept of one state; chosen by hand.
const MAX_FACTS: usize = 64;
/// Words that the stack of the EVM can hold.
const MAX_STACK: usize = 1024;

/// The known part of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct AbstractState {
    /// The stack, the top last. Its height is always known.
    pub(super) stack: Vec<Word>,
    pub(super) memory: Memory,
    pub(super) storage: AbstractStorage,
    pub(super) transient: AbstractStorage,
    /// The result of RETURNDATASIZE.
    pub(super) returned: Word,
    /// The constants that words are known to be equal to, sorted by word.
    facts: Vec<(Word, Word)>,
    /// The next unused name.
    names: u32,
}

impl AbstractState {
    /// The state at the beginning of a frame, of whose surroundings nothing is known.
    pub(super) fn entry(words: &mut Words) -> Self {
        Self {
            stack: Vec::new(),
            memory: Memory::empty(),
            storage: AbstractStorage::fresh(),
            transient: AbstractStorage::fresh(),
            returned: words.known(U256::ZERO),
            facts: Vec::new(),
            names: 0,
        }
    }

    /// A word of which nothing is known.
    pub(super) fn any(&mut self, words: &mut Words) -> Word {
        self.names += 1;
        words.any(self.names - 1)
    }

    /// Pops the top of the stack; `None` if it is empty.
    pub(super) fn pop(&mut self) -> Option<Word> {
        self.stack.pop()
    }

    /// Pushes a word; `None` if the stack is full.
    pub(super) fn push(&mut self, word: Word) -> Option<()> {
        (self.stack.len() < MAX_STACK).then(|| self.stack.push(word))
    }

    /// The result of an opcode on these words, simplified by all known facts.
    pub(super) fn make(&mut self, words: &mut Words, byte: u8, inputs: Inputs) -> Word {
        match self.try_make(words, byte, inputs) {
            Some(word) => word,
            None => self.any(words),
        }
    }

    /// The same; `None` instead of a new name if the result would be too large.
    pub(super) fn try_make(&self, words: &mut Words, byte: u8, inputs: Inputs) -> Option<Word> {
        let inputs = inputs.map(|word| self.resolve(words, word));
        let made = words.make(byte, inputs)?;
        Some(self.fact(made).unwrap_or(made))
    }

    /// The simplest form of a word, by all facts about it and its parts.
    pub(super) fn resolve(&self, words: &mut Words, word: Word) -> Word {
        if self.facts.is_empty() {
            return word;
        }
        if let Some(known) = self.fact(word) {
            return known;
        }
        match words.node(word) {
            Expression::Made(byte, inputs) => {
                let resolved = inputs.map(|input| self.resolve(words, input));
                if resolved == inputs {
                    return word;
                }
                let made = words.make(byte, resolved).unwrap_or(word);
                self.fact(made).unwrap_or(made)
            }
            Expression::Known(_) | Expression::Any(_) => word,
        }
    }

    /// The constant that a word is equal to.
    pub(super) fn value(&self, words: &mut Words, word: Word) -> Option<U256> {
        let word = self.resolve(words, word);
        words.value(word)
    }

    /// The constant that a word is, if it fits: an offset or a length.
    pub(super) fn small(&self, words: &mut Words, word: Word) -> Option<u32> {
        let word = self.resolve(words, word);
        words.small(word)
    }

    fn fact(&self, word: Word) -> Option<Word> {
        self.facts.binary_search_by_key(&word, |(word, _)| *word).ok().map(|at| self.facts[at].1)
    }

    /// Notes that `word` is the constant `known`. Forgetting is allowed: an old comparison makes room.
    pub(super) fn note(&mut self, words: &Words, word: Word, known: Word) {
        if self.facts.len() >= MAX_FACTS {
            match self.facts.iter().position(|(old, _)| words.is_flag(*old)) {
                Some(at) => {
                    self.facts.remove(at);
                }
                None => return,
            }
        }
        match self.facts.binary_search_by_key(&word, |(word, _)| *word) {
            Ok(at) => self.facts[at].1 = known,
            Err(at) => self.facts.insert(at, (word, known)),
        }
    }

    /// The same state with its names numbered by position, and without facts that only a longer memory would need: two states
    /// that know the same are equal.
    pub(super) fn canonical(&self, words: &mut Words) -> Self {
        let mut names = Renaming { state: self, given: HashMap::default(), count: 0 };
        let stack = self.stack.iter().map(|word| names.rename(words, *word)).collect();
        let memory = self.memory.map(|word| names.rename(words, word));
        let slots = |slots: &AbstractStorage, words: &mut Words, names: &mut Renaming<'_>| {
            let constant: Vec<bool> = slots.words().iter().map(|(slot, _)| words.value(*slot).is_some()).collect();
            let mut constant = constant.into_iter();
            slots.map(|_| constant.next().unwrap_or_default(), |word| names.rename(words, word))
        };
        let storage = slots(&self.storage, words, &mut names);
        let transient = slots(&self.transient, words, &mut names);
        let returned = names.rename(words, self.returned);
        let mut facts: Vec<(Word, Word)> = Vec::with_capacity(self.facts.len());
        for (word, known) in &self.facts {
            // Words that are nowhere in the state need no facts.
            if let Some(renamed) = names.renamed(words, *word)
                && words.value(renamed).is_none()
            {
                facts.push((renamed, *known));
            }
        }
        facts.sort_unstable();
        facts.dedup_by_key(|(word, _)| *word);
        let count = names.count;
        Self { stack, memory, storage, transient, returned, facts, names: count }
    }

    /// The facts that hold in both of two canonical states with stacks of equal height.
    pub(super) fn join(&self, other: &Self, words: &mut Words) -> Self {
        let mut pairs = Pairs { given: HashMap::default(), count: 0 };
        let stack = self.stack.iter().zip(&other.stack).map(|(a, b)| pairs.join(words, *a, *b)).collect();
        let zero = words.known(U256::ZERO);
        let memory = self.memory.join(&other.memory, zero, |a, b| pairs.join(words, a, b));
        let storage = self.storage.join(&other.storage, words, opcode::SLOAD, |words, a, b| pairs.join(words, a, b));
        let transient =
            self.transient.join(&other.transient, words, opcode::TLOAD, |words, a, b| pairs.join(words, a, b));
        let returned = pairs.join(words, self.returned, other.returned);
        let mut facts = Vec::new();
        for (word, known) in &self.facts {
            let kept = if words.is_closed(*word) {
                (other.resolve(words, *word) == *known).then_some(*word)
            } else {
                let like = |(there, value): &&(Word, Word)| value == known && !words.is_closed(*there);
                let alike: Vec<Word> = other.facts.iter().filter(like).map(|(there, _)| *there).collect();
                let joined = alike.into_iter().find_map(|there| pairs.joined(words, *word, there));
                joined.filter(|word| words.value(*word).is_none())
            };
            facts.extend(kept.map(|word| (word, *known)));
        }
        facts.sort_unstable();
        facts.dedup_by_key(|(word, _)| *word);
        Self { stack, memory, storage, transient, returned, facts, names: pairs.count }
    }

    /// The state reduced to constants on the stack, so that repeated joins reach a fixpoint.
    pub(super) fn coarse(&self, words: &mut Words) -> Self {
        let mut coarse = Self::entry(words);
        coarse.memory.forget_all();
        coarse.storage.forget();
        coarse.transient.forget();
        coarse.returned = coarse.any(words);
        for word in &self.stack {
            let kept = if words.value(*word).is_some() { *word } else { coarse.any(words) };
            coarse.stack.push(kept);
        }
        coarse.canonical(words)
    }
}

/// New names for the names of a state.
struct Renaming<'a> {
    state: &'a AbstractState,
    given: HashMap<Word, Word>,
    count: u32,
}

impl Renaming<'_> {
    fn rename(&mut self, words: &mut Words, word: Word) -> Word {
        let word = self.state.resolve(words, word);
        self.given_to(words, word)
    }

    fn given_to(&mut self, words: &mut Words, word: Word) -> Word {
        if words.is_closed(word) {
            return word;
        }
        if let Some(given) = self.given.get(&word) {
            return *given;
        }
        let given = match words.node(word) {
            Expression::Made(byte, inputs) => {
                let inputs = inputs.map(|input| self.given_to(words, input));
                words.make(byte, inputs).unwrap_or(word)
            }
            Expression::Any(_) | Expression::Known(_) => {
                self.count += 1;
                words.any(self.count - 1)
            }
        };
        self.given.insert(word, given);
        given
    }

    /// The word with its new names, if all of them were given already.
    fn renamed(&self, words: &mut Words, word: Word) -> Option<Word> {
        if words.is_closed(word) {
            return Some(word);
        }
        if let Some(given) = self.given.get(&word) {
            return Some(*given);
        }
        let Expression::Made(byte, inputs) = words.node(word) else { return None };
        let inputs = try_map(inputs, |input| self.renamed(words, input))?;
        words.make(byte, inputs)
    }
}

/// Pairs of words, one of each state, and their common name.
struct Pairs {
    given: HashMap<(Word, Word), Word>,
    count: u32,
}

impl Pairs {
    /// The most special word that both are.
    fn join(&mut self, words: &mut Words, a: Word, b: Word) -> Word {
        if a == b && words.is_closed(a) {
            return a;
        }
        if let Some(joined) = self.joined(words, a, b) {
            return joined;
        }
        let joined = match (words.node(a), words.node(b)) {
            (Expression::Made(x, left), Expression::Made(y, right)) if x == y => {
                let inputs = match (left, right) {
                    (Inputs::One(a), Inputs::One(b)) => Inputs::One(self.join(words, a, b)),
                    (Inputs::Two(a, c), Inputs::Two(b, d)) => {
                        let first = self.join(words, a, b);
                        Inputs::Two(first, self.join(words, c, d))
                    }
                    _ => left,
                };
                words.make(x, inputs)
            }
            _ => None,
        };
        let joined = joined.unwrap_or_else(|| {
            self.count += 1;
            words.any(self.count - 1)
        });
        self.given.insert((a, b), joined);
        joined
    }

    /// The same, if it needs no new name.
    fn joined(&self, words: &mut Words, a: Word, b: Word) -> Option<Word> {
        if a == b && words.is_closed(a) {
            return Some(a);
        }
        if let Some(joined) = self.given.get(&(a, b)) {
            return Some(*joined);
        }
        let (Expression::Made(x, left), Expression::Made(y, right)) = (words.node(a), words.node(b)) else {
            return None;
        };
        let inputs = match (left, right) {
            (Inputs::One(a), Inputs::One(b)) if x == y => Inputs::One(self.joined(words, a, b)?),
            (Inputs::Two(a, c), Inputs::Two(b, d)) if x == y => {
                let mut both = |b, d| Some((self.joined(words, a, b)?, self.joined(words, c, d)?));
                // Which of two inputs comes first has no meaning where it makes no difference.
                let swapped = is_commutative(x);
                let (first, second) = both(b, d).or_else(|| if swapped { both(d, b) } else { None })?;
                Inputs::Two(first, second)
            }
            _ => return None,
        };
        words.make(x, inputs)
    }
}

fn try_map(inputs: Inputs, mut f: impl FnMut(Word) -> Option<Word>) -> Option<Inputs> {
    Some(match inputs {
        Inputs::None => Inputs::None,
        Inputs::One(a) => Inputs::One(f(a)?),
        Inputs::Two(a, b) => {
            let a = f(a)?;
            Inputs::Two(a, f(b)?)
        }
    })
}
