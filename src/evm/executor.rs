//! An [`Executor`] runs calls on snapshots, one at a time. The observation of a call is available until the next one.

use super::{
    call_tree::{CallKind, CallNode},
    cheatcodes::{self, Ending, MissingCheatcode, Opened},
    cheats::{Artifacts, TEST_GAS},
    hooks::{Hooks, Machine},
    instrument,
    instruments::Instruments,
    moment::{Moment, START},
    observation::{FailureKind, Observation, TraceStep},
    outcome::{Outcome, Status},
    recorder::{FrameEnd, Recorder},
    scripted::Scripted,
    snapshot::Snapshot,
};
use crate::{
    code::{ProgramId, Programs},
    compile::ContractId,
};
use alloy_primitives::{Address, Bytes, TxKind, U256};
use foundry_compilers::artifacts::EvmVersion;
use revm::{
    Context,
    context::{
        BlockEnv, CfgEnv, Evm, FrameStack, JournalTr, TxEnv,
        result::{EVMError, ExecutionResult, InvalidTransaction},
    },
    context_interface::{context::ContextError, journaled_state::JournalCheckpoint},
    handler::{
        EthFrame, EthPrecompiles, EvmTr, FrameInitOrResult, FrameResult, FrameTr, Handler, ItemOrResult,
        MainnetHandler, evm::FrameInitResult, instructions::EthInstructions,
    },
    interpreter::interpreter_types::Jumps,
    interpreter::{
        CallScheme, CreateInputs, CreateScheme, FrameInput, InstructionResult, interpreter::EthInterpreter,
        interpreter_action::FrameInit,
    },
    primitives::hardfork::SpecId,
    state::{Account, EvmState},
};
use std::{cell::OnceCell, convert::Infallible, sync::Arc};

/// Gas limit of one call; chosen by hand. It is enough for real transactions, and an endless loop ends within milliseconds.
pub(crate) const CALL_GAS: u64 = 10_000_000;
/// Gas limit of one creation; chosen by hand. It also pays for code above the size limit, at 200 gas a byte.
pub(crate) const CREATE_GAS: u64 = 400_000_000;

/// The recipient of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallTarget {
    /// An account, with calldata.
    Account(Address, Bytes),
    /// A new contract at this address, with its init code. The address does not depend on what the same sender deployed before.
    Create(Address, Bytes),
}

/// One transaction, ready to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The sender.
    pub sender: Address,
    /// The recipient.
    pub target: CallTarget,
    /// The ether sent with it, in wei.
    pub value: U256,
    /// The block in which it runs.
    pub moment: Moment,
    /// The account of a person that is a contract during it.
    pub scripted: Option<Box<Scripted>>,
}

type Inner = Evm<Machine, (), EthInstructions<EthInterpreter, Machine>, EthPrecompiles, EthFrame<EthInterpreter>>;
type Error = EVMError<Infallible, InvalidTransaction>;

