//! [`EDITS`] are the edits that are made: each brings a defect into a contract of the fixtures that has none.

/// One edit of one file.
#[derive(Clone, Copy)]
pub struct Edit {
    /// What a person would say that they did.
    pub title: &'static str,
    /// The project in `fixtures`.
    pub project: &'static str,
    /// The file in it.
    pub file: &'static str,
    /// The contract that is fuzzed.
    pub contract: &'static str,
    /// What stands there before.
    pub sound: &'static str,
    /// What stands there after.
    pub defective: &'static str,
    /// What has to be found: the oracle, and how the line begins that it has to name.
    pub oracle: &'static str,
    pub line: &'static str,
}

/// Twelve of them.
pub const EDITS: [Edit; 12] = [
    Edit {
        title: "forgets what requested withdrawals are owed",
        project: "vault",
        file: "src/VaultFixed.sol",
        contract: "VaultFixed",
        sound: "balance - totalShares - totalQueued;",
        defective: "balance - totalShares;",
        oracle: "assertion",
        line: "assert(address(this).balance >= totalShares",
    },
    Edit {
        title: "keeps the bid of a winner who stepped back",
        project: "auction",
        file: "src/AuctionFixed.sol",
        contract: "AuctionFixed",
        sound: "        highestBid = 0;\n",
        defective: "",
        oracle: "assertion",
        line: "assert(address(this).balance >= totalPending",
    },
    Edit {
        title: "credits the outbid with the new bid",
        project: "auction",
        file: "src/AuctionFixed.sol",
        contract: "AuctionFixed",
        sound: "_credit(highestBidder, highestBid);",
        defective: "_credit(highestBidder, msg.value);",
        oracle: "assertion",
        line: "assert(address(this).balance >= totalPending",
    },
    Edit {
        title: "moves by two balances read before",
        project: "token",
        file: "TokenFixed.sol",
        contract: "TokenFixed",
        sound: "        _allowances.spend(from, msg.sender, amount);\n        _move(from, to, amount);",
        defective: "        _allowances.spend(from, msg.sender, amount);
        (uint256 left, uint256 right) = (balanceOf[from], balanceOf[to]);
        if (left < amount) revert InsufficientBalance(from, left, amount);
        balanceOf[from] = left - amount;
        balanceOf[to] = right + amount;",
        oracle: "assertion",
        line: "assert(held <= totalSupply)",
    },
    Edit {
        title: "burns without taking from the balance",
        project: "token",
        file: "TokenFixed.sol",
        contract: "TokenFixed",
        sound: "balanceOf[from] = held - amount;",
        defective: "balanceOf[from] = held;",
        oracle: "assertion",
        line: "assert(held <= totalSupply)",
    },
    Edit {
        title: "pays what was claimed already",
        project: "channel",
        file: "src/ChannelFixed.sol",
        contract: "ChannelFixed",
        sound: "uint256 due = lane.pledged - lane.claimed;",
        defective: "uint256 due = lane.pledged;",
        oracle: "assertion",
        line: "assert(lane.claimed + due + refund",
    },
    Edit {
        title: "refunds what was pledged",
        project: "channel",
        file: "src/ChannelFixed.sol",
        contract: "ChannelFixed",
        sound: "uint256 refund = lane.deposit - lane.pledged;",
        defective: "uint256 refund = lane.deposit - lane.claimed;",
        oracle: "assertion",
        line: "assert(lane.claimed + due + refund",
    },
    Edit {
        title: "goes on with the schedule of what was revoked",
        project: "vesting",
        file: "contracts/VestingFixed.sol",
        contract: "VestingFixed",
        sound: "if (revoked || elapsed >= duration)",
        defective: "if (elapsed >= duration)",
        oracle: "assertion",
        line: "assert(vested >= released)",
    },
    Edit {
        title: "vests backwards",
        project: "vesting",
        file: "contracts/VestingFixed.sol",
        contract: "VestingFixed",
        sound: "return (total * elapsed) / duration;",
        defective: "return total - (total * elapsed) / duration;",
        oracle: "assertion",
        line: "assert(vested >= released)",
    },
    Edit {
        title: "drops the check of an index",
        project: "wallet",
        file: "CabinetFixed.sol",
        contract: "CabinetFixed",
        sound: "        require(index < drawers.length, \"no such drawer\");\n",
        defective: "",
        oracle: "arbitrary-write",
        line: "drawer.content = content;",
    },
    Edit {
        title: "takes the key for the slot",
        project: "wallet",
        file: "PreferencesFixed.sol",
        contract: "PreferencesFixed",
        sound: "sstore(keccak256(0, 64), word)",
        defective: "sstore(key, word)",
        oracle: "arbitrary-write",
        line: "sstore(key, word)",
    },
    Edit {
        title: "removes from an empty list",
        project: "wallet",
        file: "BonusWalletFixed.sol",
        contract: "BonusWalletFixed",
        sound: "        require(codes.length > 0, \"no codes\");\n",
        defective: "",
        oracle: "arbitrary-write",
        line: "codes[index] = code;",
    },
];
