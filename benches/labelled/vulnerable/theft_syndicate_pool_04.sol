pragma solidity ^0.4.21;

/**
 * A betting syndicate. Members pay into the pool; the organiser places the
 * bets, pays the winnings in, and keeps a commission.
 */
contract RacingSyndicate {
    address private organiser;
    uint256 public commissionPercent = 5;
    uint256 public commission;
    uint256 public totalStakes;
    string public meeting;

    struct Member {
        uint256 stake;
        uint256 joinedAt;
        bool active;
    }

    mapping(address => Member) public members;
    address[] public list;

    event Joined(address indexed member, uint256 stake);
    event BetPlaced(address indexed bookmaker, uint256 value, bytes32 slip);
    event Winnings(uint256 value);
    event CommissionPaid(address indexed organiser, uint256 value);

    modifier onlyOrganiser() {
        require(msg.sender == organiser);
        _;
    }

    // Sets the organiser.
    function HorseSyndicate() public {
        organiser = msg.sender;
        meeting = "spring meeting";
    }

    function join() external payable {
        require(msg.value >= 10 finney);
        Member storage member = members[msg.sender];
        if (!member.active) {
            member.active = true;
            member.joinedAt = now;
            list.push(msg.sender);
        }
        member.stake += msg.value;
        totalStakes += msg.value;
        emit Joined(msg.sender, msg.value);
    }

    function placeBet(address bookmaker, uint256 value, bytes32 slip) external onlyOrganiser {
        require(value <= address(this).balance);
        bookmaker.transfer(value); //~ ERROR ether-theft
        emit BetPlaced(bookmaker, value, slip);
    }

    // The bookmaker, or whoever brings the winnings.
    function payWinnings() external payable {
        require(msg.value > 0);
        commission += msg.value / 100 * commissionPercent;
        emit Winnings(msg.value);
    }

    function takeCommission() external onlyOrganiser {
        uint256 value = commission;
        require(value > 0 && value <= address(this).balance);
        commission = 0;
        organiser.transfer(value);
        emit CommissionPaid(organiser, value);
    }

    function setCommission(uint256 percent) external onlyOrganiser {
        require(percent <= 10);
        commissionPercent = percent;
    }

    function setMeeting(string name) external onlyOrganiser {
        meeting = name;
    }

    function memberCount() external view returns (uint256) {
        return list.length;
    }

    function shareOf(address member) external view returns (uint256) {
        if (totalStakes == 0) return 0;
        return members[member].stake * 10000 / totalStakes;
    }
}
