pragma solidity ^0.4.24;

library SafeMath {
    function mul(uint256 a, uint256 b) internal pure returns (uint256) {
        if (a == 0) {
            return 0;
        }
        uint256 c = a * b;
        require(c / a == b);
        return c;
    }

    function sub(uint256 a, uint256 b) internal pure returns (uint256) {
        require(b <= a);
        return a - b;
    }

    function add(uint256 a, uint256 b) internal pure returns (uint256) {
        uint256 c = a + b;
        require(c >= a);
        return c;
    }
}

contract SaleToken {
    using SafeMath for uint256;

    address public minter;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() public {
        minter = msg.sender;
    }

    function mint(address to, uint256 value) public returns (bool) {
        require(msg.sender == minter && to != address(0));
        totalSupply = totalSupply.add(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(address(0), to, value);
        return true;
    }

    function transfer(address to, uint256 value) public returns (bool) {
        require(to != address(0));
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(value);
        balanceOf[to] = balanceOf[to].add(value);
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function batchTransfer(address[] receivers, uint256 value) public returns (bool) {
        require(receivers.length > 0 && receivers.length <= 20);
        uint256 amount = receivers.length.mul(value);
        require(value > 0 && balanceOf[msg.sender] >= amount);
        balanceOf[msg.sender] = balanceOf[msg.sender].sub(amount);
        for (uint256 i = 0; i < receivers.length; i++) {
            require(receivers[i] != address(0));
            balanceOf[receivers[i]] = balanceOf[receivers[i]].add(value);
            emit Transfer(msg.sender, receivers[i], value);
        }
        return true;
    }
}

contract Crowdsale {
    using SafeMath for uint256;

    SaleToken public token;
    address public wallet;
    uint256 public rate;
    uint256 public closesAt;
    uint256 public weiRaised;
    mapping(address => uint256) public bought;

    event Purchase(address indexed buyer, uint256 value, uint256 tokens);

    constructor(address _wallet, uint16 _rate) public {
        require(_wallet != address(0));
        wallet = _wallet;
        rate = uint256(_rate).add(1);
        closesAt = now.add(30 days);
        token = new SaleToken();
    }

    function() external payable {
        buyTokens(msg.sender);
    }

    function buyTokens(address beneficiary) public payable {
        require(now < closesAt && beneficiary != address(0));
        require(msg.value > 0);
        uint256 tokens = msg.value.mul(rate);
        weiRaised = weiRaised.add(msg.value);
        bought[beneficiary] = bought[beneficiary].add(tokens);
        emit Purchase(beneficiary, msg.value, tokens);
        require(token.mint(beneficiary, tokens));
        wallet.transfer(msg.value);
    }
}
