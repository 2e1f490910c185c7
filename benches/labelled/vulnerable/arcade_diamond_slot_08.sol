// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Who may stop the arcade.
library GuardStorage {
    struct Layout {
        address guardian;
    }

    bytes32 internal constant SLOT = keccak256("arcade.storage.core");

    function layout() internal pure returns (Layout storage l) {
        bytes32 slot = SLOT;
        assembly {
            l.slot := slot
        }
    }
}

/// The scores of the season.
library SeasonStorage {
    struct Layout {
        uint256 latestScore;
        uint256 bestScore;
        address champion;
        mapping(address => uint256) bestOf;
        mapping(address => uint256) plays;
    }

    bytes32 internal constant SLOT = keccak256("arcade.storage.core");

    function layout() internal pure returns (Layout storage l) {
        bytes32 slot = SLOT;
        assembly {
            l.slot := slot
        }
    }
}

/// The settings that the guardian may change.
library SettingStorage {
    struct Layout {
        bool stopped;
        uint64 maxPlays;
    }

    bytes32 internal constant SLOT = keccak256("arcade.storage.settings");

    function layout() internal pure returns (Layout storage l) {
        bytes32 slot = SLOT;
        assembly {
            l.slot := slot
        }
    }
}

contract ArcadeDiamond {
    event Played(address indexed player, uint256 score);
    event NewChampion(address indexed player, uint256 score);

    modifier onlyGuardian() {
        require(msg.sender == GuardStorage.layout().guardian, "not the guardian");
        _;
    }

    constructor() {
        GuardStorage.layout().guardian = msg.sender;
        SettingStorage.layout().maxPlays = 1000;
    }

    function guardian() external view returns (address) {
        return GuardStorage.layout().guardian;
    }

    function champion() external view returns (address player, uint256 score) {
        SeasonStorage.Layout storage s = SeasonStorage.layout();
        return (s.champion, s.bestScore);
    }

    function bestOf(address player) external view returns (uint256) {
        return SeasonStorage.layout().bestOf[player];
    }

    function setStopped(bool value) external onlyGuardian {
        SettingStorage.layout().stopped = value;
    }

    function setMaxPlays(uint64 value) external onlyGuardian {
        SettingStorage.layout().maxPlays = value;
    }

    /// Players report their scores themselves: there is nothing to win but honour.
    function play(uint256 score) external {
        SettingStorage.Layout storage settings = SettingStorage.layout();
        require(!settings.stopped, "stopped");
        SeasonStorage.Layout storage s = SeasonStorage.layout();
        require(s.plays[msg.sender] < settings.maxPlays, "no plays left");
        s.plays[msg.sender] += 1;
        s.latestScore = score; //~ ERROR slot-collision
        if (score > s.bestOf[msg.sender]) {
            s.bestOf[msg.sender] = score;
        }
        emit Played(msg.sender, score);
        if (score > s.bestScore) {
            s.bestScore = score;
            s.champion = msg.sender;
            emit NewChampion(msg.sender, score);
        }
    }
}
