//! An [`Interface`] lists the functions of a contract, from its ABI: named functions in a fixed order, `receive` and
//! `fallback`, and the constructor. It does not know addresses, code or storage, and it holds no values.

use alloy_json_abi::{JsonAbi, Param, StateMutability};

use super::types::{Parameter, Type};

/// The index of a function in its [`Interface`]. It is meaningless in another one; see [`super::Adaptation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u16);

impl FunctionId {
    /// The id of the constructor.
    pub const CONSTRUCTOR: Self = Self(u16::MAX);
}

/// The kind of a function, by which its calldata is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// A named function: selector, then arguments.
    Function,
    /// The constructor: arguments after the creation code.
    Constructor,
    /// `receive`: no calldata.
    Receive,
    /// `fallback`: its one hidden argument of type `bytes` is the calldata itself.
    Fallback,
    /// What a stand-in answers from now on to calls of a function: its selector, then what it returns.
    Answer,
}

/// The effect that a function may have on the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutability {
    /// Reads nothing.
    Pure,
    /// Reads only.
    View,
    /// Writes, and refuses ether.
    NonPayable,
    /// Writes, and takes ether.
    Payable,
}

/// A function of a contract, in the wider sense of [`FunctionKind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its index in [`Interface::functions`].
    pub id: FunctionId,
    /// Its name; `constructor`, `receive` and `fallback` for those.
    pub name: String,
    /// Its canonical signature: `deposit(uint256)`, `constructor(address)`, `receive()`, `fallback()`.
    pub signature: String,
    /// The first four bytes of its calldata, for named functions.
    pub selector: Option<[u8; 4]>,
    /// Its parameters.
    pub inputs: Vec<Parameter>,
    /// The values that it returns; empty where they have no ABI type.
    pub outputs: Vec<Parameter>,
    /// Its effect on the state.
    pub mutability: Mutability,
    /// Its kind.
    pub kind: FunctionKind,
}

impl Function {
    /// Whether a call may change state, so that it can stand before the last call of a sequence.
    #[must_use]
    pub fn can_change_state(&self) -> bool {
        !matches!(self.mutability, Mutability::Pure | Mutability::View)
    }

    /// Whether it takes ether.
    #[must_use]
    pub fn is_payable(&self) -> bool {
        self.mutability == Mutability::Payable
    }
}

/// The functions of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Functions by name and signature, then `receive`, then `fallback`.
    pub functions: Vec<Function>,
    /// The constructor; without parameters where the source has none.
    pub constructor: Function,
    /// Signatures of functions that cannot be called: a parameter has no ABI type, or is too large.
    pub skipped: Vec<String>,
    state_changing: Vec<FunctionId>,
    selectors: Vec<([u8; 4], FunctionId)>,
}

impl Interface {
    /// The interface that an ABI describes.
    ///
    /// `enums` tells how many members an enum has (1 to 256), by its internal type such as `enum Vault.State`: the AST
    /// knows, the ABI does not. Where it answers `None` the enum is a plain `uint8`.
    pub fn new(abi: &JsonAbi, enums: &dyn Fn(&str) -> Option<u16>) -> Self {
        let parameters = |params: &[Param]| -> Option<Vec<Parameter>> {
            params.iter().map(|p| Some(Parameter { name: p.name.clone(), ty: Type::of(p, enums)? })).collect()
        };
        let mut functions = Vec::new();
        let mut skipped = Vec::new();
        for f in abi.functions() {
            let signature = f.signature();
            let Some(inputs) = parameters(&f.inputs) else {
                skipped.push(signature);
                continue;
            };
            functions.push(Function {
                id: FunctionId(0),
                name: f.name.clone(),
                selector: Some(f.selector().0),
                signature,
                inputs,
                outputs: parameters(&f.outputs).unwrap_or_default(),
                mutability: f.state_mutability.into(),
                kind: FunctionKind::Function,
            });
        }
        functions.sort_by(|a, b| (&a.name, &a.signature).cmp(&(&b.name, &b.signature)));
        skipped.sort();
        if let Some(receive) = abi.receive {
            functions.push(special(FunctionKind::Receive, receive.state_mutability, Vec::new()));
        }
        if let Some(fallback) = abi.fallback {
            let calldata = Parameter { name: "data".to_owned(), ty: Type::Bytes };
            functions.push(special(FunctionKind::Fallback, fallback.state_mutability, vec![calldata]));
        }
        let constructor = match &abi.constructor {
            Some(c) => {
                let inputs = parameters(&c.inputs).unwrap_or_else(|| {
                    skipped.push("constructor".to_owned());
                    Vec::new()
                });
                special(FunctionKind::Constructor, c.state_mutability, inputs)
            }
            None => plain_constructor(),
        };
        Self::of_functions(functions, constructor, skipped)
    }

