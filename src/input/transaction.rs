//! A [`Transaction`] is one call of a function from outside, with its sender, its ether and the time that passes before it. It knows how
//! it becomes calldata and words. It does not know how it is chosen, and it does not execute.

use alloy_primitives::{Address, U256};

use super::calls::{CallId, CallTable, InstanceId};
use super::encode::{decode, encode};
use super::env::{BlockReads, BlockWords, EnvStep};
use super::error::InputError;
use super::interface::{Function, FunctionKind};
use super::types::Type;
use super::value::Value;
use super::words::{self, Position, Shape, ValuePart};

/// One call of a function from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    /// The instance and the function, in the [`CallTable`] that the transaction was made for.
    pub call: CallId,
    /// A value for each of its parameters.
    pub arguments: Vec<Value>,
    /// The sender.
    pub sender: Address,
    /// The ether sent with it, in wei.
    pub value: U256,
    /// The change of the chain before it.
    pub env: EnvStep,
    /// The address that is called, of an instance that a run creates; the address of the instance where it is none.
    pub at: Option<Address>,
    /// What somebody does who is called during it.
    pub reaction: Option<Box<Reaction>>,
}

/// What the account of a person does when a contract calls it during a transaction: that person is a contract then.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// Whose account it is.
    pub account: Address,
    /// What it does.
    pub deed: Deed,
    /// The word that it answers with; if none, the selector that it is called with, as the hooks of tokens want it.
    pub answer: Option<U256>,
}

impl Reaction {
    /// An account that does this, and answers with the selector that it is called with.
    #[must_use]
    pub fn new(account: Address, deed: Deed) -> Self {
        Self { account, deed, answer: None }
    }
}

/// What an account does when it is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// It reverts, each time.
    Refuse,
    /// It uses up the gas that it is called with, each time.
    BurnGas,
    /// It returns as many bytes as the gas that it is called with can pay for, each time: a returndata bomb.
    Bomb,
    /// It accepts, each time.
    Answer,
    /// It calls the contract in the way in which the transaction does, the first time.
    Repeat,
    /// It makes this call, the first time. Who sends it is the account, and no time passes before it.
    Call(Box<Transaction>),
}

/// One word-sized thing that can be chosen in a transaction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// A place in an argument.
    Argument {
        /// Which argument.
        index: u16,
        /// Where in it.
        position: Position,
    },
    /// The ether sent, in wei.
    Value,
    /// The sender.
    Sender,
    /// Seconds that pass before it.
    Seconds,
    /// Blocks that pass before it.
    Blocks,
    /// `block.prevrandao` of its block.
    Prevrandao,
    /// `block.basefee` of its block.
    BaseFee,
    /// `block.coinbase` of its block.
    Coinbase,
}

impl Transaction {
    /// A call with zeros for all that it passes, without ether, in the next block.
    #[must_use]
    pub fn with_nothing(call: CallId, sender: Address, calls: &CallTable) -> Self {
        let arguments = calls.function(call).inputs.iter().map(|input| input.ty.zero()).collect();
        Self { call, arguments, sender, value: U256::ZERO, env: EnvStep::default(), at: None, reaction: None }
    }

    /// Whether somebody who is called during it makes a call.
    #[must_use]
    pub fn calls_back(&self) -> bool {
        self.reaction.as_ref().is_some_and(|reaction| matches!(reaction.deed, Deed::Repeat | Deed::Call(_)))
    }

    /// The call that somebody makes who is called during it, if it is another one.
    #[must_use]
    pub fn call_back(&self) -> Option<&Self> {
        match &self.reaction.as_ref()?.deed {
            Deed::Call(call) => Some(call),
            Deed::Refuse | Deed::BurnGas | Deed::Bomb | Deed::Answer | Deed::Repeat => None,
        }
    }

    /// The same, to be changed.
    pub fn call_back_mut(&mut self) -> Option<&mut Self> {
        match &mut self.reaction.as_mut()?.deed {
            Deed::Call(call) => Some(call),
            Deed::Refuse | Deed::BurnGas | Deed::Bomb | Deed::Answer | Deed::Repeat => None,
        }
    }

    /// The calldata.
    #[must_use]
    pub fn calldata(&self, calls: &CallTable) -> Vec<u8> {
        let mut out = Vec::with_capacity(4 + 32 * self.arguments.len());
        self.encode_into(calls, &mut out);
        out
    }

