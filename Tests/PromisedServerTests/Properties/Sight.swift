import PromisedProtocol

/// All that a user can query.
struct Sight: Hashable, Sendable {
    var friends: [Int] = []
    var incoming: Set<Int> = []
    var outgoing: Set<Int> = []
    /// The promises of each list, in its order.
    var lists: [WirePromiseList.Value: [Int]] = [:]
    /// The outcome of `getPromise` for each promise.
    var promises: [Int: Outcome] = [:]

    static let allLists: [WirePromiseList.Value] = [.upcoming, .tracking, .past, .invited]
}