    /// The interface with these functions, which get their ids.
    fn of_functions(mut functions: Vec<Function>, constructor: Function, skipped: Vec<String>) -> Self {
        functions.truncate(usize::from(u16::MAX));
        for (id, function) in (0..).zip(&mut functions) {
            function.id = FunctionId(id);
        }
        let state_changing = functions.iter().filter(|f| f.can_change_state()).map(|f| f.id).collect();
        let mut selectors: Vec<_> = functions.iter().filter_map(|f| Some((f.selector?, f.id))).collect();
        selectors.sort_unstable();
        Self { functions, constructor, skipped, state_changing, selectors }
    }

    /// The interface of a stand-in: for each function of an ABI that returns something, a function that takes what it is to
    /// answer from then on.
    pub fn of_answers(abi: &JsonAbi, enums: &dyn Fn(&str) -> Option<u16>) -> Self {
        let asked = Self::new(abi, enums);
        let answers = asked.functions.into_iter().filter(|function| !function.outputs.is_empty()).map(|function| {
            let types: Vec<String> = function.outputs.iter().map(|output| output.ty.to_string()).collect();
            Function {
                signature: format!("{} returns ({})", function.signature, types.join(", ")),
                inputs: function.outputs,
                outputs: Vec::new(),
                mutability: Mutability::NonPayable,
                kind: FunctionKind::Answer,
                ..function
            }
        });
        Self::of_functions(answers.collect(), plain_constructor(), Vec::new())
    }

    /// The same interface with the constructor of another one, or with one that takes nothing.
    #[must_use]
    pub fn with_constructor_of(self, other: Option<Self>) -> Self {
        Self { constructor: other.map_or_else(plain_constructor, |other| other.constructor), ..self }
    }

    /// The same interface with the named functions of another one that it does not have itself, as a contract has them that passes on
    /// whatever it does not know.
    #[must_use]
    pub fn with_functions_of(self, other: &Self) -> Self {
        let is_new = |function: &&Function| {
            function.kind == FunctionKind::Function
                && function.selector.is_some_and(|it| self.by_selector(it).is_none())
        };
        let passed_on: Vec<Function> = other.functions.iter().filter(is_new).cloned().collect();
        let functions = passed_on.into_iter().chain(self.functions).collect();
        Self::of_functions(functions, self.constructor, self.skipped)
    }

    /// The same interface, in which addresses have the contract types that the source uses them as: `parameter` tells that of a
    /// function's parameter by index, `member` that of a struct's member by name.
    #[must_use]
    pub fn with_contract_types(
        mut self,
        parameter: &dyn Fn(&Function, usize) -> Option<String>,
        member: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        for at in 0..=self.functions.len() {
            let told = self.functions.get(at).unwrap_or(&self.constructor);
            let is_constructor = at == self.functions.len();
            let types: Vec<Type> = told
                .inputs
                .iter()
                .enumerate()
                .map(|(index, input)| {
                    input.ty.with_addresses(&|of, ty| {
                        let name = (*ty == Type::Address).then(|| of.map_or_else(|| parameter(told, index), member));
                        name.flatten().map(|name| Type::Contract { name, is_declared: is_constructor })
                    })
                })
                .collect();
            let function = self.functions.get_mut(at).unwrap_or(&mut self.constructor);
            for (input, ty) in function.inputs.iter_mut().zip(types) {
                input.ty = ty;
            }
        }
        self
    }

