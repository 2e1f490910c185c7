pragma solidity 0.5.17;

/// Doses of a pain killer by the weight of the animal. The syrup is sold in three
/// strengths, in milligrams per millilitre.
contract DoseTable {
    function microlitres(uint256 grams, uint256 microgramsPerKilo, uint256 strength) external pure returns (uint256) {
        require(grams >= 20 && grams <= 900000, "no such animal");
        require(microgramsPerKilo <= 20000, "overdose");
        require(strength == 2 || strength == 10 || strength == 50, "no such strength");
        return grams * microgramsPerKilo / 1000 / strength;
    }
}

/// A veterinary practice takes a deposit for each visit, treats the animal
/// and pays back what the treatment did not cost.
contract VetPractice {
    uint256 public constant DEPOSIT = 10 finney;
    uint256 public constant VISIT = 4 finney;

    DoseTable public doses;
    address payable public vet;

    struct Visit {
        address payable keeper;
        bool seen;
        uint256 deposit;
    }

    uint256 public visits;
    uint256 public earned;
    mapping(uint256 => Visit) public visitOf;

    event Arrived(uint256 indexed visit, address indexed keeper);
    event Prescribed(uint256 indexed visit, uint256 microlitres);
    event Left(uint256 indexed visit, uint256 refund);

    constructor() public {
        vet = msg.sender;
        doses = new DoseTable();
    }

    modifier onlyKeeper(uint256 visit) {
        require(visitOf[visit].keeper == msg.sender, "not your visit");
        _;
    }

    function arrive() external payable returns (uint256 visit) {
        require(msg.value == DEPOSIT, "wrong deposit");
        visit = ++visits;
        visitOf[visit] = Visit(msg.sender, false, msg.value);
        emit Arrived(visit, msg.sender);
    }

    /// 4 mg for each kilogram of a dog, from the bottle with 10 mg per millilitre.
    function prescribeDog(uint256 visit, uint256 grams) external onlyKeeper(visit) returns (uint256 dose) {
        dose = doses.microlitres(grams, 4000, 10);
        note(visit, dose);
    }

    /// 0.3 mg for each kilogram of a cat, from the bottle with 2 mg per millilitre.
    function prescribeCat(uint256 visit, uint256 grams) external onlyKeeper(visit) returns (uint256 dose) {
        dose = doses.microlitres(grams, 300, 2);
        note(visit, dose);
    }

    /// 2 mg for each kilogram of a horse, from the bottle with 50 mg per millilitre.
    function prescribeHorse(uint256 visit, uint256 grams) external onlyKeeper(visit) returns (uint256 dose) {
        dose = doses.microlitres(grams, 2000, 50000); //~ ERROR requirement
        note(visit, dose);
    }

    function leave(uint256 visit) external onlyKeeper(visit) {
        Visit memory last = visitOf[visit];
        uint256 fee = last.seen ? VISIT : 0;
        delete visitOf[visit];
        earned += fee;
        emit Left(visit, last.deposit - fee);
        last.keeper.transfer(last.deposit - fee);
    }

    function collect() external {
        uint256 amount = earned;
        earned = 0;
        vet.transfer(amount);
    }

    function note(uint256 visit, uint256 dose) private {
        require(!visitOf[visit].seen, "treated already");
        visitOf[visit].seen = true;
        emit Prescribed(visit, dose);
    }
}