    /// Replaces what `out` holds by the calldata: the hot path, which allocates only to grow `out`.
    pub fn encode_into(&self, calls: &CallTable, out: &mut Vec<u8>) {
        out.clear();
        let function = calls.function(self.call);
        if function.kind == FunctionKind::Fallback {
            if let Some(Value::Bytes(calldata)) = self.arguments.first() {
                out.extend_from_slice(calldata);
            }
            return;
        }
        if let Some(selector) = function.selector {
            out.extend_from_slice(&selector);
        }
        encode(&self.arguments, out);
    }

    /// The transaction that calldata for this instance describes, repaired where its arguments are malformed. Sender, ether
    /// and delay are zero: calldata does not tell them.
    ///
    /// # Errors
    ///
    /// [`InputError::UnknownCalldata`] if no function of the contract takes it.
    pub fn decode(calldata: &[u8], target: InstanceId, calls: &CallTable) -> Result<Self, InputError> {
        let function =
            calls.instance(target).interface.dispatch(calldata).ok_or_else(|| InputError::UnknownCalldata {
                field: "calldata".to_owned(),
                start: alloy_primitives::hex::encode_prefixed(&calldata[..calldata.len().min(4)]),
            })?;
        let arguments = match function.kind {
            FunctionKind::Fallback => vec![Value::Bytes(calldata.to_vec())],
            _ => decode(&function.inputs, calldata.get(4..).unwrap_or_default()),
        };
        let call = CallId { target, function: function.id };
        let (sender, value, env) = (Address::ZERO, U256::ZERO, EnvStep::default());
        Ok(Self { call, arguments, sender, value, env, at: None, reaction: None })
    }

    /// Every word that can be chosen: of the arguments, then the ether (where it is taken, or sent anyway), the sender, the time
    /// that passes, and what of the block code looks at.
    #[must_use]
    pub fn words(&self, calls: &CallTable) -> Vec<(Field, U256)> {
        let function = calls.function(self.call);
        let mut all = Vec::new();
        for (index, (value, parameter)) in (0..).zip(self.arguments.iter().zip(&function.inputs)) {
            let words = words::words(value, &parameter.ty).into_iter();
            all.extend(words.map(|(position, word)| (Field::Argument { index, position }, word)));
        }
        let ether = function.is_payable() || !self.value.is_zero();
        let others = [Field::Value, Field::Sender, Field::Seconds, Field::Blocks];
        let others =
            others.into_iter().filter(|field| *field != Field::Value || ether).chain(calls.block_reads.fields());
        all.extend(others.filter_map(|field| Some((field.clone(), self.word(&field)?))));
        all
    }

    /// Whether its arguments, or those of a call that somebody makes during it, have the address of an account.
    pub fn names(&self, account: Address, calls: &CallTable) -> bool {
        let word: U256 = account.into_word().into();
        let mut arguments = self.arguments.iter().zip(&calls.function(self.call).inputs);
        arguments.any(|(value, parameter)| words::contains(value, &parameter.ty, word))
            || self.call_back().is_some_and(|call| call.names(account, calls))
    }

    /// The word of a field, if there is such a field. Of a block that says nothing else it is what the first block says.
    #[must_use]
    pub fn word(&self, field: &Field) -> Option<U256> {
        match field {
            Field::Argument { index, position } => words::word(self.arguments.get(usize::from(*index))?, position),
            Field::Value => Some(self.value),
            Field::Sender => Some(self.sender.into_word().into()),
            Field::Seconds => Some(U256::from(self.env.seconds)),
            Field::Blocks => Some(U256::from(self.env.blocks)),
            Field::Prevrandao => Some(self.env.block.prevrandao.unwrap_or_default()),
            Field::BaseFee => Some(U256::from(self.env.block.base_fee.unwrap_or_default())),
            Field::Coinbase => Some(self.env.block.coinbase.unwrap_or_default().into_word().into()),
        }
    }

    /// Puts somebody else in the place of a person: as the sender, and wherever the arguments name them.
    pub fn put_in_place(&mut self, of: Address, person: Address, calls: &CallTable) {
        if self.sender == of {
            self.sender = person;
        }
        let [of, person]: [U256; 2] = [of, person].map(|account| account.into_word().into());
        self.replace_arguments(calls, |word| (word == of).then_some(person));
    }

    /// Puts other words in the place of those of the arguments for which there is one. Returns whether any was replaced.
    pub fn replace_arguments(&mut self, calls: &CallTable, other: impl Fn(U256) -> Option<U256>) -> bool {
        self.replace_words(calls, |field, word| matches!(field, Field::Argument { .. }).then(|| other(word)).flatten())
    }

    /// Puts other words in the place of those for which there is one. Returns whether any was replaced.
    pub fn replace_words(&mut self, calls: &CallTable, other: impl Fn(&Field, U256) -> Option<U256>) -> bool {
        let function = calls.function(self.call);
        let words = self.words(calls).into_iter();
        let replaced = words.filter_map(|(field, word)| other(&field, word).map(|other| (field, other)));
        replaced.fold(false, |any, (field, other)| self.set_word(function, &field, other) | any)
    }

