//! An [`Executor`] runs calls on snapshots, one at a time, and keeps what they showed until the next one.

use super::{
    instrument::{self, Machine},
    observation::{CallKind, ChildCall, Observation, Step},
    recorder::Recorder,
    snapshot::Snapshot,
    world::{Moment, START},
};
use crate::{code::Programs, compile::ContractId};
use alloy_primitives::{Address, Bytes, TxKind, U256};
use foundry_compilers::artifacts::EvmVersion;
use revm::{
    Context,
    context::{
        BlockEnv, CfgEnv, Evm, FrameStack, JournalTr, TxEnv,
        result::{EVMError, ExecutionResult, HaltReason, InvalidTransaction},
    },
    handler::{
        EthFrame, EthPrecompiles, EvmTr, FrameInitOrResult, FrameResult, FrameTr, Handler, ItemOrResult,
        MainnetHandler, evm::FrameInitResult, instructions::EthInstructions,
    },
    interpreter::{CallInputs, CallScheme, FrameInput, interpreter::EthInterpreter, interpreter_action::FrameInit},
    primitives::hardfork::SpecId,
};
use std::{convert::Infallible, sync::Arc};

/// Gas for one call. Enough for real transactions, little enough that an endless loop costs milliseconds.
pub(crate) const CALL_GAS: u64 = 10_000_000;
/// Gas for one creation: code above the size limit is deployed too.
pub(crate) const CREATE_GAS: u64 = 400_000_000;

/// Whom a call goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An account, with calldata.
    Account(Address, Bytes),
    /// Nobody yet: init code that makes a contract.
    Create(Bytes),
}

/// One transaction, ready to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// Who sends it.
    pub sender: Address,
    /// Where it goes.
    pub target: Target,
    /// With how much, in wei.
    pub value: U256,
    /// When.
    pub moment: Moment,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It came to its end.
    Success,
    /// REVERT.
    Revert,
    /// All its gas is gone: INVALID, a bad jump, or out of gas.
    Halt(HaltReason),
    /// It could not start: the sender cannot pay.
    Refused,
}

/// The end of a call.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// What it returned or reverted with.
    pub output: Bytes,
    /// The contract it made.
    pub created: Option<Address>,
    /// Gas used.
    pub gas: u64,
}

type Inner = Evm<Machine, (), EthInstructions<EthInterpreter, Machine>, EthPrecompiles, EthFrame<EthInterpreter>>;
type Error = EVMError<Infallible, InvalidTransaction>;

/// Runs calls.
pub struct Executor {
    evm: Observed,
    tape: Option<Vec<(Snapshot, Call)>>,
}

impl std::fmt::Debug for Executor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executor").finish_non_exhaustive()
    }
}

impl Executor {
    /// An executor that recognises `programs` and follows the rules of `version`.
    pub fn new(programs: Arc<Programs>, version: EvmVersion) -> Self {
        Self::build(programs, version, true)
    }

    /// An executor without instruments, to measure what they cost.
    pub fn bare(programs: Arc<Programs>, version: EvmVersion) -> Self {
        Self::build(programs, version, false)
    }

    fn build(programs: Arc<Programs>, version: EvmVersion, instruments: bool) -> Self {
        let spec = spec(version);
        let machine: Context<BlockEnv, TxEnv, CfgEnv, Snapshot> = Context::new(Snapshot::empty(START), spec);
        let mut machine: Machine = machine.with_chain(Recorder::new(programs));
        machine.cfg.disable_nonce_check = true;
        machine.cfg.disable_base_fee = true;
        machine.cfg.disable_block_gas_limit = true;
        machine.cfg.disable_eip3607 = true;
        machine.cfg.limit_contract_code_size = Some(usize::MAX);
        machine.cfg.limit_contract_initcode_size = Some(usize::MAX);
        machine.cfg.tx_gas_limit_cap = Some(u64::MAX);
        machine.cfg.tx_chain_id_check = false;
        let mut instructions = EthInstructions::new_mainnet_with_spec(spec);
        if instruments {
            instrument::install(instructions.instruction_table_mut());
        }
        let inner = Evm {
            ctx: machine,
            inspector: (),
            instruction: instructions,
            precompiles: EthPrecompiles::new(spec),
            frame_stack: FrameStack::new_prealloc(8),
        };
        Self { evm: Observed { inner, instruments }, tape: None }
    }

