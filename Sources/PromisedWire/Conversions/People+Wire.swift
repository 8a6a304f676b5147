package import PromisedDomain
package import PromisedProtocol

extension WireFriendship {
    /// The relation between the caller and another user. `friendship` is nil if they have none.
    package init(_ friendship: Friendship?, seenBy caller: UserID, other: UserCard) {
        self.init()
        user = WireUserCard(other)
        state = friendship.map { WireFriendshipState.Value($0, seenBy: caller) } ?? .none
    }
}

extension WireFriendshipState.Value {
    /// The relation of a pair from the point of view of one of them: hides a block or rejection by the other.
    package init(_ friendship: Friendship, seenBy caller: UserID) {
        if friendship.blockedBy.contains(caller) {
            self = .blocked
            return
        }
        switch friendship.state(seenBy: caller) {
        case .none: self = .none
        case .requested(let requester): self = requester == caller ? .requestedByMe : .requestedByThem
        case .friends: self = .friends
        }
    }
}

extension WireStatistics {
    /// A user's statistics; percentage and tier follow from the counts.
    package init(_ statistics: Statistics) {
        self.init()
        userID = statistics.userID.wireText
        counted = UInt32(clamping: statistics.counted)
        early = UInt32(clamping: statistics.early)
        onTime = UInt32(clamping: statistics.onTime)
        late = UInt32(clamping: statistics.late)
        noShow = UInt32(clamping: statistics.noShow)
        bestRank = UInt32(clamping: statistics.bestRank)
        meanLatenessSeconds = statistics.meanLatenessSeconds
        if let percent = statistics.punctualityPercent { punctualityPercent = percent }
        tier = statistics.tier.rawValue
    }
}

extension Statistics {
    /// Statistics received from a server; percentage and tier are computed again. Throws ``WireError/invalid(field:)``
    /// for an invalid id, for counts that do not add up, and for a mean lateness that is negative or not finite.
    package init(_ wire: WireStatistics) throws(WireError) {
        let late = Int(wire.late)
        guard Int(wire.counted) == Int(wire.early) + Int(wire.onTime) + late else { throw .invalid(field: "counted") }
        guard wire.noShow <= wire.late else { throw .invalid(field: "noShow") }
        guard wire.meanLatenessSeconds.isFinite, wire.meanLatenessSeconds >= 0 else {
            throw .invalid(field: "meanLatenessSeconds")
        }
        self.init(
            of: try UserID(wire: wire.userID, field: "userId"),
            early: Int(wire.early),
            onTime: Int(wire.onTime),
            late: late,
            noShow: Int(wire.noShow),
            bestRank: Int(wire.bestRank),
            meanLatenessSeconds: wire.meanLatenessSeconds
        )
    }
}
