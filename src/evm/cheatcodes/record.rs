//! Cheatcodes that record what contracts do: reads and writes of storage, and logs.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, ignored, supported, unsupported},
    journal, returns,
};
use alloy_dyn_abi::DynSolValue;
use alloy_primitives::Log;
use std::sync::Arc;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Recordings",
    about: "",
    cheatcodes: &[
        supported("record()", "", record, "Records reads and writes of storage from now on."),
        supported("stopRecord()", "", stop_record, "Stops recording."),
        supported(
            "accesses(address)",
            "bytes32[],bytes32[]",
            accesses,
            "The slots of an account that were read and written.",
        ),
        supported("recordLogs()", "", record_logs, "Records logs from now on."),
        supported(
            "getRecordedLogs()",
            "Log[]",
            recorded_logs,
            "The logs since `recordLogs`, or since this was last called.",
        ),
        unsupported("getRecordedLogsJson()", "string", "JSON is not written"),
        unsupported("startStateDiffRecording()", "", DIFFERENCES),
        unsupported("stopAndReturnStateDiff()", "AccountAccess[]", DIFFERENCES),
        unsupported("getStateDiff()", "string", DIFFERENCES),
        unsupported("getStateDiffJson()", "string", DIFFERENCES),
        unsupported("getStorageAccesses()", "StorageAccess[]", DIFFERENCES),
        unsupported("getStorageSlots(address,string)", "uint256[]", "storage layouts are not read by tests"),
        unsupported("startMappingRecording()", "", MAPPINGS),
        unsupported("stopMappingRecording()", "", MAPPINGS),
        unsupported("getMappingLength(address,bytes32)", "uint256", MAPPINGS),
        unsupported("getMappingSlotAt(address,bytes32,uint256)", "bytes32", MAPPINGS),
        unsupported("getMappingKeyAndParentOf(address,bytes32)", "bool,bytes32,bytes32", MAPPINGS),
        unsupported("startDebugTraceRecording()", "", "single instructions are not recorded"),
        unsupported("stopAndReturnDebugTraceRecording()", "DebugStep[]", "single instructions are not recorded"),
        ignored("pauseTracing()", "", journal::nothing, "Tests cannot read traces."),
        ignored("resumeTracing()", "", journal::nothing, ""),
        ignored("breakpoint(string)", "", journal::nothing, "There is no debugger."),
        ignored("breakpoint(string,bool)", "", journal::nothing, ""),
    ],
};

const DIFFERENCES: &str = "state diffs are not recorded; use record and accesses";
const MAPPINGS: &str = "keys of mappings are not recorded";

fn record(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Arc::make_mut(&mut call.cheats.state_mut().accesses).start();
    call.cheats.records_storage = true;
    Ok(returns::nothing())
}

fn stop_record(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    if call.cheats.records_storage {
        Arc::make_mut(&mut call.cheats.state_mut().accesses).is_on = false;
        call.cheats.records_storage = false;
    }
    Ok(returns::nothing())
}

fn accesses(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let slots = call.cheats.state().accesses.of(arguments.address(0)?);
    let list = |slots: &[alloy_primitives::U256]| {
        DynSolValue::Array(slots.iter().map(|slot| DynSolValue::FixedBytes((*slot).into(), 32)).collect())
    };
    Ok(DynSolValue::Tuple(slots.map(list).into()).abi_encode_params().into())
}

fn record_logs(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Arc::make_mut(&mut call.cheats.state_mut().logs).start();
    Ok(returns::nothing())
}

fn recorded_logs(call: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    let recorded = Arc::make_mut(&mut call.cheats.state_mut().logs);
    let logs = recorded.take();
    // As in Foundry, who asks for logs has them recorded from then on.
    recorded.is_on = true;
    let value = |log: Log| {
        let topics = log.topics().iter().map(|topic| DynSolValue::FixedBytes(*topic, 32)).collect();
        DynSolValue::Tuple(vec![
            DynSolValue::Array(topics),
            DynSolValue::Bytes(log.data.data.to_vec()),
            DynSolValue::Address(log.address),
        ])
    };
    Ok(DynSolValue::Array(logs.into_iter().map(value).collect()).abi_encode().into())
}
