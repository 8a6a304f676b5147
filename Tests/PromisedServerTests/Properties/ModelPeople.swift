import PromisedProtocol

/// The friendships of all users, by domain §3. Plain and slow.
struct ModelPeople: Hashable, Sendable {
    struct Rejection: Hashable, Sendable {
        var requester: Int
        var at: Int64
        /// `true` if the request looks pending to the requester.
        var isBelieved = true
    }

    struct Pair: Hashable, Sendable {
        var areFriends = false
        var requestedBy: Int?
        var blockedBy: Set<Int> = []
        var rejection: Rejection?

        /// The requester, as seen by one of the two.
        func request(seenBy user: Int) -> Int? {
            if let rejection, rejection.requester == user, rejection.isBelieved { return user }
            return requestedBy
        }
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
        Set((0..<count).filter { $0 != user && pair(user, $0).request(seenBy: user) == $0 })
    }

    func outgoing(of user: Int) -> Set<Int> {
        Set((0..<count).filter { $0 != user && pair(user, $0).request(seenBy: user) == user })
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
            try requireRequest(in: pair, of: me, by: me, other: other)
            pair.requestedBy = nil
            pair.rejection?.isBelieved = false
        case .accept:
            try requireRequest(in: pair, of: other, by: me, other: other)
            befriend(&pair)
        case .reject:
            try requireRequest(in: pair, of: other, by: me, other: other)
            pair.requestedBy = nil
            pair.rejection = Rejection(requester: other, at: now)
        case .remove:
            guard pair.areFriends else { throw No(.userNotFound) }
            pair.areFriends = false
        case .block:
            pair.blockedBy.insert(me)
            pair.areFriends = false
            pair.requestedBy = nil
            pair.rejection?.isBelieved = false
        case .unblock: pair.blockedBy.remove(me)
        }
        pairs[[me, other]] = pair
        if act == .block || act == .unblock, pair.blockedBy.contains(other) { throw No(.userNotFound) }
        return state(of: pair, seenBy: me)
    }

    private func request(_ pair: inout Pair, by me: Int, to other: Int, at now: Int64) throws(No) {
        if pair.blockedBy.contains(other) { throw No(.userNotFound) }
        if pair.blockedBy.contains(me) { throw No(.friendBlocked) }
        if pair.areFriends { throw No(.friendAlready) }
        if pair.request(seenBy: me) == me, !mayAskAgain(pair, me, at: now) { throw No(.friendAlreadyRequested) }
        if pair.requestedBy == other { return befriend(&pair) }
        if let rejection = pair.rejection, rejection.requester == me, now < rejection.at + ModelPeople.day {
            // The other user is not notified, and the requester must not notice.
            pair.rejection?.isBelieved = true
        } else {
            pair.rejection?.isBelieved = false
            pair.requestedBy = me
        }
    }

    /// A day after a rejection one may ask again.
    private func mayAskAgain(_ pair: Pair, _ me: Int, at now: Int64) -> Bool {
        guard pair.requestedBy != me, let rejection = pair.rejection else { return false }
        return now >= rejection.at + ModelPeople.day
    }

    private func befriend(_ pair: inout Pair) {
        pair.areFriends = true
        pair.requestedBy = nil
        pair.rejection = nil
    }

    private func requireRequest(in pair: Pair, of requester: Int, by me: Int, other: Int) throws(No) {
        if pair.blockedBy.contains(other) { throw No(.userNotFound) }
        if pair.areFriends { throw No(.friendAlready) }
        if pair.request(seenBy: me) != requester { throw No(.friendNoRequest) }
    }

    private func state(of pair: Pair, seenBy me: Int) -> WireFriendshipState.Value {
        if pair.blockedBy.contains(me) { return .blocked }
        if pair.areFriends { return .friends }
        guard let requester = pair.request(seenBy: me) else { return .none }
        return requester == me ? .requestedByMe : .requestedByThem
    }
}
