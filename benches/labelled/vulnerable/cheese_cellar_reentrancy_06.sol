pragma solidity 0.6.12;

interface IWheelHolder {
    function onWheelsReceived(address from, uint256 count) external returns (bytes4);
}

/// One unit is one wheel of cheese that ripens in the cellar.
/// Contracts that hold wheels are told when they get some.
contract CheeseWheels {
    string public constant name = "Alpine cheese, whole wheels";
    uint8 public constant decimals = 0;

    address public immutable cellar;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 count);

    constructor() public {
        cellar = msg.sender;
    }

    function mint(address to, uint256 count) external {
        require(msg.sender == cellar, "not the cellar");
        require(count <= 1000, "too many at once");
        totalSupply += count;
        balanceOf[to] += count;
        emit Transfer(address(0), to, count);
        tell(address(0), to, count);
    }

    function transfer(address to, uint256 count) external returns (bool) {
        require(balanceOf[msg.sender] >= count, "not enough wheels");
        balanceOf[msg.sender] -= count;
        balanceOf[to] += count;
        emit Transfer(msg.sender, to, count);
        tell(msg.sender, to, count);
        return true;
    }

    function tell(address from, address to, uint256 count) private {
        uint256 size;
        assembly {
            size := extcodesize(to)
        }
        if (size > 0) {
            bytes4 answer = IWheelHolder(to).onWheelsReceived(from, count); //~ ERROR reentrancy
            require(answer == IWheelHolder.onWheelsReceived.selector, "wheels refused");
        }
    }
}

/// Members of the alpine cooperative pay their dues once,
/// and may then fetch the same number of wheels in each season.
contract CheeseCellar {
    uint256 public constant DUES = 1 finney;
    uint256 public constant WHEELS_EACH = 6;

    CheeseWheels public immutable wheels;
    address payable public immutable cellarer;

    uint256 public season = 1;
    mapping(address => bool) public member;
    mapping(uint256 => mapping(address => bool)) public fetched;

    event Joined(address indexed who);
    event Fetched(address indexed who, uint256 season);

    constructor() public {
        cellarer = msg.sender;
        wheels = new CheeseWheels();
    }

    function join() external payable {
        require(msg.value == DUES, "wrong dues");
        require(!member[msg.sender], "already a member");
        member[msg.sender] = true;
        emit Joined(msg.sender);
    }

    function fetchWheels() external {
        require(member[msg.sender], "members only");
        require(!fetched[season][msg.sender], "fetched already");
        wheels.mint(msg.sender, WHEELS_EACH);
        fetched[season][msg.sender] = true;
        emit Fetched(msg.sender, season);
    }

    function nextSeason() external {
        require(msg.sender == cellarer, "not the cellarer");
        season++;
    }

    function collectDues() external {
        require(msg.sender == cellarer, "not the cellarer");
        cellarer.transfer(address(this).balance);
    }
}
