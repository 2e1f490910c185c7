// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Enumerable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";
import {ERC721Pausable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Pausable.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @notice Badges that its owner hands out.
contract Badges is ERC721Enumerable, ERC721Pausable, Ownable {
    using Strings for uint256;

    constructor() ERC721("Badges", "BDG") Ownable(msg.sender) {}

    function award(address to) external onlyOwner returns (uint256 id) {
        id = totalSupply();
        _mint(to, id);
    }

    function stop() external onlyOwner {
        _pause();
    }

    function tokenURI(uint256 id) public pure override returns (string memory) {
        return string.concat("badge:", id.toHexString());
    }

    function _update(address to, uint256 id, address auth)
        internal
        override(ERC721Enumerable, ERC721Pausable)
        returns (address)
    {
        return super._update(to, id, auth);
    }

    function _increaseBalance(address account, uint128 value) internal override(ERC721, ERC721Enumerable) {
        super._increaseBalance(account, value);
    }

    function supportsInterface(bytes4 id) public view override(ERC721, ERC721Enumerable) returns (bool) {
        return super.supportsInterface(id);
    }
}
