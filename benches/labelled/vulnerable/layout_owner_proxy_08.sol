// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Exploit: becomeCurator() through the proxy writes msg.sender over the proxy's owner (both slot 0); the new owner upgrades to own code and any call runs it.
contract GalleryLogic {
    address public curator;
    mapping(uint256 => bytes32) public pictures;

    function becomeCurator() external {
        curator = msg.sender;
    }

    function hang(uint256 place, bytes32 picture) external {
        require(msg.sender == curator, "curator only");
        pictures[place] = picture;
    }
}

contract GalleryProxy {
    address public owner; //~ ERROR layout-collision
    address public implementation;

    constructor(address logic) {
        owner = msg.sender;
        implementation = logic;
    }

    function upgradeTo(address logic) external {
        require(msg.sender == owner, "owner only");
        require(logic.code.length > 0, "no code");
        implementation = logic;
    }

    fallback() external {
        address code = implementation;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0) //~ ERROR delegatecall
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}
