pragma solidity 0.7.6;

/// The prescriptions that a doctor wrote, and how many packs of each are still to be had.
contract PrescriptionRegister {
    struct Prescription {
        address patient;
        uint32 packs;
        bool blocked;
    }

    address public immutable doctor;
    address public immutable pharmacy;

    uint256 public count;
    mapping(uint256 => Prescription) public prescriptions;

    event Prescribed(uint256 indexed id, address indexed patient, uint32 packs);
    event Used(uint256 indexed id, uint32 packs);
    event Blocked(uint256 indexed id);

    constructor(address practice) {
        doctor = practice;
        pharmacy = msg.sender;
    }

    function prescribe(address patient, uint32 packs) external returns (uint256 id) {
        require(msg.sender == doctor, "not the doctor");
        require(patient != address(0) && packs > 0 && packs <= 10, "odd prescription");
        id = ++count;
        prescriptions[id] = Prescription(patient, packs, false);
        emit Prescribed(id, patient, packs);
    }

    function blockIt(uint256 id) external {
        require(msg.sender == doctor, "not the doctor");
        prescriptions[id].blocked = true;
        emit Blocked(id);
    }

    function use(uint256 id, uint32 packs) external {
        Prescription storage prescription = prescriptions[id];
        require(msg.sender == pharmacy, "not the pharmacy");
        require(!prescription.blocked, "blocked");
        require(packs <= prescription.packs, "not that many packs prescribed");
        prescription.packs -= packs;
        emit Used(id, packs);
    }

    function patientOf(uint256 id) external view returns (address) {
        return prescriptions[id].patient;
    }
}

/// Hands out packs of a medicine that is only to be had on prescription.
contract Pharmacy {
    PrescriptionRegister public immutable register;
    address public immutable pharmacist;

    uint256 public stock = 500;
    mapping(address => uint256) public packsOf;

    event Restocked(uint256 packs);
    event HandedOut(address indexed patient, uint256 indexed id, uint32 packs);

    constructor() {
        pharmacist = msg.sender;
        register = new PrescriptionRegister(msg.sender);
    }

    function restock(uint32 packs) external {
        require(msg.sender == pharmacist, "not the pharmacist");
        stock += packs;
        emit Restocked(packs);
    }

    function fetch(uint256 id, uint32 packs) external {
        require(register.patientOf(id) == msg.sender, "not your prescription");
        require(packs > 0 && packs <= stock, "not in stock");
        address(register).call(abi.encodeWithSelector(register.use.selector, id, packs)); //~ ERROR exception-disorder
        stock -= packs;
        packsOf[msg.sender] += packs;
        emit HandedOut(msg.sender, id, packs);
    }
}
