// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @notice Loans between museums. Runs behind `MuseumProxy`.
contract MuseumLogic {
    uint256 public loanCount;
    address public lastBorrower;
    mapping(uint256 => address) public borrowerOf;
    mapping(uint256 => bytes32) public pieceOf;

    event Lent(uint256 indexed id, address indexed borrower, bytes32 piece);

    function lend(bytes32 piece) external returns (uint256 id) {
        require(piece != bytes32(0), "no piece");
        id = loanCount;
        loanCount = id + 1;
        lastBorrower = msg.sender;
        borrowerOf[id] = msg.sender;
        pieceOf[id] = piece;
        emit Lent(id, msg.sender, piece);
    }
}

/// @title Proxy of the museum loans
/// @dev What the proxy keeps is in the slots of ERC-1967 or in its code, so
/// that it is out of the way of the variables of the logic.
contract MuseumProxy {
    bytes32 private constant IMPLEMENTATION =
        0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes32 private constant ADMIN =
        0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103;

    uint256 public immutable openedAt;

    event Upgraded(address indexed implementation);

    constructor() {
        openedAt = block.timestamp;
        address logic = address(new MuseumLogic());
        assembly {
            sstore(IMPLEMENTATION, logic)
            sstore(ADMIN, caller())
        }
    }

    function admin() public view returns (address account) {
        assembly {
            account := sload(ADMIN)
        }
    }

    function upgradeTo(address implementation) external {
        require(msg.sender == admin(), "only the admin");
        require(implementation.code.length > 0, "no code");
        assembly {
            sstore(IMPLEMENTATION, implementation)
        }
        emit Upgraded(implementation);
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(IMPLEMENTATION), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 {
                revert(0, returndatasize())
            }
            default {
                return(0, returndatasize())
            }
        }
    }
}
