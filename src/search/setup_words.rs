//! Words of the setup: arguments of constructors, ether for them, and the words of calls that connect and initialize. They are
//! searched like any others. A goal that depends on one is reached from another world.

use super::{
    constraint::PathConstraint,
    objective_search::{ObjectiveSearch, Reached},
    probe::Delta,
    runner::Runner,
    variable::{Assignment, Variable},
};
use crate::{
    corpus::Objective,
    input::{CallId, CallTable, Field, FunctionId, InstanceId, Transaction},
};
use rand::seq::SliceRandom;

impl<R: Runner> ObjectiveSearch<'_, R> {
    /// Moves words of the setup by a step, and runs what that predicts. Returns whether one of them moves the objective.
    pub(super) fn search_setup(
        &mut self,
        assignment: &Assignment,
        constraint: &PathConstraint,
    ) -> Result<bool, Reached> {
        // A slot that is asked for is asked for in this world, and what is known in one context is known.
        if matches!(self.objective, Objective::StorageValue { .. } | Objective::EdgeInContext { .. }) {
            return Ok(false);
        }
        let earlier: Vec<Transaction> = self.state.last_calls(self.state.depth).into_iter().cloned().collect();
        if !self.depends_on_setup(&earlier, &assignment.transaction, constraint)? {
            return Ok(false);
        }
        let setup = self.state.setup.as_calls();
        let movable = setup.len().saturating_sub(self.runner.fixed_steps());
        let variables = self.setup_variables(&setup[..movable]);
        if variables.is_empty() {
            return Ok(false);
        }
        let assignment = Assignment { setup, earlier, ..assignment.clone() };
        let columns = self.probe_each(&assignment, constraint, variables.into_iter())?.columns;
        let moves = columns.iter().any(|column| column.at_goal.can_be_followed());
        if moves {
            self.follow(&assignment, constraint, &columns, false)?;
        }
        Ok(moves)
    }

    /// Whether the objective's operands are others in one of the worlds that are there. That is cheap to see, since their setups
    /// were run.
    fn depends_on_setup(
        &mut self,
        earlier: &[Transaction],
        transaction: &Transaction,
        constraint: &PathConstraint,
    ) -> Result<bool, Reached> {
        let mut roots = self.runner.roots().to_vec();
        roots.retain(|root| root.setup != self.state.setup);
        if roots.is_empty() {
            // Where only calls of the setup have words, there is one world, and nothing to compare.
            return Ok(true);
        }
        roots.truncate(self.tuning.compared_roots);
        for root in roots {
            self.run_from(root, earlier, transaction)?;
            let operands = self.evaluate(constraint);
            if operands.is_some_and(|operands| !Delta::between(constraint.operands, operands).is_none()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The words of a setup that are moved: those of the main instance's constructor first, then some of the others.
    fn setup_variables(&mut self, setup: &[Transaction]) -> Vec<Variable> {
        let calls = self.calls();
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for (at, call) in setup.iter().enumerate() {
            let is_main = call.call == CallId { target: InstanceId::MAIN, function: FunctionId::CONSTRUCTOR };
            let fields = call.words(&calls).into_iter().map(|(field, _)| field);
            let variables = fields.filter(|field| is_number(&calls, call, field));
            let list = if is_main { &mut first } else { &mut others };
            list.extend(variables.map(|field| Variable::Setup { at, field }));
        }
        if first.len() + others.len() > self.tuning.probed_setup_words {
            others.shuffle(self.runner.lend().rng);
        }
        first.append(&mut others);
        first.truncate(self.tuning.probed_setup_words);
        first
    }
}

/// Whether a field of a step is a word that other numbers make sense for: ether where it is taken, and arguments but for
/// lengths and contracts, which the world is made of.
fn is_number(calls: &CallTable, call: &Transaction, field: &Field) -> bool {
    let function = calls.function(call.call);
    match field {
        Field::Argument { .. } => field.leaf(function).is_some_and(|ty| !ty.is_contract()),
        Field::Value => function.is_payable(),
        _ => false,
    }
}
