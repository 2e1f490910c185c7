// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

/// Keeps for all clinics who gave how much, and when.
contract DonorRegister {
    struct Donor {
        uint256 given;
        uint256 lastAt;
        address lastClinic;
    }

    uint256 public constant PAUSE = 56 days;
    uint256 public constant MOST = 500;

    mapping(address => Donor) public donors;

    event Recorded(address indexed donor, address indexed clinic, uint256 millilitres);

    error TooMuch(uint256 millilitres);
    error TooSoon(uint256 until);

    function record(address donor, uint256 millilitres) external {
        Donor storage d = donors[donor];
        if (millilitres > MOST) revert TooMuch(millilitres);
        if (d.lastAt != 0 && block.timestamp < d.lastAt + PAUSE) revert TooSoon(d.lastAt + PAUSE);
        d.given += millilitres;
        d.lastAt = block.timestamp;
        d.lastClinic = msg.sender;
        emit Recorded(donor, msg.sender, millilitres);
    }
}

contract BloodClinic {
    address public immutable register;
    address public immutable doctor;

    bool public open = true;
    uint256 public stock;
    uint256 public donations;
    mapping(address => uint256) public thanks;

    event Donated(address indexed donor, uint256 millilitres);
    event Used(uint256 millilitres, bytes32 ward);

    modifier onlyDoctor() {
        require(msg.sender == doctor, "doctor only");
        _;
    }

    constructor(address register_) {
        require(register_ != address(0), "no register");
        register = register_;
        doctor = msg.sender;
    }

    function donate(uint256 millilitres) external {
        require(open, "closed");
        require(millilitres >= 100 && millilitres <= 1000, "amount");
        register.call(abi.encodeWithSignature("record(address,uint256)", msg.sender, millilitres)); //~ ERROR exception-disorder
        stock += millilitres;
        donations += 1;
        thanks[msg.sender] += 1;
        emit Donated(msg.sender, millilitres);
    }

    function use(uint256 millilitres, bytes32 ward) external onlyDoctor {
        stock -= millilitres;
        emit Used(millilitres, ward);
    }

    function setOpen(bool open_) external onlyDoctor {
        open = open_;
    }
}
