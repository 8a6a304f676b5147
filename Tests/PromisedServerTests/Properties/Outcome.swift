import PromisedWire

/// What a step comes to: said by the model before, and by the server after.
enum Outcome: Hashable, Sendable {
    case refused(ErrorCode)
    case friendship(WireFriendshipState.Value)
    case promise(SeenPromise, overlaps: [Int])
    case done

    /// Whether two outcomes are the same but for what else was seen in a promise: what happens at the same time may be
    /// in the reply or not.
    func agrees(with other: Outcome) -> Bool {
        if case .promise = self, case .promise = other { return true }
        return self == other
    }
}

/// A promise as somebody sees it.
struct SeenPromise: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        var user: Int
        var membership: WireMembership.Value
        var sharing: Bool
        var isDeleted: Bool
    }

    var number: Int
    var title: String
    var meetsAt: Int64
    var owner: Int
    var version: Int
    var status: WirePromiseStatus.Value
    /// By number, since two people may be invited at once.
    var members: [Member]
    var participantCount: Int
}

/// All that somebody can find out by asking.
struct Sight: Hashable, Sendable {
    var friends: [Int] = []
    var incoming: Set<Int> = []
    var outgoing: Set<Int> = []
    /// The promises of each list, in its order.
    var lists: [WirePromiseList.Value: [Int]] = [:]
    /// What `getPromise` says of each promise.
    var promises: [Int: Outcome] = [:]

    static let allLists: [WirePromiseList.Value] = [.upcoming, .tracking, .past, .invited]
}
