// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
import "./Base.sol";
import {Item} from "./Item.sol";

/// What people buy.
contract Cart is Base, Priced {
    uint256 public constant LIMIT = 10;
    mapping(address => uint) private _prices;
    struct Part { uint id; }
    enum Shape { Circle, Square }
    event Bought(address indexed who, uint amount);
    error Empty();

    modifier onlyOwner() { require(msg.sender == owner); _; }

    constructor(string memory name) { title = name; }

    /**
     * Adds up.
     */
    function total(uint rate) external view returns (uint) {
        uint sum = _prices[msg.sender] * rate;
        emit Bought(msg.sender, sum);
        return helper(sum);
    }

    function _hidden() internal {}
    function open() public {}
    receive() external payable {}
}

interface Priced { function price() external returns (uint); }
library Math { function twice(uint x) internal pure returns (uint) { return x * 2; } }
function free(uint x) pure returns (uint) { return x; }
