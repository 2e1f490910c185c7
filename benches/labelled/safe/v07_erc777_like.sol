// By design: holders may set a hook for their own account; it runs before and after the books move in one step.
// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

interface ISendHook {
    function tokensToSend(address operator, address from, address to, uint256 amount) external;
}

interface IReceiveHook {
    function tokensReceived(address operator, address from, address to, uint256 amount) external;
}

contract HookedToken {
    string public constant name = "Hooked";
    string public constant symbol = "HKD";
    uint256 public totalSupply;

    mapping(address => uint256) private _balances;
    mapping(address => mapping(address => bool)) private _operators;
    mapping(address => ISendHook) public sendHookOf;
    mapping(address => IReceiveHook) public receiveHookOf;

    event Sent(address indexed operator, address indexed from, address indexed to, uint256 amount);
    event Minted(address indexed to, uint256 amount);
    event Burned(address indexed from, uint256 amount);
    event OperatorSet(address indexed holder, address indexed operator, bool allowed);

    function balanceOf(address who) external view returns (uint256) {
        return _balances[who];
    }

    function isOperatorFor(address operator, address holder) public view returns (bool) {
        return operator == holder || _operators[holder][operator];
    }

    function setHooks(ISendHook sendHook, IReceiveHook receiveHook) external {
        sendHookOf[msg.sender] = sendHook;
        receiveHookOf[msg.sender] = receiveHook;
    }

    function setOperator(address operator, bool allowed) external {
        _operators[msg.sender][operator] = allowed;
        emit OperatorSet(msg.sender, operator, allowed);
    }

    /// one token for one wei
    function mint() external payable {
        totalSupply += msg.value;
        _balances[msg.sender] += msg.value;
        emit Minted(msg.sender, msg.value);
        _callReceived(msg.sender, address(0), msg.sender, msg.value);
    }

    function redeem(uint256 amount) external {
        _callToSend(msg.sender, msg.sender, address(0), amount);
        require(_balances[msg.sender] >= amount, "balance");
        _balances[msg.sender] -= amount;
        totalSupply -= amount;
        emit Burned(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
    }

    function send(address to, uint256 amount) external {
        _send(msg.sender, msg.sender, to, amount);
    }

    function operatorSend(address from, address to, uint256 amount) external {
        require(isOperatorFor(msg.sender, from), "not operator");
        _send(msg.sender, from, to, amount);
    }

    function _send(address operator, address from, address to, uint256 amount) internal {
        require(to != address(0), "zero");
        _callToSend(operator, from, to, amount);
        // nothing read before the hook is used after it
        require(_balances[from] >= amount, "balance");
        _balances[from] -= amount;
        _balances[to] += amount;
        emit Sent(operator, from, to, amount);
        _callReceived(operator, from, to, amount);
    }

    function _callToSend(address operator, address from, address to, uint256 amount) internal {
        ISendHook hook = sendHookOf[from];
        if (address(hook) != address(0)) hook.tokensToSend(operator, from, to, amount);
    }

    function _callReceived(address operator, address from, address to, uint256 amount) internal {
        IReceiveHook hook = receiveHookOf[to];
        if (address(hook) != address(0)) hook.tokensReceived(operator, from, to, amount);
    }
}
