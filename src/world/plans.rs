//! [`Plans`] keeps how the worlds of the last build were planned, so that those of the next one are planned only where something
//! that they depend on changed. A save changes one contract of many, and trying out a large world takes longer than compiling it.

use super::{
    ground::WorldError,
    plan::Plan,
    planner::find_plan,
    tried::{Tried, TriedWorlds},
};
use crate::{
    code::Programs,
    compile::{Build, ContractId},
    project::WorldConfig,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The file and the name of a contract.
type QualifiedName = (String, String);

/// How the worlds of the last build were planned.
#[derive(Debug, Default)]
pub struct Plans {
    tried: Mutex<HashMap<QualifiedName, Vec<Arc<Tried>>>>,
}

impl Plans {
    /// Plans a world for a contract, as far as a person says what it is made of.
    ///
    /// # Errors
    ///
    /// If a library that the contract is linked to cannot be deployed, or the world cannot be as it is configured.
    pub fn plan(
        &self,
        build: &Arc<Build>,
        programs: &Arc<Programs>,
        main: ContractId,
        config: &WorldConfig,
    ) -> Result<Plan, WorldError> {
        let (file, name) = build.qualified_name(main);
        let key = (file.to_owned(), name.to_owned());
        let before = self.lock().get(&key).cloned().unwrap_or_default();
        let mut tried = TriedWorlds::after(before);
        let plan = find_plan(build, programs, main, config, &mut tried);
        self.lock().insert(key, tried.into_tried());
        plan
    }

    /// Forgets the worlds of contracts that are not in a build.
    pub fn retain(&self, build: &Build) {
        self.lock().retain(|(file, name), _| build.find_contract(file, name).is_some());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<QualifiedName, Vec<Arc<Tried>>>> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
