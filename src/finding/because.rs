//! Why a finding is one, in a sentence: what its oracle found out when it ran the last call otherwise.

use super::{
    compared::{Comparison, side},
    overwritten,
    story::{self, ending, told_call},
    wrapped,
};
use crate::{
    evm::{Outcome, Status},
    harness::Harness,
    input::{brief::short, print::amount},
    oracle::{Expected, Grounds, Moved, Mover, Share},
    world::{Account, World},
};
use alloy_primitives::Address;

/// One sentence, or two; The values of the comparison that failed are told before it, where they are known.
pub(super) fn because(harness: &Harness, grounds: &Grounds, comparison: &Comparison) -> String {
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
        Grounds::Taken { token, taken, share, only_first } => {
            let much = match token {
                None => amount(*taken),
                Some(token) => {
                    let name = story::name(harness, *token).unwrap_or_else(|| token.to_string());
                    format!("{} of `{name}`", short(&taken.to_string()))
                }
            };
            let what = match share {
                Share::Chosen => "as much as they choose",
                Share::All => "all that is there",
                Share::OfAnother => "what is kept under the address of somebody else",
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
    let Moved { by, who, is_paid, .. } = *moved;
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
    let (here, there) = if is_paid { ("is paid", "is not") } else { ("is not paid", "is") };
    format!("{who} {here}. {block} the same call succeeds as well, and {who} {there}; {chosen}.")
}
