//! A [`Variable`] is one word that a run depends on and that can be set: a field of the transaction, of what somebody does who is called
//! during it, of an earlier one or of a step of the setup, or a part of a storage slot. It defines the numbers that the word can take and
//! how to set it, so that a solution in numbers can be run.

use crate::{
    corpus::State,
    evm::Snapshot,
    input::{CallTable, Field, Generator, Shape, Transaction},
    solve::{Integer, StepRange, mask, signed, unsigned, word},
};
use alloy_primitives::{Address, U256};

/// A word that the search can set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Variable {
    /// A field of the transaction.
    Field(Field),
    /// A field of an earlier transaction: 0 is the first of those in the assignment.
    Earlier { at: usize, field: Field },
    /// A field of the call that somebody makes who is called during the transaction.
    CallBack(Field),
    /// The word that somebody answers with who is called during the transaction.
    Answer,
    /// A field of a step of the setup.
    Setup { at: usize, field: Field },
    /// Of the state: `bits` bits of a slot, `shift` bits from its right end.
    Storage { address: Address, slot: U256, shift: usize, bits: usize },
}

/// The transactions and the state in which variables are set.
#[derive(Debug, Clone)]
pub(super) struct Assignment {
    /// The steps of the setup, as calls, in which variables are set as well; empty if the setup stays as it is. Then all
    /// earlier transactions follow, since they run in another world.
    pub(super) setup: Vec<Transaction>,
    /// Earlier transactions in which variables are set as well; empty if the state stays as it is.
    pub(super) earlier: Vec<Transaction>,
    pub(super) transaction: Transaction,
    pub(super) snapshot: Snapshot,
}

impl Assignment {
    /// The unchanged transaction on its state.
    pub(super) fn new(transaction: &Transaction, state: &State) -> Self {
        let (setup, earlier) = (Vec::new(), Vec::new());
        Self { setup, earlier, transaction: transaction.clone(), snapshot: state.snapshot.clone() }
    }

    /// The words of the transaction, and of what somebody does who is called during it.
    pub(super) fn words(&self, calls: &CallTable) -> Vec<(Variable, U256)> {
        let own = self.transaction.words(calls).into_iter().map(|(field, word)| (Variable::Field(field), word));
        let call_back = self.transaction.call_back().map(|call| call.words(calls)).unwrap_or_default().into_iter();
        let is_chosen = |field: &Field| matches!(field, Field::Argument { .. } | Field::Value);
        let call_back = call_back.filter(|(field, _)| is_chosen(field));
        let call_back = call_back.map(|(field, word)| (Variable::CallBack(field), word));
        let answer = self.answer().map(|word| (Variable::Answer, word));
        own.chain(call_back).chain(answer).collect()
    }

    fn answer(&self) -> Option<U256> {
        self.transaction.reaction.as_ref()?.answer
    }
}

impl Variable {
    /// The current number of the variable.
    pub(super) fn number(&self, assignment: &Assignment, calls: &CallTable) -> Option<Integer> {
        if let Self::Storage { address, slot, shift, bits } = self {
            return Some(unsigned((assignment.snapshot.slot(*address, *slot) >> *shift) & mask(*bits)));
        }
        if matches!(self, Self::Answer) {
            return assignment.answer().map(unsigned);
        }
        let (field, transaction) = self.field(assignment)?;
        let word = transaction.word(field)?;
        Some(match field.shape(calls.function(transaction.call))? {
            Shape::Signed(_) => signed(word),
            Shape::Left(bytes) => unsigned(word >> (256 - 8 * bytes)),
            Shape::Unsigned(_) | Shape::Length(_) => unsigned(word),
        })
    }

    /// Sets the variable; `false`, with nothing changed, if it cannot be this number.
    pub(super) fn set(&self, assignment: &mut Assignment, generator: &Generator, number: Integer) -> bool {
        let Some((lowest, highest)) = self.bounds(assignment, &generator.calls) else { return false };
        if number < lowest || highest < number {
            return false;
        }
        // 256 bits hold every number within the bounds.
        let word = word(number);
        let field = self.field(assignment);
        let word = match field.and_then(|(field, call)| field.shape(generator.calls.function(call.call))) {
            Some(Shape::Left(bytes)) => word << (256 - 8 * bytes),
            _ => word,
        };
        self.set_word(assignment, generator, word)
    }

