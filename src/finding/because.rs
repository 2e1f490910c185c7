//! Why a finding is one, in a sentence: what its oracle found out when it ran the last call otherwise.

use super::{
    compared::{Comparison, side},
    overwritten,
    slots::{Slots, number},
    story::{self, ending, told_call},
    wrapped,
};
use crate::{
    evm::{Outcome, Status},
    harness::Harness,
    input::{InstanceId, brief::short, print::amount},
    oracle::{Expected, Grounds, Moved, Mover, OutOfOrder, Share, Weight},
    world::{Account, World},
};
use alloy_primitives::{Address, U256};

/// One sentence, or two; The values of the comparison that failed are told before it, where they are known.
pub(super) fn because(harness: &Harness, weight: &Weight, comparison: &Comparison) -> String {
    let told = told(harness, &weight.grounds, comparison);
    match weight.takes_call_back {
        true => format!(
            "{told} The same calls made one after the other do not show it: what is called back finds state that is not up to date yet."
        ),
        false => told,
    }
}

fn told(harness: &Harness, grounds: &Grounds, comparison: &Comparison) -> String {
    match grounds {
        Grounds::Always(sentence) => (*sentence).to_owned(),
        Grounds::Compared(left, right) if comparison.values.is_empty() => {
            let [left, right] = [left, right].map(|word| short(&side(*word)));
            format!("An assertion states what always holds; here it compares {left} with {right}.")
        }
        Grounds::Compared(..) => "An assertion states what always holds.".to_owned(),
        Grounds::RefusesSender { accepted, .. } => format!(
            "It only refuses some callers: a call by {} passes. Use `require` for that.",
            story::name(harness, *accepted).unwrap_or_else(|| accepted.to_string())
        ),
        Grounds::Broken { expected, ended, .. } => broken(harness, *expected, ended),
        Grounds::Wraps(difference) => wrapped::because(harness, difference),
        Grounds::Overwrites(overwriting) => overwritten::because(harness, overwriting),
        Grounds::InSetup => "It fails while the contract is set up: nothing is deployed that way.".to_owned(),
        Grounds::OtherArguments(other) => {
            format!("The caller chose arguments that fail, and is refused: `{}` passes.", told_call(harness, other))
        }
        Grounds::FromTheStart => {
            "The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused."
                .to_owned()
        }
        Grounds::Reentered { gain } => format!(
            "Made one after the other, the same calls leave the attackers with {} less: what they call back finds state that is not \
             up to date yet.",
            amount(*gain)
        ),
        Grounds::OutOfOrder(found) => out_of_order(harness, found),
        Grounds::Taken { token, taken, share, only_first } => {
            let much = match token {
                None => amount(*taken),
                Some(token) => match (story::name(harness, *token), short(&taken.to_string())) {
                    (Some(name), much) => format!("{much} of `{name}`"),
                    // It was created on the way.
                    (None, much) => format!("{much} token{}", if *taken == U256::ONE { "" } else { "s" }),
                },
            };
            let what = match share {
                Share::Chosen => "as much as they choose",
                Share::All => "all that is there",
                Share::OfAnother => "what is kept under the address of somebody else",
                Share::EachTime => {
                    return format!(
                        "Every user can do it without a role. The same call, made again at the same time, brings them {much} each time, and \
                         nothing that is stored differs afterwards; in the end they have more than they began with."
                    );
                }
                Share::EachRound => {
                    return format!(
                        "Every user can do it without a role, and gets {much} more than they paid in. The same calls, made again at the same \
                         time, bring them as much each time, and nothing that is stored differs afterwards: it is what others paid in."
                    );
                }
                Share::BeyondStake => {
                    return format!(
                        "Every user can do it without a role, and each ends with more than they paid in, as much as they choose, \
                         without any time passing and in each of the next blocks; in the end they are paid {much}.",
                    );
                }
            };
            let who = if *only_first { "Whichever user comes first can do it" } else { "Every user can do it" };
            let each = if *only_first { "and takes" } else { "and each takes" };
            format!("{who} without a role, without paying anything in or giving anything up, {each} {what}, here {much}.")
        }
        Grounds::Tricked { taken, tricked } => {
            let who = who(harness, *tricked);
            format!(
                "If {who} calls the contract of a user, for whatever reason, that contract makes the call and is paid {}; if somebody \
                 else calls it, it is not paid: only `tx.origin` differs.",
                amount(*taken)
            )
        }
        Grounds::Copied { taken, author } => {
            let who = who(harness, *author);
            format!(
                "The passed value was known only by its hash until {who} passed it. Whoever sees that call before it is mined makes it \
                 first and is paid {}; the same call of {who} right after it is paid nothing.",
                amount(*taken)
            )
        }
        Grounds::Moved { mover, moved } => told_moved(harness, *mover, moved),
        Grounds::LedThere { tried: 0 } => {
            "The earlier calls led to it: right after the setup the same call does not fail here, and no other arguments avoid it."
                .to_owned()
        }
        Grounds::LedThere { tried } => {
            let plural = if *tried == 1 { "" } else { "s" };
            format!(
                "The earlier calls led to it: right after the setup the same call does not fail here, and of {tried} call{plural} with \
                 other arguments none passes now."
            )
        }
    }
}

