//! Cheatcodes on compiled contracts: their code, and new instances of them.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, Creation, supported, unsupported},
    error::CheatError,
    returns,
};
use crate::evm::cheats::Artifacts;
use alloy_primitives::{Bytes, U256};
use revm::context_interface::CreateScheme;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Compiled contracts",
    about: "A contract is named as `File.sol:Name`, as `Name`, as `File.sol`, or by the path of its artifact.",
    cheatcodes: &[
        supported("getCode(string)", "bytes", get_code, "The creation code of a contract."),
        supported("getDeployedCode(string)", "bytes", get_deployed_code, "The deployed code of a contract."),
        supported("deployCode(string)", "address", deploy, "Creates a contract."),
        supported(
            "deployCode(string,bytes)",
            "address",
            deploy_with,
            "The same with encoded arguments for the constructor.",
        ),
        supported("deployCode(string,uint256)", "address", deploy_paid, "With this much ether."),
        supported("deployCode(string,bytes,uint256)", "address", deploy_with_paid, ""),
        supported("deployCode(string,bytes32)", "address", deploy_salted, "By CREATE2, with this salt."),
        supported("deployCode(string,bytes,bytes32)", "address", deploy_with_salted, ""),
        supported("deployCode(string,uint256,bytes32)", "address", deploy_paid_salted, ""),
        supported("deployCode(string,bytes,uint256,bytes32)", "address", deploy_with_paid_salted, ""),
        unsupported("getArtifactPathByCode(bytes)", "string", "artifacts are not files"),
        unsupported("getArtifactPathByDeployedCode(bytes)", "string", "artifacts are not files"),
        unsupported("getDeployment(string)", "address", BROADCASTS),
        unsupported("getDeployment(string,uint64)", "address", BROADCASTS),
        unsupported("getDeployments(string,uint64)", "address[]", BROADCASTS),
        unsupported("getBroadcast(string,uint64,uint8)", "BroadcastTxSummary", BROADCASTS),
        unsupported("getBroadcasts(string,uint64,uint8)", "BroadcastTxSummary[]", BROADCASTS),
        unsupported("getBroadcasts(string,uint64)", "BroadcastTxSummary[]", BROADCASTS),
    ],
};

const BROADCASTS: &str = "no transaction was sent";

/// What is compiled.
fn artifacts<'a>(call: &'a CheatCall<'_>) -> Result<&'a dyn Artifacts, CheatError> {
    let none = || CheatError::Unsupported("no compiled contracts are known here".into());
    call.cheats.artifacts.as_deref().ok_or_else(none)
}

fn creation_code(call: &CheatCall<'_>, arguments: Arguments<'_>) -> Result<Bytes, CheatError> {
    artifacts(call)?.creation(&arguments.text(0)?).map_err(CheatError::new)
}

fn get_code(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    creation_code(call, arguments).map(|code| returns::bytes(&code))
}

fn get_deployed_code(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let code = artifacts(call)?.runtime(&arguments.text(0)?).map_err(CheatError::new)?;
    Ok(returns::bytes(&code))
}

/// Where in the arguments of a `deployCode` stands what.
#[derive(Clone, Copy, Default)]
struct Form {
    arguments: Option<usize>,
    value: Option<usize>,
    salt: Option<usize>,
}

/// Has a contract created in the place of the cheatcode's call.
fn create(call: &mut CheatCall<'_>, arguments: Arguments<'_>, form: Form) -> Answer {
    let mut code = creation_code(call, arguments)?;
    if let Some(index) = form.arguments {
        code = [code.as_ref(), arguments.bytes(index)?].concat().into();
    }
    if std::mem::take(&mut call.cheats.intercepts_creation) {
        return Err(CheatError::Data(code));
    }
    let value = form.value.map_or(Ok(U256::ZERO), |index| arguments.word(index))?;
    let scheme = match form.salt {
        Some(index) => CreateScheme::Create2 { salt: arguments.word(index)? },
        None => CreateScheme::Create,
    };
    let mut origin = call.machine.tx.caller;
    let mut creator = call.cheats.pranks.at(call.depth).map_or(call.caller, |prank| prank.sender);
    if let Some(broadcast) = call.cheats.broadcast.filter(|broadcast| broadcast.of == creator) {
        creator = broadcast.sender;
        origin = broadcast.sender;
    }
    call.creation = Some(Creation { creator, origin, scheme, value, code });
    Ok(returns::nothing())
}

fn deploy(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    create(call, arguments, Form::default())
}

fn deploy_with(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    create(call, arguments, Form { arguments: Some(1), ..Form::default() })
}

fn deploy_paid(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    create(call, arguments, Form { value: Some(1), ..Form::default() })
}

fn deploy_with_paid(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    create(call, arguments, Form { arguments: Some(1), value: Some(2), salt: None })
}

fn deploy_salted(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    create(call, arguments, Form { salt: Some(1), ..Form::default() })
}

fn deploy_with_salted(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    create(call, arguments, Form { arguments: Some(1), salt: Some(2), value: None })
}

fn deploy_paid_salted(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    create(call, arguments, Form { value: Some(1), salt: Some(2), arguments: None })
}

fn deploy_with_paid_salted(call: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    create(call, arguments, Form { arguments: Some(1), value: Some(2), salt: Some(3) })
}