    /// Sets the word of the variable; `false`, with nothing changed, if it cannot be this one.
    pub(super) fn set_word(&self, assignment: &mut Assignment, generator: &Generator, word: U256) -> bool {
        let (field, transaction) = match self {
            Self::Field(field) => (field, &mut assignment.transaction),
            Self::Earlier { at, field } => (field, &mut assignment.earlier[*at]),
            Self::Setup { at, field } => (field, &mut assignment.setup[*at]),
            Self::CallBack(field) => match assignment.transaction.call_back_mut() {
                Some(call) => (field, call),
                None => return false,
            },
            Self::Answer => {
                let reaction = assignment.transaction.reaction.as_mut();
                return reaction.map(|reaction| reaction.answer = Some(word)).is_some();
            }
            Self::Storage { address, slot, shift, bits } => {
                let rest = assignment.snapshot.slot(*address, *slot) & !(mask(*bits) << *shift);
                assignment.snapshot = assignment.snapshot.with_slot(*address, *slot, rest | (word << *shift));
                return true;
            }
        };
        generator.set_word(transaction, field, word)
    }

    /// The distances by which it can move from a number, in both directions.
    pub(super) fn span(&self, number: Integer, assignment: &Assignment, calls: &CallTable) -> Option<StepRange> {
        let (lowest, highest) = self.bounds(assignment, calls)?;
        Some(StepRange { lowest: lowest - number, highest: highest - number })
    }

    /// The lowest and the highest number.
    fn bounds(&self, assignment: &Assignment, calls: &CallTable) -> Option<(Integer, Integer)> {
        let power = |bits: usize| -> Integer { Integer::ONE << bits };
        if let Self::Storage { bits, .. } = self {
            return Some((Integer::ZERO, power(*bits) - Integer::ONE));
        }
        if matches!(self, Self::Answer) {
            return Some((Integer::ZERO, power(256) - Integer::ONE));
        }
        let (field, transaction) = self.field(assignment)?;
        Some(match field.shape(calls.function(transaction.call))? {
            Shape::Unsigned(bits) => (Integer::ZERO, power(bits) - Integer::ONE),
            Shape::Signed(bits) => (-power(bits - 1), power(bits - 1) - Integer::ONE),
            Shape::Left(bytes) => (Integer::ZERO, power(8 * bytes) - Integer::ONE),
            Shape::Length(most) => (Integer::ZERO, unsigned(U256::from(most))),
        })
    }

    /// The field, and the transaction that it belongs to.
    fn field<'a>(&'a self, assignment: &'a Assignment) -> Option<(&'a Field, &'a Transaction)> {
        match self {
            Self::Field(field) => Some((field, &assignment.transaction)),
            Self::Earlier { at, field } => Some((field, assignment.earlier.get(*at)?)),
            Self::Setup { at, field } => Some((field, assignment.setup.get(*at)?)),
            Self::CallBack(field) => Some((field, assignment.transaction.call_back()?)),
            Self::Storage { .. } | Self::Answer => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evm::Moment,
        input::{CallId, Deed, Position, Reaction, ValuePart},
    };
    use std::sync::Arc;

    fn assignment(generator: &Generator) -> Assignment {
        let function = &generator.calls.main().interface.functions[0];
        let transaction = Transaction {
            call: CallId::main(function.id),
            arguments: function.inputs.iter().map(|parameter| parameter.ty.zero()).collect(),
            sender: Address::ZERO,
            value: U256::ZERO,
            env: Default::default(),
            at: None,
            reaction: None,
        };
        let (setup, earlier) = (Vec::new(), Vec::new());
        Assignment { setup, earlier, transaction, snapshot: Snapshot::empty(Moment::new(1, 1)) }
    }

    fn argument(index: u16) -> Variable {
        Variable::Field(Field::Argument { index, position: Position { path: vec![], part: ValuePart::Word } })
    }