    /// The same interface, in which some addresses are those of contracts of the type that `told` gives, by the name of the
    /// parameter or of the member of a struct, and the type that the address has.
    #[must_use]
    pub fn with_types_of_parameters(mut self, told: &dyn Fn(&str, &Type) -> Option<String>) -> Self {
        for function in self.functions.iter_mut().chain([&mut self.constructor]) {
            for Parameter { name, ty } in &mut function.inputs {
                *ty = ty.with_addresses(&|member, ty| {
                    told(member.unwrap_or(name), ty).map(|name| Type::Contract { name, is_declared: true })
                });
            }
        }
        self
    }

    /// An interface of which only signatures are known, as written in [`Function::signature`]. None if one is none.
    pub fn of_signatures<'a>(constructor: &str, functions: impl IntoIterator<Item = &'a &'a str>) -> Option<Self> {
        let functions: Vec<&str> = functions.into_iter().copied().collect();
        if functions.iter().any(|signature| signature.contains(") returns (")) {
            let items: Vec<String> = functions.iter().map(|signature| format!("function {signature}")).collect();
            let abi = JsonAbi::parse(items.iter().map(String::as_str)).ok()?;
            return Some(Self::of_answers(&abi, &|_| None));
        }
        let mut items = vec![format!("{constructor} payable")];
        let (mut receive, mut fallback) = (None, None);
        let state_mutability = StateMutability::Payable;
        for signature in functions {
            match signature {
                "receive()" => receive = Some(alloy_json_abi::Receive { state_mutability }),
                "fallback()" => fallback = Some(alloy_json_abi::Fallback { state_mutability }),
                signature => items.push(format!("function {signature} payable")),
            }
        }
        let abi = JsonAbi::parse(items.iter().map(String::as_str)).ok()?;
        Some(Self::new(&JsonAbi { receive, fallback, ..abi }, &|_| None))
    }

    /// The function with this id.
    ///
    /// # Panics
    ///
    /// If the id belongs to another interface.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        if id == FunctionId::CONSTRUCTOR { &self.constructor } else { &self.functions[usize::from(id.0)] }
    }

    /// The function with this canonical signature; never the constructor.
    #[must_use]
    pub fn by_signature(&self, signature: &str) -> Option<&Function> {
        self.functions.iter().find(|f| f.signature == signature)
    }

    /// The function with this selector.
    #[must_use]
    pub fn by_selector(&self, selector: [u8; 4]) -> Option<&Function> {
        let at = self.selectors.binary_search_by_key(&selector, |(selector, _)| *selector).ok()?;
        Some(self.function(self.selectors[at].1))
    }

    /// The function that this calldata reaches, as Solidity dispatches it.
    #[must_use]
    pub fn dispatch(&self, calldata: &[u8]) -> Option<&Function> {
        let special = |kind| self.functions.iter().rev().take(2).find(|f| f.kind == kind);
        let named = calldata.first_chunk::<4>().and_then(|selector| self.by_selector(*selector));
        let receive = if calldata.is_empty() { special(FunctionKind::Receive) } else { None };
        named.or(receive).or_else(|| special(FunctionKind::Fallback))
    }

    /// Whether exactly the same calls can be made on both, so that a sequence for one is a sequence for the other.
    #[must_use]
    pub fn takes_the_same(&self, other: &Self) -> bool {
        let same = |a: &Function, b: &Function| {
            let types = |function: &Function| function.inputs.iter().map(|input| input.ty.clone()).collect::<Vec<_>>();
            (&a.signature, a.mutability, a.kind, types(a)) == (&b.signature, b.mutability, b.kind, types(b))
        };
        self.functions.len() == other.functions.len()
            && self.functions.iter().zip(&other.functions).all(|(a, b)| same(a, b))
            && same(&self.constructor, &other.constructor)
    }

    /// Whether it tells how many tokens an account has: `balanceOf(address)`, as in ERC-20 and ERC-721.
    #[must_use]
    pub fn is_token(&self) -> bool {
        self.functions.iter().any(|function| function.signature == "balanceOf(address)" && function.outputs.len() == 1)
    }

    /// The functions that may change state: those that can stand before the last call of a sequence.
    #[must_use]
    pub fn state_changing(&self) -> &[FunctionId] {
        &self.state_changing
    }
}

impl From<StateMutability> for Mutability {
    fn from(mutability: StateMutability) -> Self {
        match mutability {
            StateMutability::Pure => Self::Pure,
            StateMutability::View => Self::View,
            StateMutability::NonPayable => Self::NonPayable,
            StateMutability::Payable => Self::Payable,
        }
    }
}