    /// Sets the word of a field and nothing else, except that seconds and blocks pass together, and at least one for another word of
    /// the block; `false`, with nothing changed, where it cannot hold the word.
    /// Whether such a sender exists or can pay is [`super::Generator::set_word`]'s to know.
    pub fn set_word(&mut self, function: &Function, field: &Field, word: U256) -> bool {
        match field {
            Field::Argument { index, position } => {
                let index = usize::from(*index);
                match (self.arguments.get_mut(index), function.inputs.get(index)) {
                    (Some(value), Some(parameter)) => words::set_word(value, &parameter.ty, position, word),
                    _ => false,
                }
            }
            Field::Value => {
                self.value = word;
                true
            }
            Field::Sender => {
                let fits = word.bit_len() <= 160;
                if fits {
                    self.sender = Address::from_word(word.into());
                }
                fits
            }
            Field::Seconds => u64::try_from(word).map(|seconds| self.env = self.env.with_seconds(seconds)).is_ok(),
            Field::Blocks => u64::try_from(word).map(|blocks| self.env = self.env.with_blocks(blocks)).is_ok(),
            Field::Prevrandao => self.set_block(BlockWords { prevrandao: Some(word), ..self.env.block }),
            Field::BaseFee => u64::try_from(word)
                .is_ok_and(|fee| self.set_block(BlockWords { base_fee: Some(fee), ..self.env.block })),
            Field::Coinbase => {
                let coinbase = Some(Address::from_word(word.into()));
                word.bit_len() <= 160 && self.set_block(BlockWords { coinbase, ..self.env.block })
            }
        }
    }
}

impl Transaction {
    fn set_block(&mut self, block: BlockWords) -> bool {
        self.env = self.env.with_block(block);
        true
    }
}

impl BlockReads {
    /// The fields of a transaction that code looks at. Seconds and blocks pass for every transaction, whether it looks or not.
    pub(super) fn fields(self) -> impl Iterator<Item = Field> {
        let Self { prevrandao, base_fee, coinbase, .. } = self;
        let fields = [(Field::Prevrandao, prevrandao), (Field::BaseFee, base_fee), (Field::Coinbase, coinbase)];
        fields.into_iter().filter(|(_, is_read)| *is_read).map(|(field, _)| field)
    }
}

impl Field {
    /// How the word of this field counts; `None` where the function has no such field.
    #[must_use]
    pub fn shape(&self, function: &Function) -> Option<Shape> {
        match self {
            Self::Argument { index, position } => words::shape(&function.inputs.get(usize::from(*index))?.ty, position),
            Self::Value | Self::Prevrandao => Some(Shape::Unsigned(256)),
            Self::Sender | Self::Coinbase => Some(Shape::Unsigned(160)),
            Self::Seconds | Self::Blocks | Self::BaseFee => Some(Shape::Unsigned(64)),
        }
    }

    /// The type of the word in an argument; `None` for a length, for a part of a text, and for what is no argument of the function.
    #[must_use]
    pub fn leaf<'a>(&self, function: &'a Function) -> Option<&'a Type> {
        let Self::Argument { index, position } = self else { return None };
        let input = function.inputs.get(usize::from(*index))?;
        input.ty.leaf(&position.path).filter(|_| position.part == ValuePart::Word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calldata_of_a_call() {
        let token = CallTable::sample(&["function transfer(address to, uint256 amount)"]);
        let mut transfer = Transaction::decode(&[0xa9, 0x05, 0x9c, 0xbb], InstanceId::MAIN, &token).expect("transfer");
        transfer.arguments = vec![Value::Address(Address::repeat_byte(0x11)), Value::Uint(U256::from(258), 256)];
        let expected = [&[0xa9, 0x05, 0x9c, 0xbb][..], &[0; 12], &[0x11; 20], &[0; 30], &[1, 2]].concat();
        assert_eq!(transfer.calldata(&token), expected);
        assert_eq!(Transaction::decode(&expected, InstanceId::MAIN, &token), Ok(transfer));
    }

    #[test]
    fn unknown_calldata_is_an_error() {
        let token = CallTable::sample(&["function transfer(address to, uint256 amount)"]);
        let error = Transaction::decode(&[1, 2], InstanceId::MAIN, &token).map_err(|e| e.to_string());
        let expected = "calldata: no function of this contract takes calldata that starts with `0x0102`";
        assert_eq!(error, Err(expected.to_owned()));
    }
}
