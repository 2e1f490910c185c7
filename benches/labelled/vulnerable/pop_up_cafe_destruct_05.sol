pragma solidity ^0.5.0;

/// The till of a cafe that changes hands every few months.
contract PopUpCafe {
    uint256 public constant COFFEE = 3 finney;
    uint256 public constant LUNCH = 9 finney;

    address payable public tenant;
    address payable public nextTenant;
    uint256 public coffees;
    uint256 public lunches;

    mapping(address => uint256) public stamps;

    event Sold(address indexed guest, string what);
    event TenantProposed(address indexed next);
    event TenantChanged(address indexed tenant);

    modifier onlyTenant() {
        require(msg.sender == tenant, "not the tenant");
        _;
    }

    constructor() public {
        tenant = msg.sender;
    }

    function buyCoffee() external payable {
        if (stamps[msg.sender] >= 10) {
            require(msg.value == 0, "this one is free");
            stamps[msg.sender] -= 10;
        } else {
            require(msg.value == COFFEE, "three finney");
            stamps[msg.sender] += 1;
        }
        coffees += 1;
        emit Sold(msg.sender, "coffee");
    }

    function buyLunch() external payable {
        require(msg.value == LUNCH, "nine finney");
        lunches += 1;
        emit Sold(msg.sender, "lunch");
    }

    function proposeTenant(address payable next) external {
        require(next != address(0), "no tenant");
        nextTenant = next;
        emit TenantProposed(next);
    }

    function takeOver() external {
        require(msg.sender == nextTenant, "not proposed");
        tenant = nextTenant;
        nextTenant = address(0);
        emit TenantChanged(tenant);
    }

    function closeDown() external onlyTenant {
        selfdestruct(tenant); //~ ERROR self-destruct
    }
}
