// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract BasicToken {
    string public name;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed from, address indexed to, uint256 amount);

    constructor(string memory name_) {
        name = name_;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        _transfer(from, to, amount);
        return true;
    }

    function _transfer(address from, address to, uint256 amount) internal {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }

    function _mint(address to, uint256 amount) internal {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function _burn(address from, uint256 amount) internal {
        balanceOf[from] -= amount;
        totalSupply -= amount;
        emit Transfer(from, address(0), amount);
    }
}

/// @notice Ether, wrapped one to one for the other side of the pool.
contract PeggedEther is BasicToken("Pegged Ether") {
    function wrap() external payable {
        _mint(msg.sender, msg.value);
    }

    function unwrap(uint256 amount) external {
        unwrapTo(payable(msg.sender), amount);
    }

    function unwrapTo(address payable to, uint256 amount) public {
        _burn(msg.sender, amount);
        to.transfer(amount);
    }
}

/// @notice A pool of ether and pegged ether at one price. Its shares are a token.
contract PegPool is BasicToken("Peg Pool Share") {
    PeggedEther public immutable pegged;
    bool private _locked;

    event Added(address indexed who, uint256 amount, uint256 shares);
    event Removed(address indexed who, uint256 shares, uint256 etherOut, uint256 peggedOut);

    modifier lock() {
        require(!_locked, "locked");
        _locked = true;
        _;
        _locked = false;
    }

    constructor(PeggedEther pegged_) {
        pegged = pegged_;
    }

    function holdings() public view returns (uint256) {
        return address(this).balance + pegged.balanceOf(address(this));
    }

    /// @notice What one share is worth, 18 decimals.
    function virtualPrice() external view returns (uint256) {
        return totalSupply == 0 ? 1e18 : (holdings() * 1e18) / totalSupply;
    }

    /// @notice Half of what is sent is pegged by the pool.
    function add() external payable lock returns (uint256 shares) {
        require(msg.value >= 1 gwei && msg.value % 2 == 0, "amount");
        uint256 before = holdings() - msg.value;
        pegged.wrap{value: msg.value / 2}();
        shares = totalSupply == 0 ? msg.value : (msg.value * totalSupply) / before;
        _mint(msg.sender, shares);
        emit Added(msg.sender, msg.value, shares);
    }

    function remove(uint256 shares) external lock returns (uint256 etherOut, uint256 peggedOut) {
        require(shares > 0, "nothing");
        etherOut = (address(this).balance * shares) / totalSupply;
        peggedOut = (pegged.balanceOf(address(this)) * shares) / totalSupply;
        _burn(msg.sender, shares);
        (bool ok, ) = msg.sender.call{value: etherOut}(""); //~ ERROR reentrancy
        require(ok, "refused");
        pegged.unwrapTo(payable(msg.sender), peggedOut);
        emit Removed(msg.sender, shares, etherOut, peggedOut);
    }
}

/// @notice Buys shares of the pool for ether at once, a fifth of a percent below their price.
contract ShareDesk {
    PegPool public immutable pool;
    address public immutable sponsor;
    mapping(address => uint256) public boughtFrom;

    event Exchanged(address indexed who, uint256 shares, uint256 paid);

    constructor(PegPool pool_) payable {
        pool = pool_;
        sponsor = msg.sender;
    }

    receive() external payable {}

    function exchange(uint256 shares) external {
        uint256 paid = (shares * pool.virtualPrice() * 998) / (1000 * 1e18);
        require(paid > 0 && paid <= address(this).balance, "desk is short");
        require(pool.transferFrom(msg.sender, address(this), shares), "shares");
        boughtFrom[msg.sender] += shares;
        emit Exchanged(msg.sender, shares, paid);
        payable(msg.sender).transfer(paid);
    }

    function close(uint256 shares) external {
        require(msg.sender == sponsor, "sponsor only");
        require(pool.transfer(sponsor, shares), "shares");
        payable(sponsor).transfer(address(this).balance);
    }
}