    #[test]
    fn a_number_is_held_or_refused_at_the_edges_of_its_type() {
        let calls = CallTable::sample(&["function f(uint256 a, int256 b, uint8 c, bytes4 d, bool e)"]);
        let generator = Generator::new(Arc::new(calls), vec![], vec![]);
        let power = |bits: usize| -> Integer { Integer::ONE << bits };
        let one = Integer::ONE;
        for (index, number, holds) in [
            (0, power(256) - one, true),
            (0, power(256), false),
            (0, -one, false),
            (1, -power(255), true),
            (1, -power(255) - one, false),
            (1, power(255) - one, true),
            (1, power(255), false),
            (2, power(8) - one, true),
            (2, power(8), false),
            (3, power(32) - one, true),
            (3, power(32), false),
            (4, one, true),
            (4, one + one, false),
        ] {
            let mut assignment = assignment(&generator);
            assert_eq!(argument(index).set(&mut assignment, &generator, number), holds, "{index}: {number}");
            let expected = if holds { number } else { Integer::ZERO };
            assert_eq!(argument(index).number(&assignment, &generator.calls), Some(expected));
            let span = argument(index).span(expected, &assignment, &generator.calls).unwrap();
            assert!(!span.lowest.is_positive() && !span.highest.is_negative());
        }
    }

    #[test]
    fn a_part_of_a_slot_is_set_and_the_rest_stays() {
        let generator = Generator::new(Arc::new(CallTable::sample(&["function f()"])), vec![], vec![]);
        let (address, slot) = (Address::repeat_byte(7), U256::from(3));
        let mut assignment = assignment(&generator);
        assignment.snapshot = assignment.snapshot.with_slot(address, slot, U256::from(0x11_2233));
        let part = Variable::Storage { address, slot, shift: 8, bits: 8 };
        assert_eq!(part.number(&assignment, &generator.calls), Some(unsigned(U256::from(0x22))));
        assert!(part.set(&mut assignment, &generator, unsigned(U256::from(0xab))));
        assert_eq!(assignment.snapshot.slot(address, slot), U256::from(0x11_ab33));
        assert!(!part.set(&mut assignment, &generator, unsigned(U256::from(0x100))));
    }

    #[test]
    fn the_words_of_a_call_back_and_an_answer_are_set_like_others() {
        let calls = CallTable::sample(&["function lend()", "function settle(uint256 code, bytes4 mark)"]);
        let generator = Generator::new(Arc::new(calls), vec![], vec![]);
        let [lend, settle] = [0, 1].map(|index| CallId::main(generator.calls.main().interface.functions[index].id));
        let account = Address::repeat_byte(7);
        let call_back = Transaction::with_nothing(settle, account, &generator.calls);
        let deed = Deed::Call(Box::new(call_back));
        let reaction = Some(Box::new(Reaction { account, deed, answer: Some(U256::from(5)) }));
        let (setup, earlier) = (Vec::new(), Vec::new());
        let transaction = Transaction { reaction, ..Transaction::with_nothing(lend, account, &generator.calls) };
        let mut assignment = Assignment { setup, earlier, transaction, snapshot: Snapshot::empty(Moment::new(1, 1)) };
        let word = |index| Field::Argument { index, position: Position { path: vec![], part: ValuePart::Word } };
        let [code, mark] = [0, 1].map(|index| Variable::CallBack(word(index)));
        for (variable, number) in [(&code, 771_109_u64), (&mark, 0x1234_5678), (&Variable::Answer, 9)] {
            let number = unsigned(U256::from(number));
            assert!(variable.set(&mut assignment, &generator, number));
            assert_eq!(variable.number(&assignment, &generator.calls), Some(number));
        }
        let words: Vec<(Variable, U256)> = assignment.words(&generator.calls);
        let mark_word = U256::from(0x1234_5678) << 224;
        let set = [(code, U256::from(771_109)), (mark, mark_word), (Variable::Answer, U256::from(9))];
        assert_eq!(words[words.len() - 3..], set);
        assignment.transaction.reaction = None;
        assert!(!Variable::Answer.set(&mut assignment, &generator, Integer::ONE));
        assert!(set.iter().all(|(variable, _)| variable.number(&assignment, &generator.calls).is_none()));
    }
}
