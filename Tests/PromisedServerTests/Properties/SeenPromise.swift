import PromisedProtocol

/// A promise as a user sees it.
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
