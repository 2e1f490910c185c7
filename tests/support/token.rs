//! A token for contracts of tests.

/// A plain token, which anyone may mint.
pub const TOKEN: &str = "contract Token {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    function mint(address to, uint256 amount) external { balanceOf[to] += amount; emit Transfer(address(0), to, amount); }
    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount; move(from, to, amount); return true; }
    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount; balanceOf[to] += amount; emit Transfer(from, to, amount); }
}
";
