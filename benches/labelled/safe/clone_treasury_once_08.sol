// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

abstract contract Initializable {
    bool private _initialized;
    bool private _initializing;

    event Initialized();

    modifier initializer() {
        bool outermost = !_initializing;
        require(!_initialized || _initializing, "already initialized");
        if (outermost) {
            _initialized = true;
            _initializing = true;
        }
        _;
        if (outermost) {
            _initializing = false;
            emit Initialized();
        }
    }

    modifier onlyInitializing() {
        require(_initializing, "not initializing");
        _;
    }
}

abstract contract Administered is Initializable {
    address public admin;

    event AdminSet(address indexed admin);

    modifier onlyAdmin() {
        require(msg.sender == admin, "admin only");
        _;
    }

    function __Administered_init(address admin_) internal onlyInitializing {
        admin = admin_;
        emit AdminSet(admin_);
    }

    function setAdmin(address admin_) external onlyAdmin {
        require(admin_ != address(0), "nobody");
        admin = admin_;
        emit AdminSet(admin_);
    }
}

/// @title Treasury of a team. Everyone may pay in, the admin pays out.
contract CrewTreasury is Administered {
    bytes32 public label;
    uint256 public received;
    mapping(address => uint256) public givenBy;
    mapping(address => uint256) public paidTo;

    event Received(address indexed from, uint256 amount);
    event Paid(address indexed to, uint256 amount, bytes32 memo);

    constructor() initializer {}

    function initialize(address admin_, bytes32 label_) external initializer {
        require(admin_ != address(0), "nobody");
        __Administered_init(admin_);
        label = label_;
    }

    receive() external payable {
        _receive();
    }

    function contribute() external payable {
        _receive();
    }

    function pay(address payable to, uint256 amount, bytes32 memo) external onlyAdmin {
        paidTo[to] += amount;
        emit Paid(to, amount, memo);
        (bool ok, ) = to.call{value: amount}("");
        require(ok, "not accepted");
    }

    function _receive() private {
        received += msg.value;
        givenBy[msg.sender] += msg.value;
        emit Received(msg.sender, msg.value);
    }
}

/// @title Makes treasuries as minimal clones of one implementation
contract CrewTreasuries {
    CrewTreasury public immutable implementation;
    CrewTreasury[] public treasuries;

    event Opened(address indexed treasury, address indexed admin, bytes32 label);

    constructor() {
        implementation = new CrewTreasury();
    }

    function open(bytes32 label) external payable returns (CrewTreasury treasury) {
        treasury = CrewTreasury(payable(_clone(address(implementation))));
        treasury.initialize(msg.sender, label);
        treasuries.push(treasury);
        emit Opened(address(treasury), msg.sender, label);
        if (msg.value > 0) treasury.contribute{value: msg.value}();
    }

    function count() external view returns (uint256) {
        return treasuries.length;
    }

    function _clone(address target) private returns (address made) {
        bytes20 at = bytes20(target);
        assembly {
            let code := mload(0x40)
            mstore(code, 0x3d602d80600a3d3981f3363d3d373d3d3d363d73000000000000000000000000)
            mstore(add(code, 0x14), at)
            mstore(add(code, 0x28), 0x5af43d82803e903d91602b57fd5bf30000000000000000000000000000000000)
            made := create(0, code, 0x37)
        }
        require(made != address(0), "clone failed");
    }
}
