// By design: whatever ether arrives is passed on to the treasury at once.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20Min {
    function balanceOf(address who) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

contract Forwarder {
    address public immutable admin;
    address payable public treasury;
    uint256 public forwarded;

    event Forwarded(address indexed from, uint256 amount, bytes32 indexed ref);
    event TreasuryChanged(address indexed from, address indexed to);

    constructor() {
        admin = msg.sender;
        treasury = payable(msg.sender);
    }

    receive() external payable {
        _forward(msg.value, bytes32(0));
    }

    function payInvoice(bytes32 ref) external payable {
        require(msg.value > 0, "empty");
        _forward(msg.value, ref);
    }

    /// ether that came without a call (a coinbase, a selfdestruct); anybody may push it on
    function flush() external {
        _forward(address(this).balance, "flush");
    }

    /// the same for tokens
    function flushToken(IERC20Min token) external {
        uint256 amount = token.balanceOf(address(this));
        (bool ok, bytes memory out) =
            address(token).call(abi.encodeWithSelector(token.transfer.selector, treasury, amount));
        require(ok && (out.length == 0 || abi.decode(out, (bool))), "token");
    }

    function setTreasury(address payable to) external {
        require(msg.sender == admin, "admin only");
        require(to != address(0) && to != address(this), "treasury");
        emit TreasuryChanged(treasury, to);
        treasury = to;
    }

    function _forward(uint256 amount, bytes32 ref) private {
        forwarded += amount;
        emit Forwarded(msg.sender, amount, ref);
        (bool ok,) = treasury.call{value: amount}("");
        require(ok, "forward failed");
    }
}
