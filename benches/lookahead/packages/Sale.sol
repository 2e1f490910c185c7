pragma solidity ^0.5.0;

import "openzeppelin-solidity/contracts/crowdsale/distribution/RefundableCrowdsale.sol";
import "openzeppelin-solidity/contracts/crowdsale/emission/MintedCrowdsale.sol";
import "openzeppelin-solidity/contracts/crowdsale/validation/CappedCrowdsale.sol";
import "openzeppelin-solidity/contracts/token/ERC20/ERC20Mintable.sol";

contract SaleToken is ERC20Mintable {}

/// A sale of a week, with a goal, a cap, and a token that it mints.
contract Sale is CappedCrowdsale, RefundableCrowdsale, MintedCrowdsale {
    constructor(address payable wallet)
        public
        Crowdsale(1000, wallet, new SaleToken())
        TimedCrowdsale(now, now + 7 days)
        CappedCrowdsale(100 ether)
        RefundableCrowdsale(10 ether)
    {}
}