    /// Where contracts of the build have the same code, takes them for this one.
    pub fn prefer(&mut self, contract: ContractId) {
        self.evm.inner.ctx.chain.preferred = Some(contract);
    }

    /// Whether hashes, the calldata of calls and the trace are kept: slower, for telling what happened.
    pub fn set_detailed(&mut self, detailed: bool) {
        self.evm.inner.ctx.chain.detailed = detailed;
    }

    /// Keeps every call from now on with the state it ran on, so that the same calls can be run again elsewhere.
    pub fn start_tape(&mut self) {
        self.tape = Some(Vec::new());
    }

    /// The calls kept since [`Executor::start_tape`].
    pub fn take_tape(&mut self) -> Vec<(Snapshot, Call)> {
        self.tape.take().unwrap_or_default()
    }

    /// Runs `call` on `state`, which stays as it is.
    pub fn run(&mut self, state: &Snapshot, call: &Call) -> Outcome {
        if let Some(tape) = &mut self.tape {
            tape.push((state.clone(), call.clone()));
        }
        let ctx = &mut self.evm.inner.ctx;
        ctx.journaled_state.database = state.clone();
        // What the last call left uncommitted is dropped.
        let _ = ctx.journaled_state.finalize();
        ctx.chain.begin();
        ctx.block.timestamp = U256::from(call.moment.timestamp);
        ctx.block.number = U256::from(call.moment.number);
        let (kind, data, gas_limit) = match &call.target {
            Target::Account(address, data) => (TxKind::Call(*address), data.clone(), CALL_GAS),
            Target::Create(code) => (TxKind::Create, code.clone(), CREATE_GAS),
        };
        ctx.tx =
            TxEnv { caller: call.sender, kind, data, value: call.value, gas_limit, gas_price: 0, ..TxEnv::default() };
        let result = MainnetHandler::<_, Error, _>::default().run(&mut self.evm);
        match result {
            Ok(ExecutionResult::Success { gas, output, .. }) => Outcome {
                status: Status::Success,
                created: output.address().copied(),
                gas: gas.tx_gas_used(),
                output: output.into_data(),
            },
            Ok(ExecutionResult::Revert { gas, output, .. }) => {
                Outcome { status: Status::Revert, output, created: None, gas: gas.tx_gas_used() }
            }
            Ok(ExecutionResult::Halt { reason, gas, .. }) => {
                Outcome { status: Status::Halt(reason), output: Bytes::new(), created: None, gas: gas.tx_gas_used() }
            }
            Err(_) => Outcome { status: Status::Refused, output: Bytes::new(), created: None, gas: 0 },
        }
    }

    /// The state after the last call, at its moment.
    pub fn commit(&mut self) -> Snapshot {
        let ctx = &mut self.evm.inner.ctx;
        let moment =
            Moment { timestamp: ctx.block.timestamp.saturating_to(), number: ctx.block.number.saturating_to() };
        let changes = ctx.journaled_state.finalize();
        ctx.journaled_state.database.with(changes, moment)
    }

    /// What the last call showed.
    pub fn observation(&self) -> &Observation {
        &self.evm.inner.ctx.chain.observation
    }
}

/// The rules of an EVM version; none older than Byzantium, whose opcodes every supported solc uses.
fn spec(version: EvmVersion) -> SpecId {
    match version {
        EvmVersion::Constantinople | EvmVersion::Petersburg => SpecId::PETERSBURG,
        EvmVersion::Istanbul => SpecId::ISTANBUL,
        EvmVersion::Berlin => SpecId::BERLIN,
        EvmVersion::London => SpecId::LONDON,
        EvmVersion::Paris => SpecId::MERGE,
        EvmVersion::Shanghai => SpecId::SHANGHAI,
        EvmVersion::Cancun => SpecId::CANCUN,
        EvmVersion::Prague => SpecId::PRAGUE,
        EvmVersion::Homestead | EvmVersion::TangerineWhistle | EvmVersion::SpuriousDragon | EvmVersion::Byzantium => {
            SpecId::BYZANTIUM
        }
        _ => SpecId::OSAKA,
    }
}

/// The EVM with an eye on its frames.
struct Observed {
    inner: Inner,
    instruments: bool,
}

impl EvmTr for Observed {
    type Context = Machine;
    type Instructions = EthInstructions<EthInterpreter, Machine>;
    type Precompiles = EthPrecompiles;
    type Frame = EthFrame<EthInterpreter>;

