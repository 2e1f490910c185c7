// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library RouterStorage {
    bytes32 private constant POSITION = keccak256("quay.router.v1.storage");

    struct Layout {
        address curator;
        mapping(bytes4 => address) facetOf;
        mapping(address => uint256) selectorsOf;
        bytes4[] selectors;
    }

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

library DepositStorage {
    bytes32 private constant POSITION = keccak256("quay.deposits.v1.storage");

    struct Layout {
        uint256 total;
        mapping(address => uint256) byOwner;
    }

    function layout() internal pure returns (Layout storage $) {
        bytes32 position = POSITION;
        assembly {
            $.slot := position
        }
    }
}

/// @notice Deposits of ether
contract DepositFacet {
    event Deposited(address indexed who, uint256 amount);
    event Withdrawn(address indexed who, uint256 amount);

    function deposit() external payable {
        DepositStorage.Layout storage $ = DepositStorage.layout();
        $.total += msg.value;
        $.byOwner[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 amount) external {
        DepositStorage.Layout storage $ = DepositStorage.layout();
        $.byOwner[msg.sender] -= amount;
        $.total -= amount;
        emit Withdrawn(msg.sender, amount);
        payable(msg.sender).transfer(amount);
    }

    function depositOf(address who) external view returns (uint256) {
        return DepositStorage.layout().byOwner[who];
    }
}

/// @title Router of the quay: sends each function to the facet that has it
contract QuayRouter {
    event FacetSet(bytes4 indexed selector, address indexed facet);
    event CuratorSet(address indexed curator);

    error NotCurator();
    error NoCode(address facet);
    error UnknownFunction(bytes4 selector);

    constructor() {
        RouterStorage.layout().curator = msg.sender;
        address facet = address(new DepositFacet());
        _set(DepositFacet.deposit.selector, facet);
        _set(DepositFacet.withdraw.selector, facet);
        _set(DepositFacet.depositOf.selector, facet);
        emit CuratorSet(msg.sender);
    }

    function curator() external view returns (address) {
        return RouterStorage.layout().curator;
    }

    function facetOf(bytes4 selector) external view returns (address) {
        return RouterStorage.layout().facetOf[selector];
    }

    function setCurator(address next) external {
        if (msg.sender != RouterStorage.layout().curator) revert NotCurator();
        RouterStorage.layout().curator = next;
        emit CuratorSet(next);
    }

    /// @notice Functions are added and replaced by the curator.
    function setFacet(bytes4 selector, address facet) external {
        if (msg.sender != RouterStorage.layout().curator) revert NotCurator();
        _set(selector, facet);
    }

    function _set(bytes4 selector, address facet) private {
        if (facet.code.length == 0) revert NoCode(facet);
        RouterStorage.Layout storage $ = RouterStorage.layout();
        if ($.facetOf[selector] == address(0)) $.selectors.push(selector);
        $.facetOf[selector] = facet;
        $.selectorsOf[facet]++;
        emit FacetSet(selector, facet);
    }

    fallback() external payable {
        address facet = RouterStorage.layout().facetOf[msg.sig];
        if (facet == address(0)) revert UnknownFunction(msg.sig);
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), facet, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