/// The constructor of a contract that declares none.
fn plain_constructor() -> Function {
    special(FunctionKind::Constructor, StateMutability::NonPayable, Vec::new())
}

/// A function without a name of its own.
fn special(kind: FunctionKind, mutability: StateMutability, inputs: Vec<Parameter>) -> Function {
    let (id, name) = match kind {
        FunctionKind::Constructor => (FunctionId::CONSTRUCTOR, "constructor"),
        FunctionKind::Receive => (FunctionId(0), "receive"),
        FunctionKind::Fallback | FunctionKind::Function | FunctionKind::Answer => (FunctionId(0), "fallback"),
    };
    let types: Vec<String> = match kind {
        FunctionKind::Constructor => inputs.iter().map(|p| p.ty.to_string()).collect(),
        _ => Vec::new(),
    };
    Function {
        id,
        name: name.to_owned(),
        signature: format!("{name}({})", types.join(",")),
        selector: None,
        inputs,
        outputs: Vec::new(),
        mutability: mutability.into(),
        kind,
    }
}

#[cfg(test)]
impl Interface {
    /// The interface of a contract with these members, as Solidity declares them.
    pub(crate) fn sample(items: &[&str]) -> Self {
        let (special, named): (Vec<&str>, Vec<&str>) =
            items.iter().partition(|item| item.starts_with("receive") || item.starts_with("fallback"));
        let mut abi = JsonAbi::parse(named).expect("members that alloy parses");
        let state_mutability = StateMutability::Payable;
        for item in special {
            match item.starts_with("receive") {
                true => abi.receive = Some(alloy_json_abi::Receive { state_mutability }),
                false => abi.fallback = Some(alloy_json_abi::Fallback { state_mutability }),
            }
        }
        Self::new(&abi, &|_| None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault() -> Interface {
        let abi = r#"[
            {"type":"constructor","inputs":[{"name":"owner","type":"address"}],"stateMutability":"nonpayable"},
            {"type":"receive","stateMutability":"payable"},
            {"type":"fallback","stateMutability":"nonpayable"},
            {"type":"function","name":"withdraw","inputs":[],"outputs":[],"stateMutability":"nonpayable"},
            {"type":"function","name":"deposit","inputs":[{"name":"amount","type":"uint256"}],"outputs":[],"stateMutability":"payable"},
            {"type":"function","name":"deposit","inputs":[],"outputs":[],"stateMutability":"payable"},
            {"type":"function","name":"huge","inputs":[{"name":"all","type":"uint256[9999999]"}],"outputs":[],"stateMutability":"view"},
            {"type":"function","name":"total","inputs":[],"outputs":[{"name":"","type":"uint256"}],"stateMutability":"view"}
        ]"#;
        Interface::new(&serde_json::from_str(abi).expect("an ABI"), &|_| None)
    }

    #[test]
    fn functions_are_in_a_fixed_order() {
        let vault = vault();
        let signatures: Vec<_> = vault.functions.iter().map(|f| &*f.signature).collect();
        let expected = ["deposit()", "deposit(uint256)", "total()", "withdraw()", "receive()", "fallback()"];
        assert_eq!(signatures, expected);
        assert!(vault.functions.iter().enumerate().all(|(i, f)| usize::from(f.id.0) == i));
        assert_eq!(vault.constructor.signature, "constructor(address)");
        assert_eq!(vault.skipped, ["huge(uint256[9999999])"]);
        assert!(!vault.state_changing().contains(&FunctionId(2)), "total() is a view");
    }

    #[test]
    fn calldata_is_dispatched_as_solidity_does() {
        let vault = vault();
        let deposit = vault.by_signature("deposit(uint256)").and_then(|f| f.selector).expect("a selector");
        let cases: [(&[u8], &str); 4] = [
            (&deposit, "deposit(uint256)"),
            (&[], "receive()"),
            (&[1], "fallback()"),
            (&[1, 2, 3, 4, 5], "fallback()"),
        ];
        for (calldata, expected) in cases {
            assert_eq!(vault.dispatch(calldata).map(|f| &*f.signature), Some(expected));
        }
    }
}