    fn all(&self) -> (&Self::Context, &Self::Instructions, &Self::Precompiles, &FrameStack<Self::Frame>) {
        self.inner.all()
    }

    fn all_mut(
        &mut self,
    ) -> (&mut Self::Context, &mut Self::Instructions, &mut Self::Precompiles, &mut FrameStack<Self::Frame>) {
        self.inner.all_mut()
    }

    fn frame_init(
        &mut self,
        init: FrameInit,
    ) -> Result<FrameInitResult<'_, Self::Frame>, revm::context_interface::context::ContextError<Infallible>> {
        if !self.instruments {
            return self.inner.frame_init(init);
        }
        let depth = init.depth as u32;
        let opening = Opening::of(&init.frame_input, &self.inner.ctx);
        self.inner.ctx.chain.input_room -= opening.as_ref().map_or(0, |opening| opening.input.len());
        let started = match self.inner.frame_init(init)? {
            ItemOrResult::Item(_) => None,
            ItemOrResult::Result(result) => Some(result),
        };
        let recorder = &mut self.inner.ctx.chain;
        match (started, opening) {
            (None, Some(opening)) => {
                let frame = self.inner.frame_stack.get();
                let (hash, code) = match &frame.input {
                    FrameInput::Call(call) => (call.known_bytecode.0, call.known_bytecode.1.original_bytes()),
                    FrameInput::Create(create) => (create.init_code_hash(), create.init_code().clone()),
                    FrameInput::Empty => Default::default(),
                };
                let target = if opening.kind == CallKind::Create {
                    frame.interpreter.input.target_address
                } else {
                    opening.target
                };
                recorder.enter(opening.kind, depth, hash, &code, opening.caller, target, opening.value, opening.input);
                Ok(ItemOrResult::Item(self.inner.frame_stack.get()))
            }
            (None, None) => Ok(ItemOrResult::Item(self.inner.frame_stack.get())),
            (Some(result), opening) => {
                if let Some(opening) = opening {
                    let Opening { kind, caller, target, value, input } = opening;
                    let success = result.interpreter_result().result.is_ok();
                    recorder.trace(Step::CallWithoutFrame(success));
                    recorder.called(ChildCall { kind, depth, caller, target, value, input, success });
                }
                Ok(ItemOrResult::Result(result))
            }
        }
    }

    fn frame_run(
        &mut self,
    ) -> Result<FrameInitOrResult<Self::Frame>, revm::context_interface::context::ContextError<Infallible>> {
        self.inner.frame_run()
    }

    fn frame_return_result(
        &mut self,
        result: <Self::Frame as FrameTr>::FrameResult,
    ) -> Result<Option<FrameResult>, revm::context_interface::context::ContextError<Infallible>> {
        if self.instruments && self.inner.frame_stack.get().is_finished() {
            let created = match &result {
                FrameResult::Create(outcome) => outcome.address,
                FrameResult::Call(_) => None,
            };
            self.inner.ctx.chain.leave(result.interpreter_result().result.is_ok(), created);
        }
        self.inner.frame_return_result(result)
    }
}

/// How a frame is opened.
struct Opening {
    kind: CallKind,
    caller: Address,
    target: Address,
    value: U256,
    input: Bytes,
}

impl Opening {
    fn of(input: &FrameInput, machine: &Machine) -> Option<Self> {
        match input {
            FrameInput::Call(call) => Some(Self {
                kind: kind(call),
                caller: call.caller,
                target: call.bytecode_address,
                value: call.value.get(),
                input: match machine.chain.detailed.then(|| call.input.as_bytes(machine)) {
                    Some(input) if input.len() <= machine.chain.input_room => input.to_vec().into(),
                    _ => Bytes::new(),
                },
            }),
            FrameInput::Create(create) => Some(Self {
                kind: CallKind::Create,
                caller: create.caller(),
                target: Address::ZERO,
                value: create.value(),
                input: Bytes::new(),
            }),
            FrameInput::Empty => None,
        }
    }
}

fn kind(call: &CallInputs) -> CallKind {
    match call.scheme {
        CallScheme::Call => CallKind::Call,
        CallScheme::CallCode => CallKind::CallCode,
        CallScheme::DelegateCall => CallKind::Delegate,
        CallScheme::StaticCall => CallKind::Static,
    }
}