/// Runs calls.
pub struct Executor {
    evm: Observed,
    tape: Option<Vec<(Snapshot, Call)>>,
    /// The calls that it ran.
    runs: u64,
    /// The last call.
    call: Option<Call>,
    /// The state after it, once it was asked for.
    after: OnceCell<Snapshot>,
    /// Whether it came to its end.
    succeeded: bool,
    /// The gas limit of calls.
    call_gas: u64,
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
        let mut machine: Machine = machine.with_chain(Hooks { recorder: Recorder::new(programs), cheats: None });
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
        let evm = Observed { inner, instruments, creates_at: Address::ZERO };
        Self { evm, tape: None, runs: 0, call: None, after: OnceCell::new(), succeeded: false, call_gas: CALL_GAS }
    }

    /// Chooses this contract where several contracts of the build have the same code.
    pub fn prefer(&mut self, contract: ContractId) {
        self.evm.inner.ctx.chain.recorder.preferred = Some(contract);
    }

    /// Switches on these instruments, and off those that were asked for before.
    pub fn set_instruments(&mut self, instruments: &Instruments) {
        self.evm.inner.ctx.chain.recorder.set_instruments(instruments);
        if self.evm.instruments {
            let looks = instruments.arithmetic.is_some();
            let table = self.evm.inner.instruction.instruction_table_mut();
            instrument::look_at_results(table, looks);
            instrument::look_at_jumps(table, instruments.jumps);
            instrument::look_at_transient(
                table,
                instruments.contests.as_ref().is_some_and(|it| it.looks_at_transient()),
            );
        }
    }

    /// Makes the results of one instruction as near to the exact ones as their type has room for, where they do not fit it, or leaves
    /// all as they are again. It has to be among those that the instruments look at.
    pub fn saturate(&mut self, instruction: Option<(ProgramId, u32)>) {
        self.evm.inner.ctx.chain.recorder.saturates = instruction;
    }

    /// Switches cheatcodes on or off. With them, a run begins with what its state keeps of them ([`Snapshot::with_cheatcodes`]), and the
    /// state after it is at the moment to which the run moved the block.
    pub fn set_cheatcodes(&mut self, on: bool) {
        let machine = &mut self.evm.inner.ctx;
        if machine.chain.cheats.is_some() == on {
            return;
        }
        machine.chain.cheats = on.then(Box::default);
        machine.block = BlockEnv { gas_limit: if on { TEST_GAS } else { u64::MAX }, ..BlockEnv::default() };
        machine.cfg.chain_id = 1;
        let table = self.evm.inner.instruction.instruction_table_mut();
        if self.evm.instruments {
            instrument::look_for_cheatcodes::<true>(table, on);
        } else {
            instrument::look_for_cheatcodes::<false>(table, on);
        }
    }

    /// Gives tests the contracts that they can ask for by name, or none any more. Cheatcodes have to be on.
    pub fn set_artifacts(&mut self, artifacts: Option<Arc<dyn Artifacts>>) {
        if let Some(cheats) = &mut self.evm.inner.ctx.chain.cheats {
            cheats.artifacts = artifacts;
        }
    }

    /// Whether a revert that tests expect may be one of the test itself. Cheatcodes have to be on.
    pub fn allow_internal_expect_revert(&mut self, allows: bool) {
        if let Some(cheats) = &mut self.evm.inner.ctx.chain.cheats {
            cheats.allows_internal_reverts = allows;
        }
    }

    /// Whether only calls of the test contract can use cheatcodes. Cheatcodes have to be on.
    pub fn limit_cheatcodes_to_tests(&mut self, only_in_tests: bool) {
        if let Some(cheats) = &mut self.evm.inner.ctx.chain.cheats {
            cheats.only_in_tests = only_in_tests;
        }
    }

    /// Sets the gas limit of calls, which is ten million otherwise: test functions do as much as many transactions.
    pub fn set_call_gas(&mut self, gas: u64) {
        self.call_gas = gas;
    }

    /// Switches detailed runs on or off. They keep hashes, the trace, and what any instrument keeps, and are slower.
    pub fn set_detailed(&mut self, detailed: bool) {
        let recorder = &mut self.evm.inner.ctx.chain.recorder;
        recorder.detailed = detailed;
        recorder.observation.calls.keep_events(detailed);
    }

    /// Records every call from now on, with the state that it runs on, so that the same calls can be run again elsewhere.
    pub fn start_tape(&mut self) {
        self.tape = Some(Vec::new());
    }

    /// The calls kept since [`Executor::start_tape`].
    pub fn take_tape(&mut self) -> Vec<(Snapshot, Call)> {
        self.tape.take().unwrap_or_default()
    }

    /// Runs `call` on `state`, which stays as it is. The account that is a contract during it stays one afterwards.
    pub fn run(&mut self, state: &Snapshot, call: &Call) -> Outcome {
        self.runs += 1;
        if let Some(tape) = &mut self.tape {
            tape.push((state.clone(), call.clone()));
        }
        let ctx = &mut self.evm.inner.ctx;
        let scripted = call.scripted.as_deref();
        ctx.journaled_state.database = scripted.map_or_else(|| state.clone(), |scripted| state.with_scripted(scripted));
        // Drops what the last call left uncommitted.
        let _ = ctx.journaled_state.finalize();
        ctx.chain.recorder.scripted = scripted.map(|scripted| scripted.account);
        ctx.chain.recorder.begin();
        (self.call, self.after) = (Some(call.clone()), OnceCell::new());
        ctx.block.timestamp = U256::from(call.moment.timestamp);
        ctx.block.number = U256::from(call.moment.number);
        // Before Paris the same instruction reads the difficulty.
        ctx.block.difficulty = call.moment.prevrandao;
        ctx.block.prevrandao = Some(call.moment.prevrandao.into());
        ctx.block.basefee = call.moment.base_fee;
        ctx.block.beneficiary = call.moment.coinbase;
        let (kind, data, gas_limit) = match &call.target {
            CallTarget::Account(address, data) => (TxKind::Call(*address), data.clone(), self.call_gas),
            CallTarget::Create(address, code) => {
                self.evm.creates_at = *address;
                (TxKind::Create, code.clone(), CREATE_GAS)
            }
        };
        ctx.tx =
            TxEnv { caller: call.sender, kind, data, value: call.value, gas_limit, gas_price: 0, ..TxEnv::default() };
        cheatcodes::begin(ctx);
        let result = MainnetHandler::<_, Error, _>::default().run(&mut self.evm);
        self.succeeded = matches!(result, Ok(ExecutionResult::Success { .. }));
        match result {
            Ok(ExecutionResult::Success { gas, output, logs, .. }) => Outcome {
                status: Status::Success,
                created: output.address().copied(),
                gas: gas.tx_gas_used(),
                output: output.into_data(),
                logs,
            },
            Ok(ExecutionResult::Revert { gas, output, .. }) => {
                Outcome::failed(Status::Revert, output, gas.tx_gas_used())
            }
            Ok(ExecutionResult::Halt { reason, gas, .. }) => {
                Outcome::failed(Status::Halt(reason), Bytes::new(), gas.tx_gas_used())
            }
            Err(_) => Outcome::failed(Status::Refused, Bytes::new(), 0),
        }
    }

    /// The state after the last call, at its moment.
    pub fn commit(&mut self) -> Snapshot {
        if self.after.get().is_none() {
            let changes = self.evm.inner.ctx.journaled_state.finalize();
            self.after = self.with(changes).into();
        }
        self.after().clone()
    }

    /// The same without an end to the call. It is made when it is asked for first, which takes somewhat longer than a commit.
    pub fn after(&self) -> &Snapshot {
        self.after.get_or_init(|| self.with(self.evm.inner.ctx.journaled_state.state.clone()))
    }

    /// The value of a storage slot after the last call. Unlike [`after`](Self::after) it costs no more than a look.
    pub fn slot_after(&self, address: Address, slot: U256) -> U256 {
        match self.change_of(address) {
            Ok(Some(change)) if change.is_created() || change.storage.contains_key(&slot) => {
                change.storage.get(&slot).map_or(U256::ZERO, |slot| slot.present_value)
            }
            Ok(_) => self.before().slot(address, slot),
            Err(after) => after.slot(address, slot),
        }
    }

    /// The balance of an account after the last call, in wei. Unlike [`after`](Self::after) it costs no more than a look.
    pub fn balance_after(&self, address: Address) -> U256 {
        match self.change_of(address) {
            Ok(Some(change)) => change.info.balance,
            Ok(None) => self.before().balance(address),
            Err(after) => after.balance(address),
        }
    }

    /// What the last call left of an account, if it looked at it; the whole state where the journal does not have that any more.
    fn change_of(&self, address: Address) -> Result<Option<&Account>, &Snapshot> {
        let change = self.evm.inner.ctx.journaled_state.state.get(&address);
        match self.after.get() {
            Some(after) => Err(after),
            None if change.is_some_and(Account::is_selfdestructed) => Err(self.after()),
            None => Ok(change.filter(|change| change.is_touched())),
        }
    }

    /// The state before the last call.
    pub fn before(&self) -> &Snapshot {
        &self.evm.inner.ctx.journaled_state.database
    }

    /// The number of calls that it ran.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The last call; none before the first.
    pub fn call(&self) -> Option<&Call> {
        self.call.as_ref()
    }

    /// The state after the last call, which made these changes. A call that fails takes back what its cheatcodes did.
    fn with(&self, changes: EvmState) -> Snapshot {
        let (machine, before) = (&self.evm.inner.ctx, self.before());
        match machine.chain.cheats.as_deref().filter(|_| self.succeeded) {
            Some(cheats) => before.with(changes, cheatcodes::moment(machine)).with_cheats(cheats.kept()),
            None => before.with(changes, self.call.as_ref().map_or(before.moment(), |call| call.moment)),
        }
    }

    /// The observation of the last call.
    pub fn observation(&self) -> &Observation {
        &self.evm.inner.ctx.chain.recorder.observation
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

/// The EVM, with hooks where frames begin and end.
struct Observed {
    inner: Inner,
    instruments: bool,
    /// The address at which a transaction that creates a contract creates it.
    creates_at: Address,
}

impl Observed {
    /// A frame would open. Returns the end of the call, if there is none.
    fn open(&mut self, init: &mut FrameInit) -> Option<FrameResult> {
        match cheatcodes::open(&mut self.inner.ctx, init) {
            Opened::Frame => None,
            Opened::Answer(result) => Some(result),
            Opened::Missing(result, missing) => {
                if init.depth > 0 {
                    self.note_missing(missing);
                }
                Some(result)
            }
        }
    }

    /// The running frame called a cheatcode that is not there.
    fn note_missing(&mut self, MissingCheatcode { name, selector }: MissingCheatcode) {
        let caller = &self.inner.frame_stack.get().interpreter;
        // The instruction pointer has already moved on by one.
        let (pc, own) = (caller.bytecode.pc().saturating_sub(1), instrument::selector_of(caller));
        self.inner.ctx.chain.recorder.fail(FailureKind::Cheatcode { name, selector }, pc, own);
    }

    /// Opens a frame, unless its call has an answer. A call without a frame ends at once.
    fn start(
        &mut self,
        init: FrameInit,
        answer: Option<FrameResult>,
        ending: Option<Ending>,
    ) -> Result<FrameInitResult<'_, EthFrame<EthInterpreter>>, ContextError<Infallible>> {
        let depth = init.depth;
        let started = match answer {
            Some(result) => Some(result),
            None => match self.inner.frame_init(init)? {
                ItemOrResult::Item(_) => None,
                ItemOrResult::Result(result) => Some(result),
            },
        };
        match started {
            Some(mut result) => {
                if let Some(ending) = ending {
                    self.close(ending, None, &mut result);
                }
                Ok(ItemOrResult::Result(result))
            }
            None => {
                if let Some(cheats) = &mut self.inner.ctx.chain.cheats {
                    cheatcodes::enter(cheats, depth);
                }
                Ok(ItemOrResult::Item(self.inner.frame_stack.get()))
            }
        }
    }

    /// A frame or a call without one ends. Cheatcodes may change its end.
    fn close(&mut self, ending: Ending, checkpoint: Option<JournalCheckpoint>, result: &mut FrameResult) {
        let succeeded = result.interpreter_result().result.is_ok();
        cheatcodes::close(&mut self.inner.ctx, ending, result);
        if let Some(checkpoint) = checkpoint
            && succeeded
            && !result.interpreter_result().result.is_ok()
        {
            // The transaction's own call fails after all.
            self.inner.ctx.journaled_state.checkpoint_revert(checkpoint);
        }
    }
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
        mut init: FrameInit,
    ) -> Result<FrameInitResult<'_, Self::Frame>, ContextError<Infallible>> {
        if let FrameInput::Create(create) = &mut init.frame_input
            && init.depth == 0
        {
            let scheme = CreateScheme::Custom { address: self.creates_at };
            let code = create.init_code().clone();
            let (caller, value, gas, reservoir) =
                (create.caller(), create.value(), create.gas_limit(), create.reservoir());
            **create = CreateInputs::new(caller, scheme, value, code, gas, reservoir);
        }
        let cheats = self.inner.ctx.chain.cheats.is_some();
        let answer = if cheats { self.open(&mut init) } else { None };
        let ending = cheats.then(|| Ending::of(&init.frame_input, init.depth));
        if !self.instruments {
            return self.start(init, answer, ending);
        }
        let (kind, depth) = (kind(&init.frame_input), init.depth as u32);
        let machine = &self.inner.ctx;
        let call = machine.chain.recorder.keeps_calls().then(|| opened(&init.frame_input, depth, machine)).flatten();
        let started = match self.start(init, answer, ending)? {
            ItemOrResult::Item(_) => None,
            ItemOrResult::Result(result) => Some(result),
        };
        let recorder = &mut self.inner.ctx.chain.recorder;
        if let (Some(result), Some(_)) = (&started, kind) {
            let success = result.interpreter_result().result.is_ok();
            recorder.trace(TraceStep::CallWithoutFrame(success));
            if let Some(call) = call {
                let output = &result.interpreter_result().output;
                let index = recorder.open_call(call);
                index.into_iter().for_each(|index| recorder.observation.calls.close(index, success, output));
            }
        } else if let Some(kind) = kind {
            let frame = self.inner.frame_stack.get();
            let (hash, code) = match &frame.input {
                FrameInput::Call(call) => (call.known_bytecode.0, call.known_bytecode.1.original_bytes()),
                FrameInput::Create(create) => (create.init_code_hash(), create.init_code().clone()),
                FrameInput::Empty => Default::default(),
            };
            let account = frame.interpreter.input.target_address;
            let call = call.and_then(|call| match kind {
                // The address is known only now.
                CallKind::Create => recorder.open_call(CallNode { target: account, code: account, ..call }),
                _ => recorder.open_call(call),
            });
            recorder.enter(kind, depth, hash, &code, call);
        }
        match started {
            Some(result) => Ok(ItemOrResult::Result(result)),
            None => Ok(ItemOrResult::Item(self.inner.frame_stack.get())),
        }
    }

    fn frame_run(&mut self) -> Result<FrameInitOrResult<Self::Frame>, ContextError<Infallible>> {
        self.inner.frame_run()
    }

    fn frame_return_result(
        &mut self,
        mut result: <Self::Frame as FrameTr>::FrameResult,
    ) -> Result<Option<FrameResult>, ContextError<Infallible>> {
        let frame = self.inner.frame_stack.get();
        if frame.is_finished() {
            if self.instruments {
                let ended = result.interpreter_result();
                let end = match ended.result {
                    result if result.is_ok() => FrameEnd::Success,
                    InstructionResult::Revert => FrameEnd::Revert,
                    _ => FrameEnd::Halt,
                };
                self.inner.ctx.chain.recorder.leave(end, &ended.output);
            }
            if self.inner.ctx.chain.cheats.is_some() {
                let ending = Ending::of(&frame.input, frame.depth);
                let checkpoint = (frame.depth == 0).then_some(frame.checkpoint);
                self.close(ending, checkpoint, &mut result);
            }
        }
        self.inner.frame_return_result(result)
    }
}