/// What somebody who calls back leaves or is told.
fn out_of_order(harness: &Harness, found: &OutOfOrder) -> String {
    match found {
        OutOfOrder::Left { account, slot, left, in_turn, preimages } => {
            let id = harness.calls.at(*account);
            let layout = id.and_then(|id| harness.calls.instance(id).layout.as_deref());
            let name = |address: Address| story::name(harness, address);
            let told = Slots { layout, preimages, name: &name }.describe(*slot, *in_turn, *left).into_iter().next();
            let (variable, in_turn, left) = told.unwrap_or_else(|| {
                let [in_turn, left] = [in_turn, left].map(|word| short(&number(*word)));
                (format!("slot {slot:#x}"), in_turn, left)
            });
            format!(
                "The call back leaves `{variable}` at {left}; made one after the other, the same calls leave it at {in_turn}. Nobody \
                 gains anything by it here."
            )
        }
        OutOfOrder::Told { getter, told } => {
            let [meanwhile, before, after] = told.map(|word| short(&word.to_string()));
            let (instance, function) = (harness.calls.instance(getter.target), harness.calls.function(*getter));
            let getter = match getter.target {
                InstanceId::MAIN => function.name.clone(),
                _ => format!("{}.{}", instance.name, function.name),
            };
            let otherwise = match before == after {
                true => format!("{before} before and after it"),
                false => format!("{before} before and {after} after it"),
            };
            format!(
                "While the call is open, `{getter}` returns {meanwhile}; it returns {otherwise}. Nobody pays by it here; a contract that \
                 asks meanwhile would."
            )
        }
    }
}

/// How a property says that it does not hold.
fn broken(harness: &Harness, expected: Expected, ended: &Outcome) -> String {
    match (&ended.status, expected) {
        (Status::Success, Expected::Success) => "It records that something failed.".to_owned(),
        (Status::Success, Expected::True) => "It returns false.".to_owned(),
        (Status::Success, Expected::Revert) => "It has to revert, but succeeds.".to_owned(),
        _ => format!("It ends with {}.", ending(harness, ended)),
    }
}

/// The name of somebody who sends transactions; the address of anybody else.
fn who(harness: &Harness, account: Address) -> String {
    match World::account(account, &harness.calls) {
        Account::Actor(actor) => actor.name.to_owned(),
        _ => account.to_string(),
    }
}

/// Who is paid in the one block, and not in the other.
fn told_moved(harness: &Harness, mover: Mover, moved: &Moved) -> String {
    let Moved { by, who, is_paid, token, .. } = *moved;
    let who = self::who(harness, who);
    let (count, plural) = (by.unsigned_abs(), if by.unsigned_abs() == 1 { "" } else { "s" });
    let when = if by < 0 { "earlier" } else { "later" };
    let (block, chosen) = match mover {
        Mover::Seconds => {
            (format!("In a block {count} second{plural} {when}"), "the proposer of a block chooses its time")
        }
        Mover::Blocks => {
            (format!("{count} block{plural} {when}"), "whoever sends the call can know the block's values beforehand")
        }
    };
    let (here, there) = match (token, is_paid) {
        (None, true) => ("is paid", "is not"),
        (None, false) => ("is not paid", "is"),
        (Some(_), true) => ("gets tokens", "does not"),
        (Some(_), false) => ("gets no tokens", "does"),
    };
    format!("{who} {here}. {block} the same call succeeds as well, and {who} {there}; {chosen}.")
}
