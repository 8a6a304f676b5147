import PromisedWire

/// Who is friends with whom, as domain §3 says it. Plain and slow.
struct ModelPeople: Hashable, Sendable {
    struct Rejection: Hashable, Sendable {
        var requester: Int
        var at: Int64
    }

    struct Pair: Hashable, Sendable {
        var areFriends = false
        var requestedBy: Int?
        var blockedBy: Set<Int> = []
        var rejection: Rejection?
    }

    static let day: Int64 = 24 * 3_600_000

    let count: Int
    var deleted: Set<Int> = []
    private var pairs: [Set<Int>: Pair] = [:]

    init(count: Int) { self.count = count }

    func pair(_ one: Int, _ other: Int) -> Pair { pairs[[one, other]] ?? Pair() }

    func areFriends(_ one: Int, _ other: Int) -> Bool { pair(one, other).areFriends }

    func friends(of user: Int) -> [Int] { (0..<count).filter { $0 != user && areFriends(user, $0) } }

    func incoming(of user: Int) -> Set<Int> {
        Set((0..<count).filter { $0 != user && pair(user, $0).requestedBy == $0 })
    }

    func outgoing(of user: Int) -> Set<Int> {
        Set((0..<count).filter { $0 != user && pair(user, $0).requestedBy == user })
    }

    mutating func delete(_ user: Int) {
        deleted.insert(user)
        pairs = pairs.filter { !$0.key.contains(user) }
    }

    mutating func perform(
        _ act: FriendAct,
        by me: Int,
        with other: Int,
        at now: Int64
    ) throws(No) -> WireFriendshipState.Value {
        if deleted.contains(other) { throw No(.userNotFound) }
        if me == other { throw No(.friendSelf) }
        var pair = pair(me, other)
        switch act {
        case .request, .requestByName: try request(&pair, by: me, to: other, at: now)
        case .cancel:
            try requireRequest(in: pair, of: me, other: other)
            pair.requestedBy = nil
        case .accept:
            try requireRequest(in: pair, of: other, other: other)
            befriend(&pair)
        case .reject:
            try requireRequest(in: pair, of: other, other: other)
            pair.requestedBy = nil
            pair.rejection = Rejection(requester: other, at: now)
        case .remove:
            guard pair.areFriends else { throw No(.userNotFound) }
            pair.areFriends = false
        case .block:
            pair.blockedBy.insert(me)
            pair.areFriends = false
            pair.requestedBy = nil
        case .unblock: pair.blockedBy.remove(me)
        }
        pairs[[me, other]] = pair
        return state(of: pair, seenBy: me)
    }

    private func request(_ pair: inout Pair, by me: Int, to other: Int, at now: Int64) throws(No) {
        if pair.blockedBy.contains(other) { throw No(.userNotFound) }
        if pair.blockedBy.contains(me) { throw No(.friendBlocked) }
        if pair.areFriends { throw No(.friendAlready) }
        if pair.requestedBy == me { throw No(.friendAlreadyRequested) }
        if pair.requestedBy == other { return befriend(&pair) }
        if let rejection = pair.rejection, rejection.requester == me, now < rejection.at + ModelPeople.day {
            throw No(.friendAlreadyRequested)
        }
        pair.requestedBy = me
    }

    private func befriend(_ pair: inout Pair) {
        pair.areFriends = true
        pair.requestedBy = nil
        pair.rejection = nil
    }

    private func requireRequest(in pair: Pair, of requester: Int, other: Int) throws(No) {
        if pair.blockedBy.contains(other) { throw No(.userNotFound) }
        if pair.areFriends { throw No(.friendAlready) }
        if pair.requestedBy != requester { throw No(.friendNoRequest) }
    }

    private func state(of pair: Pair, seenBy me: Int) -> WireFriendshipState.Value {
        if pair.blockedBy.contains(me) { return .blocked }
        if pair.areFriends { return .friends }
        guard let requester = pair.requestedBy else { return .none }
        return requester == me ? .requestedByMe : .requestedByThem
    }
}