/// A call that begins, as the call tree keeps it.
fn opened(input: &FrameInput, depth: u32, machine: &Machine) -> Option<CallNode> {
    let kind = kind(input)?;
    let (caller, target, code, value, input) = match input {
        FrameInput::Call(call) => {
            let input = call.input.as_bytes(machine);
            let has_room = machine.chain.recorder.observation.calls.has_room_for(input.len());
            let input = if has_room { input.to_vec().into() } else { Bytes::new() };
            (call.caller, call.target_address, call.bytecode_address, call.value.get(), input)
        }
        FrameInput::Create(create) => (create.caller(), Address::ZERO, Address::ZERO, create.value(), Bytes::new()),
        FrameInput::Empty => return None,
    };
    let (success, storage, logs) = Default::default();
    let output = Bytes::new();
    Some(CallNode { parent: None, depth, kind, caller, target, code, value, input, success, output, storage, logs })
}

/// How a frame is called; none for a frame of nothing.
fn kind(input: &FrameInput) -> Option<CallKind> {
    match input {
        FrameInput::Call(call) => Some(match call.scheme {
            CallScheme::Call => CallKind::Call,
            CallScheme::CallCode => CallKind::CallCode,
            CallScheme::DelegateCall => CallKind::Delegate,
            CallScheme::StaticCall => CallKind::Static,
        }),
        FrameInput::Create(_) => Some(CallKind::Create),
        FrameInput::Empty => None,
    }
}
