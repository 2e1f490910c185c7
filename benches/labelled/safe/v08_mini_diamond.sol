// By design: unknown calls go by delegatecall to the facet registered for the selector; only the owner cuts.
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

library BankStorage {
    bytes32 private constant POSITION = keccak256("mini.diamond.bank.v1");

    struct Layout {
        uint256 total;
        mapping(address => uint256) balances;
    }

    function layout() internal pure returns (Layout storage l) {
        bytes32 p = POSITION;
        assembly {
            l.slot := p
        }
    }
}

library DiamondStorage {
    bytes32 private constant POSITION = keccak256("mini.diamond.core.v1");

    struct Layout {
        address owner;
        mapping(bytes4 => address) facets;
    }

    function layout() internal pure returns (Layout storage l) {
        bytes32 p = POSITION;
        assembly {
            l.slot := p
        }
    }
}

contract BankFacet {
    event Deposit(address indexed who, uint256 amount);
    event Withdrawal(address indexed who, uint256 amount);

    function deposit() external payable {
        BankStorage.Layout storage s = BankStorage.layout();
        s.balances[msg.sender] += msg.value;
        s.total += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        BankStorage.Layout storage s = BankStorage.layout();
        s.balances[msg.sender] -= amount;
        s.total -= amount;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok, "payment failed");
        emit Withdrawal(msg.sender, amount);
    }
}

contract ViewFacet {
    function balanceOf(address who) external view returns (uint256) {
        return BankStorage.layout().balances[who];
    }

    function total() external view returns (uint256) {
        return BankStorage.layout().total;
    }
}

contract MiniDiamond {
    event Cut(bytes4 indexed selector, address indexed facet);

    error UnknownSelector(bytes4 selector);

    constructor() {
        DiamondStorage.layout().owner = msg.sender;
        address bank = address(new BankFacet());
        address views = address(new ViewFacet());
        _set(BankFacet.deposit.selector, bank);
        _set(BankFacet.withdraw.selector, bank);
        _set(ViewFacet.balanceOf.selector, views);
        _set(ViewFacet.total.selector, views);
    }

    function cut(bytes4 selector, address facet) external {
        require(msg.sender == DiamondStorage.layout().owner, "owner only");
        require(selector != this.cut.selector && selector != this.facetOf.selector, "built in");
        require(facet == address(0) || facet.code.length > 0, "no code");
        _set(selector, facet);
    }

    function facetOf(bytes4 selector) external view returns (address) {
        return DiamondStorage.layout().facets[selector];
    }

    fallback() external payable {
        address facet = DiamondStorage.layout().facets[msg.sig];
        if (facet == address(0)) revert UnknownSelector(msg.sig);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), facet, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    function _set(bytes4 selector, address facet) private {
        DiamondStorage.layout().facets[selector] = facet;
        emit Cut(selector, facet);
    }
}
