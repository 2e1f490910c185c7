//! What a person says about a world, in `[world.CONTRACT]` of `bellwether.toml`: which contract is used for which parameter.
//! Whatever of it cannot be is an error: a world that differs from what was asked for is none.

use super::{
    ground::WorldError,
    wanted_type::{exactly, stand_in_for},
};
use crate::{
    compile::{Build, ContractId},
    input::{Function, Interface, Parameter, Type},
    project::{Config, ProjectWarning, WorldConfig, Written, suggestion},
};
use std::collections::BTreeSet;

/// The text that asks for a stand-in.
const STAND_IN: &str = "stand-in";

impl WorldError {
    pub(super) fn configured(config: &WorldConfig, written: &Written, problem: String) -> Self {
        Self::Configured { place: config.place(written), problem }
    }
}

/// The worlds in a configuration of contracts that the build does not have.
pub fn unknown_contracts(build: &Build, config: &Config) -> Vec<ProjectWarning> {
    let names: BTreeSet<&str> = build.contracts.iter().map(|contract| contract.name.as_str()).collect();
    // What does not compile now may be there with the next build.
    let is_unknown = |name: &&String| build.failed.is_empty() && !names.contains(name.as_str());
    let unknown = config.world.iter().filter(|(name, _)| is_unknown(name));
    unknown
        .map(|(name, world)| ProjectWarning {
            file: world.file.clone(),
            line: world.line,
            message: format!(
                "`world.{name}`: the project has no contract of this name, so it is ignored{}",
                suggestion(name, names.iter().copied())
            ),
        })
        .collect()
}

/// Checks that the parameters and the contracts that a configuration names exist.
pub(super) fn check(build: &Build, main: ContractId, config: &WorldConfig) -> Result<(), WorldError> {
    let contract = build.contract(main);
    let interface = Interface::new(&contract.abi, &|_| None);
    let all = build.contracts.iter().filter(|it| it.is_deployable() && !config.parameters.is_empty());
    let deployable: Vec<&str> = all.map(|it| it.name.as_str()).collect();
    for (name, written) in &config.parameters {
        let error = |problem: String| Err(WorldError::configured(config, written, problem));
        let Some(ty) = parameter(&interface, name) else {
            let meant = suggestion(name, parameter_names(&interface).iter().map(String::as_str));
            return error(format!("no function of {} has a parameter `{name}`{meant}", contract.name));
        };
        let Some(leaf) = address_of(&ty.ty) else {
            return error(format!("`{name}` of {} is not a contract, but of type `{}`", contract.name, ty.ty));
        };
        if written.text == STAND_IN {
            if *leaf == Type::Address {
                let problem = "is a plain `address`: what it has to answer is not known";
                return error(format!("`{name}` of {} {problem}; name a contract", contract.name));
            }
        } else if !deployable.contains(&written.text.as_str()) {
            let problem = "the build has no contract of this name that can be deployed";
            let meant = suggestion(&written.text, deployable.iter().copied());
            return error(format!("`{}` for `{name}`: {problem}{meant}", written.text));
        }
    }
    Ok(())
}

/// The names of the parameters of all functions.
fn parameter_names(interface: &Interface) -> Vec<String> {
    let functions = [&interface.constructor].into_iter().chain(&interface.functions);
    let inputs = functions.flat_map(|function| &function.inputs).filter(|input| !input.name.is_empty());
    inputs.map(|input| input.name.clone()).collect()
}

/// The parameter of this name, of the constructor, a function, or a struct that one of them takes.
fn parameter(interface: &Interface, name: &str) -> Option<Parameter> {
    fn inside(parameters: &[Parameter], name: &str) -> Option<Parameter> {
        let find = |parameter: &Parameter| match &parameter.ty {
            _ if parameter.name == name => Some(parameter.clone()),
            Type::Tuple { fields, .. } => inside(fields, name),
            Type::Array(inner) | Type::FixedArray(inner, _) => match &**inner {
                Type::Tuple { fields, .. } => inside(fields, name),
                _ => None,
            },
            _ => None,
        };
        parameters.iter().find_map(find)
    }
    let functions = [&interface.constructor].into_iter().chain(&interface.functions);
    functions.into_iter().find_map(|function: &Function| inside(&function.inputs, name))
}

/// The type of the addresses in a list, or of the address itself.
fn address_of(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Array(inner) | Type::FixedArray(inner, _) => address_of(inner),
        _ => ty.is_address().then_some(ty),
    }
}

/// The type that an address gets instead of its own, by the name of the parameter or member.
pub(super) fn type_of(config: &WorldConfig, name: &str, ty: &Type) -> Option<String> {
    match (config.parameters.get(name)?.text.as_str(), ty) {
        (STAND_IN, Type::Contract { name, .. }) => Some(stand_in_for(name)),
        (STAND_IN, _) => None,
        (contract, _) => Some(exactly(contract)),
    }
}

/// The error of a contract that is asked for and cannot be deployed, if it is asked for.
pub(super) fn refused(build: &Build, contract: ContractId, config: &WorldConfig) -> Option<WorldError> {
    let name = &build.contract(contract).name;
    let (parameter, written) = config.parameters.iter().find(|(_, written)| written.text == *name)?;
    let problem = format!("`{name}` for `{parameter}`: its constructor refuses what it was given");
    Some(WorldError::configured(config, written, problem))
}
