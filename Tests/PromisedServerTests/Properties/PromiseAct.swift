/// An act of one user on a promise.
enum PromiseAct: Hashable, Sendable {
    case respond(accept: Bool)
    case update(PromiseChange)
    case leave
    case handOver(to: Int)
    case cancel
    /// The number names the code.
    case createInvite(Int, expiresInMs: Int64?)
    case revokeInvite
    case get
}

struct PromiseChange: Hashable, Sendable {
    var version: Int
    var title: String?
    var meetsAt: Int64?
    var invite: [Int] = []
    var remove: [Int] = []
}
