// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library OwnerStore {
    struct Layout {
        address owner;
        address nextOwner;
    }

    bytes32 private constant POSITION = keccak256("club.diamond.owner");

    function layout() internal pure returns (Layout storage l) {
        bytes32 position = POSITION;
        assembly {
            l.slot := position
        }
    }
}

library FacetStore {
    struct Layout {
        mapping(bytes4 => address) facetOf;
    }

    bytes32 private constant POSITION = keccak256("club.diamond.facets");

    function layout() internal pure returns (Layout storage l) {
        bytes32 position = POSITION;
        assembly {
            l.slot := position
        }
    }
}

library TillStore {
    struct Layout {
        uint256 dues;
        mapping(address => uint256) balances;
        mapping(address => bool) members;
    }

    bytes32 private constant POSITION = keccak256("club.diamond.till");

    function layout() internal pure returns (Layout storage l) {
        bytes32 position = POSITION;
        assembly {
            l.slot := position
        }
    }
}

contract OwnerFacet {
    function owner() external view returns (address) {
        return OwnerStore.layout().owner;
    }

    function offer(address to) external {
        require(msg.sender == OwnerStore.layout().owner, "not the owner");
        OwnerStore.layout().nextOwner = to;
    }

    function accept() external {
        OwnerStore.Layout storage l = OwnerStore.layout();
        require(msg.sender == l.nextOwner, "not offered");
        l.owner = msg.sender;
        l.nextOwner = address(0);
    }

    function setDues(uint256 dues) external {
        require(msg.sender == OwnerStore.layout().owner, "not the owner");
        TillStore.layout().dues = dues;
    }
}

contract TillFacet {
    event Joined(address indexed member);

    function deposit() external payable {
        TillStore.layout().balances[msg.sender] += msg.value;
    }

    function balanceOf(address who) external view returns (uint256) {
        return TillStore.layout().balances[who];
    }

    function isMember(address who) external view returns (bool) {
        return TillStore.layout().members[who];
    }

    function join() external {
        TillStore.Layout storage l = TillStore.layout();
        require(!l.members[msg.sender], "already a member");
        require(l.balances[msg.sender] >= l.dues, "too little");
        l.balances[msg.sender] -= l.dues;
        l.balances[OwnerStore.layout().owner] += l.dues;
        l.members[msg.sender] = true;
        emit Joined(msg.sender);
    }

    function withdraw(uint256 amount) external {
        TillStore.Layout storage l = TillStore.layout();
        require(amount <= l.balances[msg.sender], "not enough");
        l.balances[msg.sender] -= amount;
        payable(msg.sender).transfer(amount);
    }
}

/// Looks up the facet of each function. The table is filled once, when the club is founded.
contract ClubDiamond {
    constructor() {
        OwnerStore.layout().owner = msg.sender;
        TillStore.layout().dues = 100;
        mapping(bytes4 => address) storage facetOf = FacetStore.layout().facetOf;
        address owners = address(new OwnerFacet());
        facetOf[OwnerFacet.owner.selector] = owners;
        facetOf[OwnerFacet.offer.selector] = owners;
        facetOf[OwnerFacet.accept.selector] = owners;
        facetOf[OwnerFacet.setDues.selector] = owners;
        address till = address(new TillFacet());
        facetOf[TillFacet.deposit.selector] = till;
        facetOf[TillFacet.balanceOf.selector] = till;
        facetOf[TillFacet.isMember.selector] = till;
        facetOf[TillFacet.join.selector] = till;
        facetOf[TillFacet.withdraw.selector] = till;
    }

    fallback() external payable {
        address facet = FacetStore.layout().facetOf[msg.sig];
        require(facet != address(0), "no such function");
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
